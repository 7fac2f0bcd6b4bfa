/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/score/score_report.h"

#include "core/base/mem.h"
#include "core/base/string.h"
#include "core/base/units.h"
#include "core/machine/overlap.h"
#include "formats/base/amount.h"
#include "formats/base/wrap.h"
#include "formats/machine/json_placement.h"
#include "formats/text/table.h"
#include "formats/text/text_edges.h"
#include "formats/text/text_others.h"
#include "formats/text/text_profile.h"
#include "formats/text/text_sharing.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 79, MOST_NAME = 30, MOST_DEFAULT_NAME = 27, LIBRARY_COLUMNS = 16 };

/* Of an algorithm, and from LEVEL on of an algorithm at a level. */
enum {
	NAME,
	APPLICABLE,
	REASON,
	SECONDS,
	ROUNDS,
	MESSAGES,
	BYTES,
	LEVEL,
	LEVEL_MESSAGES,
	LEVEL_BYTES,
	LEAST_BYTES,
	LOCALITY,
	COLUMN_COUNT
};

static const struct tmap_column columns[COLUMN_COUNT] = {
	[NAME] = { "name", "algorithm", "algorithm", TMAP_COLUMN_STRING, .most = MOST_NAME },
	[APPLICABLE] = { "applicable", NULL, NULL, TMAP_COLUMN_BOOL },
	[REASON] = { "reason", NULL, NULL, TMAP_COLUMN_STRING, .is_optional = true },
	[SECONDS] = { "seconds", "seconds", "time", TMAP_COLUMN_SECONDS, 9 },
	[ROUNDS] = { "rounds", "rounds", "rounds", TMAP_COLUMN_INT, 9 },
	[MESSAGES] = { "messages", "messages", "messages", TMAP_COLUMN_AMOUNT, 9 },
	[BYTES] = { "bytes", "bytes", "bytes", TMAP_COLUMN_BYTES, 9 },
	[LEVEL] = { "name", "level", NULL, TMAP_COLUMN_STRING },
	[LEVEL_MESSAGES] = { "messages", "level_messages", "messages", TMAP_COLUMN_AMOUNT, 6 },
	[LEVEL_BYTES] = { "bytes", "level_bytes", "bytes", TMAP_COLUMN_BYTES, 6 },
	[LEAST_BYTES] = { "least_bytes", "least_bytes", NULL, TMAP_COLUMN_BYTES },
	[LOCALITY] = { "locality", "locality", "locality", TMAP_COLUMN_NUMBER, .digits = 2,
		       .is_joined = true },
};

/* What a library takes by default. */
enum { LIBRARY, LIBRARY_NAME, DEFAULT_NAME, HOW, NUMBER, DEFAULT_SECONDS, SLOWER, BEST };

/* The best that its options select: more of the same row. */
enum { BEST_LIBRARY, BEST_NAME, BEST_SECONDS, GAIN, KNOB, SCOPE, BEST_COLUMNS };

static const struct tmap_column best_columns[BEST_COLUMNS] = {
	[BEST_LIBRARY] = { NULL, NULL, "library", TMAP_COLUMN_STRING, 12 },
	[BEST_NAME] = { "best", NULL, "algorithm", TMAP_COLUMN_STRING, .most = MOST_DEFAULT_NAME,
			.is_optional = true },
	[BEST_SECONDS] = { "best_seconds", NULL, "time", TMAP_COLUMN_SECONDS, 9,
			   .is_optional = true },
	[GAIN] = { "gain", NULL, "times as fast as the default", TMAP_COLUMN_NUMBER, .digits = 2,
		   .is_optional = true },
	[KNOB] = { "knob", NULL, NULL, TMAP_COLUMN_STRING, .is_optional = true },
	[SCOPE] = { "scope", NULL, NULL, TMAP_COLUMN_STRING, .is_optional = true },
};

