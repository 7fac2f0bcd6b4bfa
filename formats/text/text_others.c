/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/text/text_others.h"

#include "core/base/string.h"
#include "formats/base/amount.h"
#include "formats/base/wrap.h"
#include "formats/text/table.h"

enum { COLUMNS = 18 };

/* How far the time goes; @p is_list: under the list of what they choose. */
static int write_range(FILE *out, const struct tmap_others *others, bool is_list,
		       struct tmap_error *err)
{
	char least[TMAP_SECONDS_ROOM], most[TMAP_SECONDS_ROOM];
	struct tmap_str text = TMAP_STR_INIT;

	tmap_str_addf(&text, "%s%s takes %s (%s) to %s (%s)%s",
		      is_list ? "" : "By other published costs ", others->chosen,
		      tmap_seconds_print(others->least_s, least), others->least->word.name,
		      tmap_seconds_print(others->most_s, most), others->most->word.name,
		      is_list ? "" : ".");
	return tmap_text_write_wrapped_str(out, is_list ? 2 : 0, "", &text, err);
}

int tmap_text_write_others(FILE *out, const struct tmap_others *others, struct tmap_error *err)
{
	struct tmap_str text = TMAP_STR_INIT;
	char label[COLUMNS + 1];

	if (!others->asked)
		return 0;
	if (others->candidates < 2)
		return write_range(out, others, false, err);
	fputs("\nOther published costs choose\n", out);
	for (int i = 0; i < others->asked; i++) {
		const struct tmap_other *other = &others->other[i];

		if (!other->is_else)
			continue;
		snprintf(label, sizeof label, "  %s", other->profile->word.name);
		tmap_str_addf(&text, "%s, %.3g times as fast as %s", other->best, other->slower,
			      others->chosen);
		if (tmap_text_write_wrapped_str(out, COLUMNS, label, &text, err) < 0)
			return -1;
	}
	if (others->count < others->asked)
		fprintf(out, "  %-16s%s, too\n", others->count ? "the others" : "all of them",
			others->chosen);
	return write_range(out, others, true, err);
}

static const struct tmap_column columns[] = {
	{ "name", .kind = TMAP_COLUMN_STRING },
	{ "algorithm", .kind = TMAP_COLUMN_STRING },
	{ "seconds", .kind = TMAP_COLUMN_SECONDS },
	{ "chosen_seconds", .kind = TMAP_COLUMN_SECONDS },
};

static int other_row(const void *subject, int i, struct tmap_cell *cell, struct tmap_error *err)
{
	const struct tmap_other *other = &((const struct tmap_others *)subject)->other[i];

	(void)err;
	cell[0].string = other->profile->word.name;
	cell[1].string = other->best;
	cell[2].number = other->best_s;
	cell[3].number = other->chosen_s;
	return 0;
}

int tmap_json_put_others(struct tmap_json_writer *w, const struct tmap_others *others,
			 struct tmap_error *err)
{
	const struct tmap_table table = { .column = columns,
					  .columns = TMAP_COLUMNS(columns),
					  .rows = others->asked,
					  .row = other_row,
					  .subject = others };

	return tmap_table_put_json(w, "other_costs", &table, err);
}

void tmap_text_write_others_limit(FILE *out, int most_ranks, const char *does)
{
	fprintf(out, "Above %d ranks, --profile NAME says what other published costs %s.\n",
		most_ranks, does);
}
