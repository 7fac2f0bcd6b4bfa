/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/text/text_others.h"

#include "core/base/string.h"
#include "formats/base/amount.h"
#include "formats/base/wrap.h"

enum { COLUMNS = 18 };

static int write_range(FILE *out, const struct tmap_others *others, struct tmap_error *err)
{
	char least[TMAP_SECONDS_ROOM], most[TMAP_SECONDS_ROOM];
	struct tmap_str text = TMAP_STR_INIT;

	tmap_str_addf(&text, "By other published costs %s takes %s (%s) to %s (%s).",
		      others->chosen, tmap_seconds_print(others->least_s, least),
		      others->least->word.name, tmap_seconds_print(others->most_s, most),
		      others->most->word.name);
	return tmap_text_write_wrapped_str(out, 0, "", &text, err);
}

int tmap_text_write_others(FILE *out, const struct tmap_others *others, struct tmap_error *err)
{
	struct tmap_str text = TMAP_STR_INIT;
	char label[COLUMNS + 1];

	if (!others->asked)
		return 0;
	if (others->candidates < 2)
		return write_range(out, others, err);
	fputs("\nOther published costs choose\n", out);
	for (int i = 0; i < others->count; i++) {
		const struct tmap_other *other = &others->other[i];

		snprintf(label, sizeof label, "  %s", other->profile->word.name);
		tmap_str_addf(&text, "%s, %.3g times as fast as %s", other->best, other->slower,
			      others->chosen);
		if (tmap_text_write_wrapped_str(out, COLUMNS, label, &text, err) < 0)
			return -1;
	}
	if (others->count < others->asked)
		fprintf(out, "  %-16s%s, too\n", others->count ? "the others" : "all of them",
			others->chosen);
	return 0;
}

void tmap_text_write_others_limit(FILE *out, int most_ranks, const char *does)
{
	fprintf(out, "Above %d ranks, --profile NAME says what other published costs %s.\n",
		most_ranks, does);
}