static const struct tmap_column default_columns[] = {
	[LIBRARY] = { "library", NULL, NULL, TMAP_COLUMN_STRING },
	[LIBRARY_NAME] = { NULL, NULL, "library", TMAP_COLUMN_STRING, 12 },
	[DEFAULT_NAME] = { "algorithm", NULL, "algorithm", TMAP_COLUMN_STRING,
			   .most = MOST_DEFAULT_NAME },
	[HOW] = { "how", NULL, NULL, TMAP_COLUMN_STRING },
	[NUMBER] = { "number", NULL, NULL, TMAP_COLUMN_INT, .is_optional = true },
	[DEFAULT_SECONDS] = { "seconds", NULL, "time", TMAP_COLUMN_SECONDS, 9,
			      .is_optional = true },
	[SLOWER] = { "slower", NULL, "times the best", TMAP_COLUMN_NUMBER, .digits = 2,
		     .is_optional = true },
};

/* A barrier moves messages, but no bytes. */
static void set_bytes(struct tmap_cell *cell, const struct tmap_score *score, int64_t bytes)
{
	cell->count = bytes;
	cell->is_empty = score->collective == TMAP_BARRIER;
}

/* The cells of an algorithm; of one that cannot run, its name and why. */
static int algorithm_row(const void *subject, int i, struct tmap_cell *cell, struct tmap_error *err)
{
	const struct tmap_score *score = subject;
	const struct tmap_score_row *row = &score->row[i];

	(void)err;
	for (int c = SECONDS; c < LEVEL; c++)
		cell[c].is_empty = row->reason != NULL;
	cell[NAME].string = row->name;
	cell[APPLICABLE].is_true = !row->reason;
	cell[REASON].string = row->reason;
	if (row->reason)
		return 0;
	cell[SECONDS].number = row->seconds;
	cell[ROUNDS].count = row->locality.rounds;
	cell[MESSAGES].count = row->locality.messages;
	set_bytes(&cell[BYTES], score, row->locality.bytes);
	return 0;
}

static void set_level(const struct tmap_score *score, const struct tmap_score_row *row, int l,
		      struct tmap_cell *cell)
{
	const struct tmap_crossing *crossing = &row->locality.level[l];

	cell[LEVEL].string = score->levels.level[l].name;
	cell[LEVEL_MESSAGES].count = crossing->messages;
	set_bytes(&cell[LEVEL_BYTES], score, crossing->bytes);
	set_bytes(&cell[LEAST_BYTES], score, crossing->least);
	cell[LOCALITY].number = tmap_locality_at(&row->locality, &row->call, l);
}

/* The rows of CSV: the levels of those that can run, then the others. */
static int level_row(const void *subject, int i, struct tmap_cell *cell, struct tmap_error *err)
{
	const struct tmap_score *score = subject;
	int levels = score->levels.count, lines = score->applicable * levels;
	int at = i < lines ? i / levels : score->applicable + i - lines;

	for (int c = LEVEL; c < COLUMN_COUNT; c++)
		cell[c].is_empty = i >= lines;
	if (i < lines)
		set_level(score, &score->row[at], i % levels, cell);
	return algorithm_row(score, at, cell, err);
}

/* The defaults whose numbers are in a list, or all. */
struct default_rows {
	const struct tmap_score *score;
	const int *number; /* NULL: all */
};

static int default_row(const void *subject, int i, struct tmap_cell *cell, struct tmap_error *err)
{
	const struct default_rows *rows = subject;
	int library = rows->number ? rows->number[i] : i;
	const struct tmap_score_default *it = &rows->score->defaults[library];
	const struct tmap_keyword *word = tmap_keywords_at(&tmap_libraries, (size_t)library);

	(void)err;
	cell[LIBRARY].string = word->name;
	cell[LIBRARY_NAME].string = word->summary;
	cell[DEFAULT_NAME].string = it->name;
	cell[HOW].string = it->answer.how;
	cell[NUMBER].count = it->answer.number;
	cell[NUMBER].is_empty = !it->answer.number;
	cell[DEFAULT_SECONDS].number = it->seconds;
	cell[DEFAULT_SECONDS].is_empty = !it->name;
	cell[SLOWER].number = it->slower;
	cell[SLOWER].is_empty = !it->name;
	return 0;
}

