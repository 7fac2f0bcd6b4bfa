/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/times/measured_report.h"

#include "core/base/string.h"
#include "core/base/units.h"
#include "formats/base/wrap.h"
#include "formats/json/json_write.h"
#include "formats/report/times/times_caveats.h"
#include "formats/report/times/times_report.h"
#include "formats/text/table.h"
#include "formats/text/text_profile.h"

#include <string.h>

enum {
	COLLECTIVE,
	ROOT,
	STENCIL,
	CART,
	PERIODS,
	ORDER,
	BYTES,
	NAME,
	OWN,
	AS,
	PREDICTED,
	MEASURED,
	RATIO,
	LOW,
	HIGH
};

static const struct tmap_column columns[] = {
	[COLLECTIVE] = { NULL, "collective", NULL, TMAP_COLUMN_STRING },
	[ROOT] = { NULL, "root", NULL, TMAP_COLUMN_INT },
	[STENCIL] = { NULL, "stencil", NULL, TMAP_COLUMN_STRING },
	[CART] = { NULL, "cart", NULL, TMAP_COLUMN_STRING },
	[PERIODS] = { NULL, "periods", NULL, TMAP_COLUMN_STRING },
	[ORDER] = { NULL, "order", NULL, TMAP_COLUMN_STRING },
	[BYTES] = { NULL, "bytes", NULL, TMAP_COLUMN_SIZE },
	[NAME] = { "name", "algorithm", "algorithm", TMAP_COLUMN_STRING, .most = 50 },
	[OWN] = { "own", "own", NULL, TMAP_COLUMN_BOOL },
	[AS] = { "predicted_as", "predicted_as", NULL, TMAP_COLUMN_STRING },
	[PREDICTED] = { "predicted_seconds", "predicted_seconds", "predicted", TMAP_COLUMN_SECONDS,
			9 },
	[MEASURED] = { "measured_seconds", "measured_seconds", "measured", TMAP_COLUMN_SECONDS, 9 },
	[RATIO] = { "ratio", "ratio", "measured / predicted", TMAP_COLUMN_NUMBER, .digits = 2 },
	[LOW] = { "ci_low_seconds", "ci_low_seconds", NULL, TMAP_COLUMN_SECONDS },
	[HIGH] = { "ci_high_seconds", "ci_high_seconds", NULL, TMAP_COLUMN_SECONDS },
};

static void row_fill(const struct tmap_measured_row *row, struct tmap_cell *cell)
{
	double seconds = row->experiment->seconds.median;

	cell[BYTES].count = row->experiment->bytes;
	cell[NAME].string = row->experiment->algorithm;
	cell[OWN].is_true = row->is_own;
	cell[AS].string = row->algorithm;
	cell[PREDICTED].number = row->seconds;
	cell[PREDICTED].is_empty = !row->is_predicted;
	cell[MEASURED].number = seconds;
	cell[LOW].number = row->experiment->seconds.low;
	cell[HIGH].number = row->experiment->seconds.high;
	cell[LOW].is_empty = cell[HIGH].is_empty = !row->experiment->seconds.has_interval;
	cell[RATIO].is_empty = !row->is_predicted || row->seconds <= 0;
	cell[RATIO].number = cell[RATIO].is_empty ? 0 : seconds / row->seconds;
}

static int size_row(const void *subject, int i, struct tmap_cell *cell, struct tmap_error *err)
{
	(void)err;
	row_fill(&((const struct tmap_measured_size *)subject)->row[i], cell);
	return 0;
}

static bool has_neighbors(const struct tmap_measured *measured, int count)
{
	for (int i = 0; i < count; i++)
		if (tmap_collective_rows[measured[i].collective].has_neighbors)
			return true;
	return false;
}

