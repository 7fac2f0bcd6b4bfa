/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/guidelines/guidelines_report.h"

#include "core/base/mem.h"
#include "core/base/string.h"
#include "core/base/units.h"
#include "core/cost/profile_same.h"
#include "core/library/library.h"
#include "formats/base/wrap.h"
#include "formats/machine/json_placement.h"
#include "formats/text/table.h"
#include "formats/text/text_edges.h"
#include "formats/text/text_others.h"
#include "formats/text/text_profile.h"
#include "formats/text/text_sharing.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { PART_COLUMNS = 35 };

/* A line of a guideline: its predicted or its measured times. */
enum { NAME, NATIVE, MOCKUP, RATIO, VIOLATED, MARK, COLUMN_COUNT };

static const struct tmap_column columns[COLUMN_COUNT] = {
	[NAME] = { NULL, NULL, "guideline", TMAP_COLUMN_STRING, 46 },
	[NATIVE] = { "native_seconds", NULL, "native", TMAP_COLUMN_SECONDS, 8 },
	[MOCKUP] = { "mockup_seconds", NULL, "mock-up", TMAP_COLUMN_SECONDS, 8 },
	[RATIO] = { "ratio", NULL, "ratio", TMAP_COLUMN_NUMBER, 6, .digits = -3,
		    .is_optional = true },
	[VIOLATED] = { "violated", NULL, NULL, TMAP_COLUMN_BOOL, .is_optional = true },
	[MARK] = { NULL, NULL, "", TMAP_COLUMN_STRING, .is_optional = true },
};

static void set_times(struct tmap_cell *cell, const char *name, double native, double mockup,
		      const char *mark)
{
	double ratio = tmap_guideline_ratio(native, mockup);

	cell[NAME].string = name;
	cell[NATIVE].number = native;
	cell[MOCKUP].number = mockup;
	cell[RATIO].number = ratio;
	cell[MARK].string = ratio > TMAP_GUIDELINE_TOLERANCE ? mark : NULL;
}

static void set_predicted(struct tmap_cell *cell, const struct tmap_guideline *guideline)
{
	set_times(cell, guideline->name, guideline->native.seconds, guideline->mockup_seconds,
		  tmap_guideline_is_guess(guideline) ? "(?)" : "?");
	cell[VIOLATED].is_empty = true;
}

static void set_measured(struct tmap_cell *cell, const struct tmap_guideline *guideline)
{
	if (guideline->is_measured) {
		set_times(cell, "  measured", guideline->measured_native_s,
			  guideline->measured_mockup_s, "!");
		cell[VIOLATED].is_true = tmap_guideline_is_violated(guideline);
	} else {
		for (int c = NATIVE; c < MARK; c++)
			cell[c].is_empty = true;
	}
}

/* The lines of the text: those of guidelines that hold here, each with its measured times. */
struct guideline_line {
	const struct tmap_guideline *guideline;
	bool is_measured;
};

static int line_row(const void *subject, int i, struct tmap_cell *cell, struct tmap_error *err)
{
	const struct guideline_line *line = subject;

	(void)err;
	if (line[i].is_measured)
		set_measured(cell, line[i].guideline);
	else
		set_predicted(cell, line[i].guideline);
	return 0;
}

static int write_lines(FILE *out, const struct tmap_guidelines *it, struct tmap_error *err)
{
	struct guideline_line *line = tmap_alloc(2 * (size_t)it->count, sizeof *line, err);
	struct tmap_table table = {
		.column = columns, .columns = COLUMN_COUNT, .row = line_row, .subject = line
	};
	int status;

	if (!line)
		return -1;
	for (int i = 0; i < it->count; i++) {
		const struct tmap_guideline *guideline = &it->guideline[i];

		if (guideline->reason)
			continue;
		line[table.rows++] = (struct guideline_line){ guideline, false };
		if (guideline->is_measured)
			line[table.rows++] = (struct guideline_line){ guideline, true };
	}
	fputc('\n', out);
	status = tmap_table_write_text(out, &table, err);
	free(line);
	return status;
}

static const char *library_of(const struct tmap_guidelines *it)
{
	return tmap_keywords_at(&tmap_libraries, (size_t)it->request.library.library)->summary;
}