static void set_best(const struct default_rows *rows, int library, struct tmap_cell *cell)
{
	const struct tmap_score_default *it = &rows->score->defaults[library];
	const struct tmap_score_row *row = it->best == TMAP_NONE ? NULL :
								   &rows->score->row[it->best];

	cell[BEST_LIBRARY].string = tmap_keywords_at(&tmap_libraries, (size_t)library)->summary;
	for (int c = BEST_NAME; c < BEST_COLUMNS; c++)
		cell[c].is_empty = !row;
	if (!row)
		return;
	cell[BEST_NAME].string = row->name;
	cell[BEST_SECONDS].number = row->seconds;
	cell[GAIN].number = it->gain;
	cell[GAIN].is_empty = it->gain <= 0;
	cell[KNOB].string = tmap_score_knob(row, library);
	cell[SCOPE].string = it->scope;
}

/* In text a default that is faster than all of them is itself the best. */
static int best_row(const void *subject, int i, struct tmap_cell *cell, struct tmap_error *err)
{
	const struct default_rows *rows = subject;
	const struct tmap_score_default *it = &rows->score->defaults[rows->number[i]];

	(void)err;
	set_best(rows, rows->number[i], cell);
	if (it->gain > 0 && it->gain < 1) {
		cell[BEST_NAME].string = "its default";
		cell[BEST_SECONDS].number = it->seconds;
		cell[GAIN].number = 1;
	}
	return 0;
}

/* For JSON: both of a library in one row. */
static int library_row(const void *subject, int i, struct tmap_cell *cell, struct tmap_error *err)
{
	set_best(subject, i, cell + BEST);
	return default_row(subject, i, cell, err);
}

int tmap_csv_write_score(FILE *out, const struct tmap_score *score, struct tmap_error *err)
{
	const struct tmap_table table = {
		.column = columns,
		.columns = COLUMN_COUNT,
		.rows = score->applicable * score->levels.count + score->count - score->applicable,
		.row = level_row,
		.subject = score,
	};

	return tmap_table_write_csv(out, &table, err);
}

static void put_levels(struct tmap_json_writer *w, const struct tmap_score *score,
		       const struct tmap_score_row *row)
{
	tmap_json_open(w, "levels", '[');
	for (int l = 0; l < row->locality.level_count; l++) {
		struct tmap_cell cell[COLUMN_COUNT] = { 0 };

		set_level(score, row, l, cell);
		tmap_json_open_line(w, NULL, '{');
		tmap_cells_put_json(w, columns + LEVEL, cell + LEVEL, COLUMN_COUNT - LEVEL);
		tmap_json_close(w);
	}
	tmap_json_close(w);
}

static void put_knobs(struct tmap_json_writer *w, const struct tmap_score_row *row)
{
	int since = tmap_call_algorithm(&row->call)->openmpi_since;

	tmap_json_open(w, "knobs", '{');
	tmap_json_put_string(w, "openmpi", row->knobs.openmpi);
	if (row->knobs.openmpi && since)
		tmap_json_put_int(w, "openmpi_since", since);
	tmap_json_put_string(w, "mpich", row->knobs.mpich);
	if (row->mpich_since)
		tmap_json_put_string(w, "mpich_since", row->mpich_since);
	tmap_json_put_string(w, "ucc", row->knobs.ucc);
	tmap_json_close(w);
}

static int put_algorithm(struct tmap_json_writer *w, const struct tmap_score *score, int i,
			 struct tmap_error *err)
{
	struct tmap_cell cell[COLUMN_COUNT] = { 0 };

