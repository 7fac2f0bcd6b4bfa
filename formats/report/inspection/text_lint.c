#include "formats/report/inspection/text_lint.h"

#include "formats/base/wrap.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LABEL = 10, RANKS_WIDTH = 3 * 66 };

/* "0-3, 8, 9 (6)": broken at blanks, and cut where it is long. */
static char *say_ranks(const struct tm_idset *ranks, struct tm_error *err)
{
	struct tm_str str = TM_STR_INIT;
	int i = 0;

	for (; i < ranks->count && str.length < RANKS_WIDTH; i++) {
		tm_str_addf(&str, "%s%d", i ? ", " : "", ranks->range[i].first);
		if (ranks->range[i].last > ranks->range[i].first)
			tm_str_addf(&str, "-%d", ranks->range[i].last);
	}
	tm_str_addf(&str, "%s (%" PRId64 ")", i < ranks->count ? ", ..." : "",
		    tm_idset_size(ranks));
	return tm_str_take(&str, err);
}

int tm_text_write_lint(FILE *out, const struct tm_lint *lint, struct tm_error *err)
{
	if (!lint->count) {
		fprintf(out, "no findings\n");
		return 0;
	}
	fprintf(out, "%d finding%s\n", lint->count, lint->count == 1 ? "" : "s");
	for (int i = 0; i < lint->count; i++) {
		const struct tm_finding *finding = &lint->finding[i];
		char *ranks = say_ranks(&finding->ranks, err);

		if (!ranks)
			return -1;
		fprintf(out, "\n%s\n", finding->name);
		tm_text_write_wrapped(out, LABEL, "  ranks", ranks);
		tm_text_write_wrapped(out, LABEL, "  why", finding->reason);
		tm_text_write_wrapped(out, LABEL, "  mend", finding->mend);
		free(ranks);
	}
	return 0;
}

void tm_text_say_lint(struct tm_str *str, const struct tm_lint *lint)
{
	if (!lint->count)
		tm_str_add(str, "none");
	else
		tm_str_addf(str, "%d: ", lint->count);
	for (int i = 0; i < lint->count; i++)
		tm_str_addf(str, "%s%s", i ? ", " : "", lint->finding[i].name);
	if (lint->count)
		tm_str_add(str, " (--lint tells more)");
}
