/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/hierarchy/guided_reason.h"

#include "core/base/mem.h"
#include "core/base/string.h"

static void add_ranks(struct tmap_str *str, const struct tmap_null_ranks *ranks, int size)
{
	if (ranks->count == size)
		tmap_str_add(str, size == 1 ? "the rank" : "all ranks");
	else if (ranks->count == 1)
		tmap_str_addf(str, "rank %d", ranks->first);
	else
		tmap_str_addf(str, "%d ranks", ranks->count);
}

char *tmap_guided_reason(const struct tmap_guided *guided, struct tmap_error *err)
{
	const char *type = guided->resource->word.name;
	int size = guided->standard.size;
	struct tmap_str str = TMAP_STR_INIT;

	if (guided->spanning.count) {
		add_ranks(&str, &guided->spanning, size);
		tmap_str_addf(&str, " may run %s one %s",
			      guided->spanned > 1 ? "on more than" : "outside", type);
		if (guided->spanned > 1)
			tmap_str_addf(&str, " (rank %d: %d)", guided->spanning.first,
				      guided->spanned);
	}
	if (guided->without.count) {
		tmap_str_add(&str, guided->spanning.count ? "; " : "");
		add_ranks(&str, &guided->without, size);
		tmap_str_addf(&str, " ha%s no %s", guided->without.count == 1 ? "s" : "ve", type);
	}
	return tmap_str_take(&str, err);
}

char *tmap_guided_overlap(const struct tmap_guided *guided, struct tmap_error *err)
{
	return tmap_format(err, "rank %d is given ranks %d and %d, which are not given each other",
			   guided->overlap[0], guided->overlap[1], guided->overlap[2]);
}