/* Rows of measured[...], one after the other. */
static int any_row(const void *subject, int i, struct tmap_cell *cell, struct tmap_error *err)
{
	const struct tmap_measured *measured = subject;
	const struct tmap_times_neighborhood *on;

	(void)err;
	for (; i >= measured->row_count; measured++)
		i -= measured->row_count;
	cell[COLLECTIVE].string = tmap_collective_rows[measured->collective].word.name;
	cell[ROOT].count = measured->root;
	if (tmap_collective_rows[measured->collective].has_neighbors) {
		on = &measured->times->neighborhood;
		cell[STENCIL].string = on->stencil;
		cell[CART].string = on->cart;
		cell[PERIODS].string = on->periods;
		cell[ORDER].string = on->order;
	}
	row_fill(&measured->row[i], cell);
	return 0;
}

/* The columns of neighbors are there where a collective has some. */
static int csv_write(FILE *out, const struct tmap_measured *measured, int count, bool is_one,
		     struct tmap_error *err)
{
	struct tmap_column column[TMAP_COLUMNS(columns)];
	struct tmap_table table = { .column = column,
				    .columns = TMAP_COLUMNS(columns),
				    .row = any_row,
				    .subject = measured };

	memcpy(column, columns, sizeof columns);
	if (is_one)
		column[COLLECTIVE].field = column[ROOT].field = NULL;
	for (int c = STENCIL; c <= ORDER && !has_neighbors(measured, count); c++)
		column[c].field = NULL;
	for (int i = 0; i < count; i++)
		table.rows += measured[i].row_count;
	return tmap_table_write_csv(out, &table, err);
}

int tmap_csv_write_measured(FILE *out, const struct tmap_measured *measured, struct tmap_error *err)
{
	return csv_write(out, measured, 1, true, err);
}

int tmap_csv_write_all_measured(FILE *out, const struct tmap_measured *measured, int count,
				struct tmap_error *err)
{
	return csv_write(out, measured, count, false, err);
}

static struct tmap_table table_of(const struct tmap_measured_size *size)
{
	return (struct tmap_table){ .column = columns,
				    .columns = TMAP_COLUMNS(columns),
				    .rows = size->count,
				    .row = size_row,
				    .subject = size,
				    .width = TMAP_TABLE_ANY_WIDTH };
}

/* Is it predicted to be as fast as the first choice? */
static bool is_alike(const struct tmap_measured_size *size, int row)
{
	return size->row[row].seconds <= size->row[size->agreement.first_choice].seconds;
}

/* So many names a line has room for. */
enum { ALIKE_MOST = 4 };

/* "rabenseifner, swing, circulant alike; the slowest of them, circulant" */
static void first_choice_add(struct tmap_str *text, const struct tmap_measured_size *size)
{
	int count = 0;

	for (int i = 0; i < size->own_count; i++)
		count += is_alike(size, i);
	for (int i = 0, at = 0; i < size->own_count && count > 1; i++)
		if (is_alike(size, i) && at++ < ALIKE_MOST)
			tmap_str_addf(text, "%s%s", at > 1 ? ", " : "",
				      size->row[i].experiment->algorithm);
	if (count > ALIKE_MOST)
		tmap_str_addf(text, " and %d more", count - ALIKE_MOST);
	tmap_str_addf(text, "%s%s", count > 1 ? " alike; the slowest of them, " : "",
		      size->row[size->agreement.first_choice].experiment->algorithm);
}

/* How many times as fast the library is as the best of topomap's algorithms. */
static double faster_ratio(const struct tmap_measured_size *size)
{
	return size->row[size->agreement.best].experiment->seconds.median /
		size->row[size->faster].experiment->seconds.median;
}

/* What the choice came to: the best of all where the library has nothing faster. */
static void best_add(struct tmap_str *text, const struct tmap_measured_size *size)
{
	const struct tmap_agreement *it = &size->agreement;
	const char *best = size->row[it->best].experiment->algorithm;
	bool is_best = size->faster == TMAP_NONE;

	if (it->first_choice == it->best)
		tmap_str_add(text,
			     is_best ? ", measured best, too" :
				       ", the best of topomap's algorithms");
	else
		tmap_str_addf(text, ", %.2f times the %s, %s%s", it->regret,
			      is_best ? "measured best" : "best of topomap's algorithms", best,
			      it->is_tied ? ", within the intervals of both" : "");
}