	if (algorithm_row(score, i, cell, err) < 0)
		return -1;
	tmap_json_open(w, NULL, '{');
	tmap_cells_put_json(w, columns + NAME, cell + NAME, SECONDS - NAME);
	tmap_json_put_bool(w, "selectable",
			   tmap_score_knob(&score->row[i], score->pick.library) != NULL);
	if (!score->row[i].reason) {
		tmap_cells_put_json(w, columns + ROUNDS, cell + ROUNDS, LEVEL - ROUNDS);
		put_levels(w, score, &score->row[i]);
		tmap_cells_put_json(w, columns + SECONDS, cell + SECONDS, 1);
	}
	put_knobs(w, &score->row[i]);
	tmap_json_close(w);
	return 0;
}

/* How far the answer hangs on its costs, and on ranks having cores of their own. */
static int put_others(struct tmap_json_writer *w, const struct tmap_score *score,
		      struct tmap_error *err)
{
	struct tmap_others others;
	int sharing, status = 0;

	if (score->applicable && score->placement->size <= TMAP_OTHERS_MOST_RANKS) {
		if (tmap_others_of_score(&others, score, err) < 0)
			return -1;
		status = tmap_json_put_others(w, &others, err);
		tmap_others_fini(&others);
	}
	if (status < 0 || tmap_overlap_count(&sharing, score->placement, err) < 0)
		return -1;
	tmap_json_put_int(w, "sharing_ranks", sharing);
	return 0;
}

int tmap_json_write_score(FILE *out, const struct tmap_score *score, struct tmap_error *err)
{
	const struct tmap_collective_row *collective = &tmap_collective_rows[score->collective];
	int *listed = tmap_alloc((size_t)score->default_count, sizeof *listed, err);
	const struct default_rows rows = { score, listed };
	struct tmap_column column[BEST + BEST_COLUMNS];
	struct tmap_table defaults = { .column = column,
				       .columns = BEST + BEST_COLUMNS,
				       .row = library_row,
				       .subject = &rows,
				       .is_tall = true };
	struct tmap_json_writer w;
	int status;

	if (!listed)
		return -1;
	for (int i = 0; i < score->default_count; i++)
		if (tmap_library_is_listed(i, &score->pick))
			listed[defaults.rows++] = i;
	memcpy(column, default_columns, sizeof default_columns);
	memcpy(column + BEST, best_columns, sizeof best_columns);
	tmap_json_begin(&w, out, "score");
	tmap_json_put_string(&w, "collective", collective->word.name);
	if (score->collective == TMAP_BARRIER)
		tmap_json_put_null(&w, "bytes");
	else
		tmap_json_put_int(&w, "bytes", score->bytes);
	if (score->element)
		tmap_json_put_int(&w, "element_bytes", score->element);
	else
		tmap_json_put_null(&w, "element_bytes");
	tmap_json_put_int(&w, "size", score->placement->size);
	status = tmap_json_put_world(&w, "ranks", score->placement, err);
	if (status == 0)
		status = tmap_json_put_adapters_chosen(&w, score->placement->machine, err);
	if (collective->has_root)
		tmap_json_put_int(&w, "root", score->root);
	tmap_json_put_profile_choice(&w, score->profile);
	tmap_json_put_string(&w, "library",
			     tmap_keywords_at(&tmap_libraries, (size_t)score->pick.library)->name);
	tmap_json_put_string(&w, "library_reason", tmap_library_pick_reason(&score->pick));
	tmap_json_put_int(&w, "library_element_bytes",
			  score->element ? score->element :
					   tmap_library_element(score->collective, score->bytes));
	tmap_json_open(&w, "algorithms", '[');
	for (int i = 0; i < score->count && status == 0; i++)
		status = put_algorithm(&w, score, i, err);
	tmap_json_close(&w);
	if (status == 0)
		status = tmap_table_put_json(&w, "defaults", &defaults, err);
	free(listed);
	return status < 0 || put_others(&w, score, err) < 0 ? -1 : tmap_json_end(&w, err);
}

