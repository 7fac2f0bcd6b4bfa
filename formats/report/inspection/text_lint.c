/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/inspection/text_lint.h"

#include "core/base/string.h"
#include "formats/base/wrap.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LABEL = 10, RANKS_WIDTH = 3 * 66 };

/* "0-3, 8, 9 (6)": broken at blanks, and cut where it is long. */
static char *print_ranks(const struct tmap_idset *ranks, struct tmap_error *err)
{
	struct tmap_str str = TMAP_STR_INIT;
	int i = 0;

	for (; i < ranks->count && str.length < RANKS_WIDTH; i++) {
		tmap_str_addf(&str, "%s%d", i ? ", " : "", ranks->range[i].first);
		if (ranks->range[i].last > ranks->range[i].first)
			tmap_str_addf(&str, "-%d", ranks->range[i].last);
	}
	tmap_str_addf(&str, "%s (%" PRId64 ")", i < ranks->count ? ", ..." : "",
		      tmap_idset_size(ranks));
	return tmap_str_take(&str, err);
}

int tmap_text_write_lint(FILE *out, const struct tmap_lint *lint,
			 const struct tmap_origin_launcher *launcher, struct tmap_error *err)
{
	char *count;

	if (!lint->count) {
		fprintf(out, "no findings\n");
		return 0;
	}
	count = tmap_lint_print_count(lint, err);
	if (!count)
		return -1;
	fprintf(out, "%s\n", count);
	free(count);
	if (launcher->is_known && launcher->fixes[0])
		fprintf(out, "fixes are for %s, as %s%s\n", launcher->fixes[0]->launcher,
			launcher->why,
			launcher->has_file ?
				";\noptions that they name take the place of its file" :
				"");
	for (int i = 0; i < lint->count; i++) {
		const struct tmap_finding *finding = &lint->finding[i];
		char *ranks = print_ranks(&finding->ranks, err);

		if (!ranks)
			return -1;
		fprintf(out, "\n%s (%s)\n", finding->rule->word.name,
			tmap_keywords_at(&tmap_severities, finding->severity)->name);
		tmap_text_write_wrapped(out, LABEL, "  ranks", ranks);
		tmap_text_write_wrapped(out, LABEL, "  why", finding->reason);
		tmap_text_write_wrapped(out, LABEL, "  fix", finding->fix);
		free(ranks);
	}
	return 0;
}
