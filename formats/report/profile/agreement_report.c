/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/profile/agreement_report.h"

#include "core/cost/profile_trust.h"
#include "formats/json/json_write.h"
#include "formats/text/table.h"

enum {
	DISTANCE,
	BYTES,
	WHAT,
	LEVEL,
	PER,
	A,
	A_LOW,
	A_HIGH,
	A_WIDTH,
	B,
	B_LOW,
	B_HIGH,
	B_WIDTH,
	RATIO,
	AGREES,
	VERDICT
};

static const char *const verdicts[] = {
	[TMAP_AGREEMENT_DIFFERS] = "no",
	[TMAP_AGREEMENT_AGREES] = "yes",
	[TMAP_AGREEMENT_UNKNOWN] = "unknown",
};

static const struct tmap_column columns[] = {
	[DISTANCE] = { "distance", NULL, "distance", TMAP_COLUMN_INT, .is_optional = true },
	[BYTES] = { "bytes", NULL, "bytes", TMAP_COLUMN_SIZE, .is_optional = true },
	[WHAT] = { "shared", NULL, "shared", TMAP_COLUMN_STRING, .is_optional = true },
	[LEVEL] = { "level", NULL, "level", TMAP_COLUMN_STRING, .is_optional = true },
	[PER] = { "per", NULL, "time of", TMAP_COLUMN_STRING },
	[A] = { "a_seconds", NULL, "first", TMAP_COLUMN_SECONDS },
	[A_LOW] = { "a_low_seconds", NULL, NULL, TMAP_COLUMN_SECONDS },
	[A_HIGH] = { "a_high_seconds", NULL, NULL, TMAP_COLUMN_SECONDS },
	[A_WIDTH] = { NULL, NULL, "+-", TMAP_COLUMN_SHARE },
	[B] = { "b_seconds", NULL, "second", TMAP_COLUMN_SECONDS },
	[B_LOW] = { "b_low_seconds", NULL, NULL, TMAP_COLUMN_SECONDS },
	[B_HIGH] = { "b_high_seconds", NULL, NULL, TMAP_COLUMN_SECONDS },
	[B_WIDTH] = { NULL, NULL, "+-", TMAP_COLUMN_SHARE },
	[RATIO] = { "ratio", NULL, "ratio", TMAP_COLUMN_NUMBER, .digits = 2 },
	[AGREES] = { "agrees", NULL, NULL, TMAP_COLUMN_BOOL },
	[VERDICT] = { NULL, NULL, "agree", TMAP_COLUMN_STRING },
};

static void put_value(struct tmap_cell *cell, const struct tmap_agreement_value *value)
{
	cell[0].number = value->value;
	cell[1].number = value->low;
	cell[2].number = value->high;
	cell[3].number = value->value > 0 ? (value->high - value->low) / 2 / value->value : 0;
}

static int agreement_row(const void *subject, int i, struct tmap_cell *cell, struct tmap_error *err)
{
	const struct tmap_agreement_row *row =
		&((const struct tmap_profile_agreement *)subject)->row[i];

	(void)err;
	cell[DISTANCE].count = row->distance;
	cell[BYTES].count = row->bytes;
	cell[DISTANCE].is_empty = cell[BYTES].is_empty = row->what != NULL;
	cell[WHAT].string = row->what;
	cell[WHAT].is_empty = !row->what;
	cell[LEVEL].string = row->level;
	cell[LEVEL].is_empty = !row->level;
	cell[PER].string = !row->what || row->is_message ? "message" : "byte";
	put_value(&cell[A], &row->a);
	put_value(&cell[B], &row->b);
	cell[RATIO].is_empty = row->a.value <= 0;
	cell[RATIO].number = row->a.value > 0 ? row->b.value / row->a.value : 0;
	cell[AGREES].is_empty = row->verdict == TMAP_AGREEMENT_UNKNOWN;
	cell[AGREES].is_true = row->verdict == TMAP_AGREEMENT_AGREES;
	cell[VERDICT].string = verdicts[row->verdict];
	return 0;
}

static struct tmap_table table_of(const struct tmap_profile_agreement *it)
{
	return (struct tmap_table){ .column = columns,
				    .columns = TMAP_COLUMNS(columns),
				    .rows = it->count,
				    .row = agreement_row,
				    .subject = it,
				    .width = 120 };
}

static void write_noise(FILE *out, const struct tmap_profile *profile, const char *which)
{
	const struct tmap_calibration *calibration = profile->calibration;

	if (tmap_profile_is_noisy(profile))
		fprintf(out, "the machine was not quiet when the %s was calibrated, %s\n", which,
			profile->word.name);
	if (calibration && calibration->sharing_ranks)
		fprintf(out, "%d ranks shared a core when the %s was calibrated, %s\n",
			calibration->sharing_ranks, which, profile->word.name);
}

int tmap_text_write_agreement(FILE *out, const struct tmap_profile_agreement *it,
			      struct tmap_error *err)
{
	const struct tmap_table table = table_of(it);

	fprintf(out, "%s and %s agree in %d of %d costs\n", it->a->word.name, it->b->word.name,
		it->count - it->differing - it->unknown, it->count);
	if (it->unknown)
		fprintf(out,
			"%d cost%s not known well enough: an interval reaches further than a factor "
			"of %g from its value\n",
			it->unknown, it->unknown == 1 ? " is" : "s are", TMAP_AGREEMENT_WIDEST);
	if (it->alone)
		fprintf(out, "%d distance%s of one of them alone, and not compared\n", it->alone,
			it->alone == 1 ? " is" : "s are");
	write_noise(out, it->a, "first");
	write_noise(out, it->b, "second");
	fputc('\n', out);
	return tmap_table_write_text(out, &table, err);
}

static void put_profile(struct tmap_json_writer *w, const char *member,
			const struct tmap_profile *profile)
{
	tmap_json_open_line(w, member, '{');
	tmap_json_put_string(w, "name", profile->word.name);
	if (profile->date)
		tmap_json_put_string(w, "date", profile->date);
	if (profile->calibration && profile->calibration->knows_quiet)
		tmap_json_put_bool(w, "quiet", profile->calibration->is_quiet);
	tmap_json_close(w);
}

int tmap_json_write_agreement(FILE *out, const struct tmap_profile_agreement *it,
			      struct tmap_error *err)
{
	const struct tmap_table table = table_of(it);
	struct tmap_json_writer w;

	tmap_json_begin(&w, out, "profile_agreement");
	put_profile(&w, "a", it->a);
	put_profile(&w, "b", it->b);
	tmap_json_put_int(&w, "compared", it->count);
	tmap_json_put_int(&w, "differing", it->differing);
	tmap_json_put_int(&w, "unknown", it->unknown);
	tmap_json_put_int(&w, "distances_alone", it->alone);
	if (tmap_table_put_json(&w, "costs", &table, err) < 0)
		return -1;
	return tmap_json_end(&w, err);
}