static int write_head(FILE *out, const struct tmap_score *score, struct tmap_error *err)
{
	const struct tmap_collective_row *row = &tmap_collective_rows[score->collective];
	char *where, bytes[TMAP_UNITS_ROOM];

	where = tmap_text_where(score->placement, err);
	if (!where)
		return -1;
	tmap_units_print_bytes(score->bytes, bytes);
	fputs(row->word.name, out);
	if (score->collective != TMAP_BARRIER)
		fprintf(out, " of %s%s%s", bytes, strchr(bytes, 'i') ? "" : " B",
			row->cuts_vector ? "" : " a rank");
	if (score->element)
		fprintf(out, ", elements of %lld B", (long long)score->element);
	if (row->has_root)
		fprintf(out, ", root %d", score->root);
	fprintf(out, ": %s\n", where);
	tmap_text_write_profile(out, score->profile);
	free(where);
	return tmap_text_write_sharing_of(out, score->placement, score->profile, err);
}

/* The list with marks before the names of those that the library can be set to. */
struct marked {
	const struct tmap_score *score;
	char **name; /* "* ring", "  swing" */
};

static int marked_row(const void *subject, int i, struct tmap_cell *cell, struct tmap_error *err)
{
	const struct marked *marked = subject;

	if (algorithm_row(marked->score, i, cell, err) < 0)
		return -1;
	cell[NAME].string = marked->name[i];
	return 0;
}

static int write_marked(FILE *out, const struct marked *marked, struct tmap_error *err)
{
	const struct tmap_score *score = marked->score;
	struct tmap_column column[LEVEL];
	const struct tmap_table table = {
		.column = column,
		.columns = LEVEL,
		.rows = score->applicable,
		.row = marked_row,
		.subject = marked,
		.hidden = score->collective == TMAP_BARRIER ? UINT64_C(1) << BYTES : 0,
	};

	memcpy(column, columns, sizeof column);
	column[NAME].heading = "  algorithm";
	column[NAME].most += 2;
	return tmap_table_write_text(out, &table, err);
}

static int write_algorithms(FILE *out, const struct tmap_score *score, struct tmap_error *err)
{
	struct marked marked = { score,
				 tmap_alloc((size_t)score->applicable, sizeof *marked.name, err) };
	int status = marked.name ? 0 : -1;

	for (int i = 0; i < score->applicable && status == 0; i++) {
		const struct tmap_score_row *row = &score->row[i];
		bool selects = tmap_score_knob(row, score->pick.library) != NULL;

		marked.name[i] = tmap_format(err, "%s%s", selects ? "* " : "  ", row->name);
		status = marked.name[i] ? 0 : -1;
	}
	fputc('\n', out);
	if (status == 0)
		status = write_marked(out, &marked, err);
	for (int i = 0; marked.name && i < score->applicable; i++)
		free(marked.name[i]);
	free(marked.name);
	if (status == 0 && score->defaults[score->pick.library].best != TMAP_NONE)
		fprintf(out, "\n* options of %s select it\n",
			tmap_keywords_at(&tmap_libraries, (size_t)score->pick.library)->summary);
	return status;
}

/* An algorithm with its levels side by side: what crosses a level, and the locality. */
static int crossing_row(const void *subject, int i, struct tmap_cell *cell, struct tmap_error *err)
{
	const struct tmap_score *score = subject;
	bool is_barrier = score->collective == TMAP_BARRIER;

	(void)err;
	cell[0].string = score->row[i].name;
	for (int l = 0; l < score->levels.count; l++) {
		struct tmap_cell all[COLUMN_COUNT] = { 0 };

		set_level(score, &score->row[i], l, all);
		cell[1 + 2 * l] = all[is_barrier ? LEVEL_MESSAGES : LEVEL_BYTES];
		cell[2 + 2 * l] = all[LOCALITY];
	}
	return 0;
}

