#include "formats/report/hierarchy/guided_words.h"

#include "core/base/mem.h"
#include "core/base/string.h"

static void add_ranks(struct tm_str *str, const struct tm_null_ranks *ranks, int size)
{
	if (ranks->count == size)
		tm_str_add(str, size == 1 ? "the rank" : "all ranks");
	else if (ranks->count == 1)
		tm_str_addf(str, "rank %d", ranks->first);
	else
		tm_str_addf(str, "%d ranks", ranks->count);
}

char *tm_guided_reason(const struct tm_guided *guided, struct tm_error *err)
{
	const char *type = guided->resource->word.name;
	int size = guided->standard.size;
	struct tm_str str = TM_STR_INIT;

	if (guided->spanning.count) {
		add_ranks(&str, &guided->spanning, size);
		tm_str_addf(&str, " may run %s one %s", guided->spanned > 1 ? "on more than" :
			    "beside", type);
		if (guided->spanned > 1)
			tm_str_addf(&str, " (rank %d: %d)", guided->spanning.first,
				    guided->spanned);
	}
	if (guided->without.count) {
		tm_str_add(&str, guided->spanning.count ? "; " : "");
		add_ranks(&str, &guided->without, size);
		tm_str_addf(&str, " ha%s no %s", guided->without.count == 1 ? "s" : "ve", type);
	}
	return tm_str_take(&str, err);
}

char *tm_guided_overlap(const struct tm_guided *guided, struct tm_error *err)
{
	return tm_format(err, "rank %d is given ranks %d and %d, which are not given each other",
			 guided->overlap[0], guided->overlap[1], guided->overlap[2]);
}