static int write_head(FILE *out, const struct tmap_guidelines *it, struct tmap_error *err)
{
	char *where = tmap_text_where(it->placement, err), bytes[TMAP_UNITS_ROOM];

	if (!where)
		return -1;
	tmap_units_print_bytes(it->request.bytes, bytes);
	fprintf(out, "Performance guidelines, %s%s, root %d: %s,\n%s (%s)\n", bytes,
		strchr(bytes, 'i') ? "" : " B", it->request.root, where, library_of(it),
		tmap_library_pick_reason(&it->request.library));
	tmap_text_write_profile(out, it->request.profile);
	free(where);
	return tmap_text_write_sharing_of(out, it->placement, it->request.profile, err);
}

static const struct tmap_timed *part_of(const struct tmap_guideline *guideline, int part)
{
	return part ? &guideline->mockup[part - 1] : &guideline->native;
}

static bool is_same(const struct tmap_timed *a, const struct tmap_timed *b)
{
	return a->collective == b->collective && a->bytes == b->bytes && b->algorithm &&
		strcmp(a->algorithm, b->algorithm) == 0;
}

/* Was it listed with an earlier guideline, or an earlier part of this one? */
static bool is_listed(const struct tmap_guidelines *it, int index, int part)
{
	const struct tmap_timed *timed = part_of(&it->guideline[index], part);

	for (int i = 0; i <= index; i++)
		for (int p = 0; p <= it->guideline[i].part_count; p++) {
			if (i == index && p == part)
				return false;
			if (is_same(timed, part_of(&it->guideline[i], p)))
				return true;
		}
	return false;
}

static int write_part(FILE *out, const struct tmap_timed *timed, struct tmap_error *err)
{
	char bytes[TMAP_UNITS_ROOM], label[PART_COLUMNS + TMAP_UNITS_ROOM];
	char *how = tmap_format(err, "%s (%s)", timed->algorithm, timed->how);

	if (!how)
		return -1;
	snprintf(label, sizeof label, "  %-20.20s  %9s",
		 tmap_collective_rows[timed->collective].word.name,
		 tmap_units_print_bytes(timed->bytes, bytes));
	tmap_text_write_wrapped(out, PART_COLUMNS, label, how);
	free(how);
	return 0;
}

/* The algorithms of the library, each once. */
static int write_parts(FILE *out, const struct tmap_guidelines *it, struct tmap_error *err)
{
	fprintf(out, "\nAlgorithms of %s\n", library_of(it));
	for (int i = 0; i < it->count; i++)
		for (int p = 0; p <= it->guideline[i].part_count; p++) {
			const struct tmap_timed *timed = part_of(&it->guideline[i], p);

			if (!timed->algorithm || strcmp(timed->how, TMAP_NAMED) == 0 ||
			    is_listed(it, i, p))
				continue;
			if (write_part(out, timed, err) < 0)
				return -1;
		}
	return 0;
}

static int write_reasons(FILE *out, const struct tmap_guidelines *it, struct tmap_error *err)
{
	bool is_first = true;

	for (int i = 0; i < it->count; i++) {
		char *text;

		if (!it->guideline[i].reason)
			continue;
		text = tmap_format(err, "%s: %s", it->guideline[i].name, it->guideline[i].reason);
		if (!text)
			return -1;
		fputs(is_first ? "\nNot applicable here\n" : "", out);
		tmap_text_write_wrapped(out, 2, "", text);
		free(text);
		is_first = false;
	}
	return 0;
}

/* What the marks mean, of those that can occur. */
static void write_legend(FILE *out, const struct tmap_guidelines *it)
{
	bool is_guess = false, is_measured = false;

	for (int i = 0; i < it->count; i++) {
		const struct tmap_guideline *guideline = &it->guideline[i];

		is_guess |= !guideline->reason && tmap_guideline_is_guess(guideline);
		is_measured |= guideline->is_measured;
	}
	fputs("(? predicted violation: the mock-up is predicted to be faster by more than 3 %)\n",
	      out);
	if (is_guess)
		fputs("((?) the same, where the library's own choice is not known)\n", out);
	if (is_measured)
		fputs("(! violated: measured, the mock-up is faster by more than 3 %)\n", out);
}

static bool is_predicted_violated(const struct tmap_guideline *guideline)
{
	return !guideline->reason &&
		tmap_guideline_ratio(guideline->native.seconds, guideline->mockup_seconds) >
		TMAP_GUIDELINE_TOLERANCE;
}