static int write_crossings(FILE *out, const struct tmap_score *score, struct tmap_error *err)
{
	bool is_barrier = score->collective == TMAP_BARRIER;
	int count = 1 + 2 * score->levels.count, status;
	struct tmap_column *column = tmap_alloc((size_t)count, sizeof *column, err);
	const struct tmap_table table = { .column = column,
					  .columns = count,
					  .rows = score->applicable,
					  .row = crossing_row,
					  .subject = score,
					  .indent = 2 };

	if (!column)
		return -1;
	column[0] = columns[NAME];
	column[0].heading = "";
	for (int l = 0; l < score->levels.count; l++) {
		column[1 + 2 * l] = columns[is_barrier ? LEVEL_MESSAGES : LEVEL_BYTES];
		column[1 + 2 * l].heading = score->levels.level[l].name;
		column[2 + 2 * l] = columns[LOCALITY];
	}
	fprintf(out,
		"\n%s that cross each level, and locality (the least possible / that; 1 is "
		"best)\n\n",
		is_barrier ? "Messages" : "Bytes");
	status = tmap_table_write_text(out, &table, err);
	free(column);
	return status;
}

static void write_reasons(FILE *out, const struct tmap_score *score)
{
	if (score->applicable < score->count)
		fputs("\nCannot run here\n", out);
	for (int i = score->applicable; i < score->count; i++)
		tmap_text_write_wrapped(out, 2, "", score->row[i].reason);
}

/* What is known where a library's default is none of our algorithms. */
static void write_unknown(FILE *out, const char *library, bool is_one_rank, const char *how)
{
	char label[LIBRARY_COLUMNS + 16];

	snprintf(label, sizeof label, "  %-12s  %s", library, is_one_rank ? "" : "unknown:");
	tmap_text_write_wrapped(out, LIBRARY_COLUMNS + (is_one_rank ? 0 : 9), label, how);
}

static int write_defaults(FILE *out, const struct tmap_score *score, struct tmap_error *err)
{
	int *known = tmap_alloc((size_t)score->default_count, sizeof *known, err), status = 0;
	const struct default_rows rows = { score, known };
	struct tmap_table table = { .column = default_columns,
				    .columns = TMAP_COLUMNS(default_columns),
				    .row = default_row,
				    .subject = &rows,
				    .indent = 2 };

	if (!known)
		return -1;
	for (int i = 0; i < score->default_count; i++)
		if (score->defaults[i].name && tmap_library_is_listed(i, &score->pick))
			known[table.rows++] = i;
	fputs("\nDefault algorithms of the libraries", out);
	if (tmap_collective_rows[score->collective].reduces && !score->element)
		fprintf(out, ", for elements of %lld B",
			(long long)tmap_library_element(score->collective, score->bytes));
	fputc('\n', out);
	if (table.rows)
		status = tmap_table_write_text(out, &table, err);
	for (int i = 0; i < score->default_count; i++)
		if (!score->defaults[i].name && tmap_library_is_listed(i, &score->pick))
			write_unknown(out, tmap_keywords_at(&tmap_libraries, (size_t)i)->summary,
				      score->placement->size == 1, score->defaults[i].answer.how);
	free(known);
	return status;
}

/* The blank before the next option of mpirun, or the next variable. */
static const char *find_break(const char *knob)
{
	const char *option = strstr(knob, " --"), *variable = strstr(knob, " MPIR_");

	return !option || (variable && variable < option) ? variable : option;
}

/* An option or a variable a line where they are too long for one. */
static void write_knob(FILE *out, const char *knob)
{
	const char *next = strlen(knob) > COLUMNS - 2 ? find_break(knob) : NULL;

	fputs("  ", out);
	for (; next; next = find_break(knob)) {
		fprintf(out, "%.*s \\\n%4s", (int)(next - knob), knob, "");
		knob = next + 1;
	}
	fprintf(out, "%s\n", knob);
}

/* A name that is printed with parameters has others than the preset ones. */
static bool names_are_preset(const struct tmap_score *score)
{
	for (int i = 0; i < score->count; i++)
		if (strchr(score->row[i].name, ','))
			return false;
	return true;
}