static int agreement_write(FILE *out, const struct tmap_measured_size *size, struct tmap_error *err)
{
	const struct tmap_agreement *it = &size->agreement;
	const char *best = size->row[it->best].experiment->algorithm;
	struct tmap_str choice = TMAP_STR_INIT;

	if (size->own_count == 1) {
		tmap_str_addf(&choice, "Of topomap's algorithms only %s is compared", best);
	} else {
		tmap_str_add(&choice, "First choice: ");
		first_choice_add(&choice, size);
		best_add(&choice, size);
	}
	if (size->faster != TMAP_NONE)
		tmap_str_addf(&choice, "; %s is %.3g times as fast as %s",
			      size->row[size->faster].experiment->algorithm, faster_ratio(size),
			      best);
	tmap_str_add(&choice, ".");
	if (tmap_text_write_wrapped_str(out, 0, "", &choice, err) < 0)
		return -1;
	if (it->has_rho)
		fprintf(out, "Spearman's rho: %.2f.\n", it->rho);
	fprintf(out, "Largest ratio of measured and predicted, either way: %.1f.\n", it->ratio);
	return 0;
}

static void way_write(FILE *out, const struct tmap_measured *measured, int count)
{
	if (tmap_measured_runs_ahead(measured, count))
		fputs("topomap's algorithms ran as their data allow; predicted times end each "
		      "round\nbefore the next one, so their order may be another (measure with "
		      "--by-rounds)\n",
		      out);
}

static int subject_write(FILE *out, const struct tmap_measured *measured, struct tmap_error *err)
{
	const struct tmap_collective_row *collective = &tmap_collective_rows[measured->collective];

	for (int s = 0; s < measured->count; s++) {
		const struct tmap_measured_size *size = &measured->size[s];
		const struct tmap_table table = table_of(size);
		char bytes[TMAP_UNITS_ROOM];

		fprintf(out, "%s%s", s ? "\n" : "", collective->word.name);
		if (measured->collective != TMAP_BARRIER)
			fprintf(out, " of %s%s", tmap_units_print_size(size->bytes, bytes),
				collective->cuts_vector ? "" : " a rank");
		if (collective->has_root)
			fprintf(out, ", root %d", measured->root);
		fprintf(out, "\n\n");
		if (tmap_table_write_text(out, &table, err) < 0)
			return -1;
		fputc('\n', out);
		if (!size->own_count)
			fputs("Nothing is compared: no algorithm of topomap was measured and "
			      "predicted.\n",
			      out);
		else if (agreement_write(out, size, err) < 0)
			return -1;
	}
	return 0;
}

int tmap_text_write_measured(FILE *out, const struct tmap_measured *measured, int count,
			     struct tmap_error *err)
{
	if (tmap_text_write_times_heading(out, measured->times, err) < 0)
		return -1;
	way_write(out, measured, count);
	tmap_text_write_profile(out, measured->profile);
	for (int i = 0; i < count; i++) {
		fputc('\n', out);
		if (subject_write(out, &measured[i], err) < 0)
			return -1;
	}
	tmap_text_write_interrupted(out, measured->times);
	return 0;
}

/* The first choice, and what is predicted to be as fast. */
static void put_alike(struct tmap_json_writer *w, const struct tmap_measured_size *size)
{
	if (!size->own_count) {
		tmap_json_put_null(w, "predicted_alike");
		return;
	}
	tmap_json_open_line(w, "predicted_alike", '[');
	for (int i = 0; i < size->own_count; i++)
		if (is_alike(size, i))
			tmap_json_put_string(w, NULL, size->row[i].experiment->algorithm);
	tmap_json_close(w);
}