/* How many verdicts other published costs turn round. */
static int write_others(FILE *out, const struct tmap_guidelines *it, struct tmap_error *err)
{
	struct tmap_str text = TMAP_STR_INIT;
	const struct tmap_profile *profile;
	int next = 0;

	if (it->placement->size > TMAP_OTHERS_MOST_RANKS) {
		fputc('\n', out);
		tmap_text_write_others_limit(out, TMAP_OTHERS_MOST_RANKS, "turn round");
		return 0;
	}
	while ((profile = tmap_profile_next_other(it->request.profile, &next))) {
		struct tmap_guidelines_request request = it->request;
		struct tmap_guidelines other;
		int turned = 0;

		request.profile = profile;
		if (tmap_guidelines_init(&other, it->placement, &request, err) < 0) {
			tmap_str_fini(&text);
			return -1;
		}
		for (int g = 0; g < it->count; g++)
			turned += is_predicted_violated(&it->guideline[g]) !=
				is_predicted_violated(&other.guideline[g]);
		tmap_guidelines_fini(&other);
		if (turned)
			tmap_str_addf(&text, "%s%s %d of %d", text.length ? ", " : "",
				      profile->word.name, turned, it->count);
	}
	if (!text.length)
		tmap_str_add(&text, "none");
	fputs("\nVerdicts that other published costs turn round\n", out);
	return tmap_text_write_list_str(out, 2, "", &text, err);
}

int tmap_text_write_guidelines(FILE *out, const struct tmap_guidelines *guidelines,
			       struct tmap_error *err)
{
	if (write_head(out, guidelines, err) < 0)
		return -1;
	if (write_lines(out, guidelines, err) < 0)
		return -1;
	write_legend(out, guidelines);
	if (write_parts(out, guidelines, err) < 0 || write_reasons(out, guidelines, err) < 0)
		return -1;
	return write_others(out, guidelines, err);
}

static void put_timed(struct tmap_json_writer *w, const char *name, const struct tmap_timed *timed)
{
	tmap_json_open_line(w, name, '{');
	tmap_json_put_string(w, "collective", tmap_collective_rows[timed->collective].word.name);
	tmap_json_put_int(w, "bytes", timed->bytes);
	tmap_json_put_string(w, "algorithm", timed->algorithm);
	tmap_json_put_string(w, "how", timed->how);
	tmap_json_put_double(w, "seconds", timed->seconds);
	tmap_json_close(w);
}

static void put_guideline(struct tmap_json_writer *w, const struct tmap_guideline *guideline)
{
	struct tmap_cell predicted[COLUMN_COUNT] = { 0 }, measured[COLUMN_COUNT] = { 0 };

	tmap_json_open(w, NULL, '{');
	tmap_json_put_string(w, "name", guideline->name);
	tmap_json_put_bool(w, "applicable", !guideline->reason);
	if (guideline->reason) {
		tmap_json_put_string(w, "reason", guideline->reason);
	} else {
		put_timed(w, "native", &guideline->native);
		tmap_json_open(w, "mockup", '[');
		for (int m = 0; m < guideline->part_count; m++)
			put_timed(w, NULL, &guideline->mockup[m]);
		tmap_json_close(w);
		set_predicted(predicted, guideline);
		tmap_cells_put_json(w, columns + MOCKUP, predicted + MOCKUP, MARK - MOCKUP);
		set_measured(measured, guideline);
		tmap_json_open_line(w, "measured", '{');
		tmap_cells_put_json(w, columns, measured, MARK);
		tmap_json_close(w);
	}
	tmap_json_close(w);
}

int tmap_json_write_guidelines(FILE *out, const struct tmap_guidelines *guidelines,
			       struct tmap_error *err)
{
	const struct tmap_guidelines_request *request = &guidelines->request;
	struct tmap_json_writer w;

	tmap_json_begin(&w, out, "guidelines");
	tmap_json_put_int(&w, "size", guidelines->placement->size);
	if (tmap_json_put_world(&w, "ranks", guidelines->placement, err) < 0 ||
	    tmap_json_put_adapters_chosen(&w, guidelines->placement->machine, err) < 0)
		return -1;
	tmap_json_put_int(&w, "bytes", request->bytes);
	tmap_json_put_int(&w, "root", request->root);
	tmap_json_put_string(
		&w, "library",
		tmap_keywords_at(&tmap_libraries, (size_t)request->library.library)->name);
	tmap_json_put_string(&w, "library_reason", tmap_library_pick_reason(&request->library));
	tmap_json_put_profile_choice(&w, request->profile);
	tmap_json_open(&w, "guidelines", '[');
	for (int i = 0; i < guidelines->count; i++)
		put_guideline(&w, &guidelines->guideline[i]);
	tmap_json_close(&w);
	return tmap_json_end(&w, err);
}