static int write_best(FILE *out, const struct tmap_score *score, struct tmap_error *err)
{
	int *known = tmap_alloc((size_t)score->default_count, sizeof *known, err), status = 0;
	const struct default_rows rows = { score, known };
	struct tmap_table table = { .column = best_columns,
				    .columns = BEST_COLUMNS,
				    .row = best_row,
				    .subject = &rows,
				    .indent = 2 };

	if (!known)
		return -1;
	for (int i = 0; i < score->default_count; i++)
		if (score->defaults[i].best != TMAP_NONE && tmap_library_is_listed(i, &score->pick))
			known[table.rows++] = i;
	if (table.rows) {
		fprintf(out, "\nThe best that their options select%s\n",
			names_are_preset(score) ? ", parameters as preset" : "");
		status = tmap_table_write_text(out, &table, err);
	}
	free(known);
	return status;
}

/* How the library is set, and what else that changes; or that it needs no setting. */
static int write_knobs(FILE *out, const struct tmap_score *score, struct tmap_error *err)
{
	const char *library =
		tmap_keywords_at(&tmap_libraries, (size_t)score->pick.library)->summary;
	const struct tmap_score_default *it = &score->defaults[score->pick.library];
	const struct tmap_score_row *row = it->best == TMAP_NONE ? NULL : &score->row[it->best];
	struct tmap_str text = TMAP_STR_INIT;
	const char *knob;

	if (!score->applicable || score->placement->size == 1)
		return 0;
	tmap_str_addf(&text, "%s (%s)", library, tmap_library_pick_reason(&score->pick));
	fputc('\n', out);
	if (!row || (it->name && it->seconds <= row->seconds)) {
		tmap_str_addf(
			&text, "%s",
			!row ? ": no options select any of these" :
			       ": none of these that its options select is faster than its default");
		return tmap_text_write_wrapped_str(out, 0, "", &text, err);
	}
	knob = tmap_score_knob(row, score->pick.library);
	tmap_str_addf(&text,
		      it->name ? ": to use %s" :
				 ": its default is not known, and so is not whether %s, the best "
				 "that its options select, is faster; to try it",
		      row->name);
	if (knob == row->knobs.mpich && row->mpich_since)
		tmap_str_addf(&text, " (from %s on)", row->mpich_since);
	if (tmap_text_write_wrapped_str(out, 0, "", &text, err) < 0)
		return -1;
	write_knob(out, knob);
	tmap_str_addf(&text, "which holds %s", it->scope);
	return tmap_text_write_wrapped_str(out, 2, "", &text, err);
}

/* What other published profiles would choose. */
static int write_others(FILE *out, const struct tmap_score *score, struct tmap_error *err)
{
	struct tmap_others others;
	int status;

	if (!score->applicable || score->placement->size < 2)
		return 0;
	if (score->placement->size > TMAP_OTHERS_MOST_RANKS) {
		fputc('\n', out);
		tmap_text_write_others_limit(out, TMAP_OTHERS_MOST_RANKS, "choose");
		return 0;
	}
	if (tmap_others_of_score(&others, score, err) < 0)
		return -1;
	if (others.candidates == 1 && others.asked)
		fputc('\n', out);
	status = tmap_text_write_others(out, &others, err);
	tmap_others_fini(&others);
	return status;
}

int tmap_text_write_score(FILE *out, const struct tmap_score *score, struct tmap_error *err)
{
	if (write_head(out, score, err) < 0)
		return -1;
	if (score->applicable > 0 &&
	    (write_algorithms(out, score, err) < 0 || write_crossings(out, score, err) < 0))
		return -1;
	write_reasons(out, score);
	if (write_defaults(out, score, err) < 0)
		return -1;
	if (write_best(out, score, err) < 0 || write_knobs(out, score, err) < 0)
		return -1;
	return write_others(out, score, err);
}