static int put_size(struct tmap_json_writer *w, const struct tmap_measured_size *size,
		    struct tmap_error *err)
{
	const struct tmap_agreement *it = &size->agreement;
	const struct tmap_table table = table_of(size);
	bool agrees = size->own_count > 0;

	tmap_json_open(w, NULL, '{');
	tmap_json_put_int(w, "bytes", size->bytes);
	tmap_json_put_string(w, "first_choice",
			     agrees ? size->row[it->first_choice].experiment->algorithm : NULL);
	put_alike(w, size);
	tmap_json_put_string(w, "best", agrees ? size->row[it->best].experiment->algorithm : NULL);
	if (agrees) {
		tmap_json_put_double(w, "regret", it->regret);
		tmap_json_put_bool(w, "tied", it->is_tied);
		tmap_json_put_double(w, "largest_ratio", it->ratio);
	} else {
		tmap_json_put_null(w, "regret");
		tmap_json_put_bool(w, "tied", false);
		tmap_json_put_null(w, "largest_ratio");
	}
	if (agrees && size->faster != TMAP_NONE) {
		tmap_json_put_string(w, "faster", size->row[size->faster].experiment->algorithm);
		tmap_json_put_double(w, "faster_ratio", faster_ratio(size));
	} else {
		tmap_json_put_null(w, "faster");
		tmap_json_put_null(w, "faster_ratio");
	}
	if (agrees && it->has_rho)
		tmap_json_put_double(w, "rho", it->rho);
	else
		tmap_json_put_null(w, "rho");
	if (tmap_table_put_json(w, "algorithms", &table, err) < 0)
		return -1;
	tmap_json_close(w);
	return 0;
}

static void put_subject(struct tmap_json_writer *w, const struct tmap_measured *measured)
{
	tmap_json_put_string(w, "collective", tmap_collective_rows[measured->collective].word.name);
	tmap_json_put_int(w, "root", measured->root);
}

static int put_job(struct tmap_json_writer *w, const struct tmap_measured *measured, int count,
		   struct tmap_error *err)
{
	struct tmap_times_caveats caveats;

	if (tmap_times_caveats_find(&caveats, measured->times, 1, err) < 0)
		return -1;
	tmap_json_put_int(w, "size", measured->ranks);
	if (has_neighbors(measured, count))
		tmap_json_put_neighborhood(w, &measured->times->neighborhood);
	if (measured->times->says_rounds)
		tmap_json_put_bool(w, "by_rounds", measured->times->by_rounds);
	tmap_json_put_times_caveats(w, &caveats);
	tmap_json_put_profile_choice(w, measured->profile);
	return 0;
}

static int put_sizes(struct tmap_json_writer *w, const struct tmap_measured *measured,
		     struct tmap_error *err)
{
	tmap_json_open(w, "sizes", '[');
	for (int s = 0; s < measured->count; s++)
		if (put_size(w, &measured->size[s], err) < 0)
			return -1;
	tmap_json_close(w);
	return 0;
}

int tmap_json_write_measured(FILE *out, const struct tmap_measured *measured,
			     struct tmap_error *err)
{
	struct tmap_json_writer w;

	tmap_json_begin(&w, out, "measured");
	put_subject(&w, measured);
	return put_job(&w, measured, 1, err) < 0 || put_sizes(&w, measured, err) < 0 ?
		-1 :
		tmap_json_end(&w, err);
}

int tmap_json_write_all_measured(FILE *out, const struct tmap_measured *measured, int count,
				 struct tmap_error *err)
{
	struct tmap_json_writer w;

	tmap_json_begin(&w, out, "measured_collectives");
	if (put_job(&w, measured, count, err) < 0)
		return -1;
	tmap_json_open(&w, "collectives", '[');
	for (int i = 0; i < count; i++) {
		tmap_json_open(&w, NULL, '{');
		put_subject(&w, &measured[i]);
		if (put_sizes(&w, &measured[i], err) < 0)
			return -1;
		tmap_json_close(&w);
	}
	tmap_json_close(&w);
	return tmap_json_end(&w, err);
}
