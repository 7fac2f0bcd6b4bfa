/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/rules/rule_comparison_report.h"

#include "core/library/library.h"
#include "formats/base/input.h"
#include "formats/base/printable.h"
#include "formats/base/wrap.h"
#include "formats/json/json_write.h"
#include "formats/text/table.h"
#include "formats/text/text_profile.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME_ROOM = TMAP_LIBRARY_ROOM + 3 };

enum {
	COLLECTIVE,
	RANKS,
	FROM,
	TO,
	A,
	A_OWN,
	B,
	B_OWN,
	SIZE,
	A_SECONDS,
	B_SECONDS,
	RATIO,
	MEASURED,
	SOURCE,
	DISTRIBUTION,
	COLUMN_COUNT
};

static const struct tmap_column columns[COLUMN_COUNT] = {
	[COLLECTIVE] = { "collective", "collective", NULL, TMAP_COLUMN_STRING },
	[RANKS] = { "ranks", "ranks", NULL, TMAP_COLUMN_INT },
	[FROM] = { "from_bytes", "from_bytes", "from", TMAP_COLUMN_SIZE },
	[TO] = { "to_bytes", "to_bytes", "to", TMAP_COLUMN_SIZE },
	[A] = { "a", "a", "first", TMAP_COLUMN_STRING, .most = 30, .is_broken = true },
	[A_OWN] = { "a_own", "a_own", NULL, TMAP_COLUMN_BOOL },
	[B] = { "b", "b", "second", TMAP_COLUMN_STRING, .most = 30, .is_broken = true },
	[B_OWN] = { "b_own", "b_own", NULL, TMAP_COLUMN_BOOL },
	[SIZE] = { "bytes", "bytes", "of", TMAP_COLUMN_SIZE },
	[A_SECONDS] = { "a_seconds", "a_seconds", "first", TMAP_COLUMN_SECONDS },
	[B_SECONDS] = { "b_seconds", "b_seconds", "second", TMAP_COLUMN_SECONDS },
	[RATIO] = { "ratio", "ratio", "ratio", TMAP_COLUMN_NUMBER, .digits = -3 },
	[MEASURED] = { "measured", "measured", NULL, TMAP_COLUMN_BOOL },
	[SOURCE] = { NULL, NULL, "", TMAP_COLUMN_STRING },
	[DISTRIBUTION] = { "distribution", "distribution", NULL, TMAP_COLUMN_STRING },
};

static void put_deed(struct tmap_cell *cell, const struct tmap_rule_deed *deed, int name,
		     int seconds)
{
	cell[name].string = deed->name;
	cell[name].is_empty = !deed->name;
	cell[name + 1].is_true = deed->is_own;
	cell[seconds].number = deed->seconds;
	cell[seconds].is_empty = !isfinite(deed->seconds);
}

static int range_row(const void *subject, int i, struct tmap_cell *cell, struct tmap_error *err)
{
	const struct tmap_rule_comparison *comparison = subject;
	const struct tmap_rule_range *range = &comparison->range[i];

	(void)err;
	cell[COLLECTIVE].string = tmap_rule_collective_row(range->number)->word.name;
	cell[RANKS].count = comparison->places->place[range->first_place]->placement.size;
	cell[FROM].count = range->from;
	cell[TO].count = range->to;
	cell[SIZE].count = range->shown;
	put_deed(cell, &range->a, A, A_SECONDS);
	put_deed(cell, &range->b, B, B_SECONDS);
	cell[RATIO].is_empty = cell[A_SECONDS].is_empty || cell[B_SECONDS].is_empty ||
		range->b.seconds <= 0;
	cell[RATIO].number = cell[RATIO].is_empty ? 0 : range->a.seconds / range->b.seconds;
	cell[MEASURED].is_true = range->is_measured;
	cell[DISTRIBUTION].is_empty = !tmap_library_rules_by_range(comparison->library);
	if (!cell[DISTRIBUTION].is_empty)
		cell[DISTRIBUTION].string =
			tmap_keywords_at(&tmap_rule_spreads,
					 comparison->places->place[range->first_place]->comm.spread)
				->name;
	cell[SOURCE].string = range->is_measured ? "*" : "";
	return 0;
}

/* The ranges of a collective on communicators that have the same rules. */
struct group {
	const struct tmap_rule_comparison *comparison;
	int first, count;
	char (*name)[NAME_ROOM]; /* [2], of a row */
};

/* For people there is something of what is not known, too; what the library takes by itself is in
 * parentheses. */
static int text_row(const void *subject, int i, struct tmap_cell *cell, struct tmap_error *err)
{
	static const int side[] = { A, B };
	const struct group *group = subject;

	if (range_row(group->comparison, group->first + i, cell, err) < 0)
		return -1;
	for (int s = 0; s < 2; s++) {
		struct tmap_cell *name = &cell[side[s]];
		bool is_own = cell[side[s] + 1].is_true;

		if (name->is_empty)
			snprintf(group->name[s], NAME_ROOM, "%s", is_own ? "own" : "not known");
		else
			snprintf(group->name[s], NAME_ROOM, is_own ? "(%s)" : "%s", name->string);
		*name = (struct tmap_cell){ .string = group->name[s] };
	}
	return 0;
}

static struct tmap_table table_of(const struct tmap_rule_comparison *comparison)
{
	return (struct tmap_table){ .column = columns,
				    .columns = COLUMN_COUNT,
				    .rows = comparison->count,
				    .row = range_row,
				    .subject = comparison,
				    .width = 100,
				    .blank = "-" };
}

/* "a.rules", or what there is without a file. */
static void write_name(FILE *out, const char *path)
{
	const char *name = path ? tmap_input_name(path) : "no file";

	tmap_printable_write(out, name, strlen(name));
}

static void write_head(FILE *out, const struct tmap_rule_comparison_report *report)
{
	const struct tmap_rule_comparison *it = report->comparison;
	const struct tmap_tune_places *places = it->places;

	fprintf(out, "rules for %s: first ",
		tmap_keywords_at(&tmap_libraries, (size_t)it->library)->summary);
	write_name(out, report->a);
	fputs(", second ", out);
	write_name(out, report->b);
	fputc('\n', out);
	for (int p = places->count - 1; p >= 0; p--) {
		char label[32];
		int column = snprintf(label, sizeof label,
				      "%d ranks: ", places->place[p]->placement.size);

		tmap_text_write_wrapped(out, column, label, places->place[p]->what);
	}
	tmap_text_write_profile(out, places->profile);
	fprintf(out, "both do the same in %d range%s of sizes, and other things in %d\n", it->same,
		it->same == 1 ? "" : "s", it->count);
	if (it->unknown)
		fprintf(out, "collectives whose algorithms are not known, and not compared: %d\n",
			it->unknown);
}

/* "the ranks of a node; row:4", as many as fit into @p room columns, "and 2 more": all are in the heading. */
static void write_places(FILE *out, struct tmap_tune_place *const *place, int count, int room)
{
	int used = 0, fit = 0;

	while (fit < count) {
		int rest = count - fit - 1,
		    digits = rest ? snprintf(NULL, 0, " and %d more", rest) : 0;
		int length = (int)strlen(place[fit]->what) + (fit ? 2 : 0);

		if (used + length + digits > room)
			break;
		used += length;
		fit++;
	}
	for (int p = 0; p < fit; p++)
		fprintf(out, "%s%s", p ? "; " : ": ", place[p]->what);
	if (fit && fit < count)
		fprintf(out, " and %d more", count - fit);
	else if (!fit)
		fprintf(out, ": %d communicator%s", count, count == 1 ? "" : "s");
}

/* "allgather, 4 ranks: the ranks of a node; row:4", and its table; where all times are from one source it is
 * said once. */
static int write_group(FILE *out, const struct group *group, struct tmap_error *err)
{
	const struct tmap_rule_range *range = &group->comparison->range[group->first];
	const struct tmap_tune_places *places = group->comparison->places;
	struct tmap_table table = table_of(group->comparison);
	const char *times = "times with * are measured, others predicted";
	int measured = 0, title;

	for (int i = 0; i < group->count; i++)
		measured += range[i].is_measured;
	if (measured == 0 || measured == group->count) {
		table.hidden |= UINT64_C(1) << SOURCE;
		times = measured ? "times are measured" : "times are predicted";
	}
	title = fprintf(out, "\n%s, %d ranks", tmap_rule_collective_row(range->number)->word.name,
			places->place[range->first_place]->placement.size);
	write_places(out, &places->place[range->first_place], range->place_count,
		     table.width - (title - 1) - (int)strlen(": ; ") - (int)strlen(times));
	fprintf(out, "; %s\n", times);
	table.row = text_row;
	table.rows = group->count;
	table.subject = group;
	table.indent = 2;
	return tmap_table_write_text(out, &table, err);
}

/* Where it is so: of what the library takes by itself there is a name, or none. */
static void write_own(FILE *out, const struct tmap_rule_comparison *it)
{
	bool is_named = false, is_unknown = false;

	for (int i = 0; i < it->count; i++) {
		const struct tmap_rule_deed *deed[] = { &it->range[i].a, &it->range[i].b };

		for (int s = 0; s < 2; s++) {
			is_named |= deed[s]->is_own && deed[s]->name;
			is_unknown |= deed[s]->is_own && !deed[s]->name;
		}
	}
	if (is_named)
		fputs("what the library takes by itself is in parentheses\n", out);
	if (is_unknown)
		fputs("own: what the library takes by itself, which is not known\n", out);
}

int tmap_text_write_rule_comparison(FILE *out, const struct tmap_rule_comparison_report *report,
				    struct tmap_error *err)
{
	const struct tmap_rule_comparison *it = report->comparison;
	char name[2][NAME_ROOM];

	write_head(out, report);
	write_own(out, it);
	for (struct group group = { it, 0, 0, name }; group.first < it->count;
	     group.first += group.count) {
		const struct tmap_rule_range *first = &it->range[group.first];

		group.count = 1;
		while (group.first + group.count < it->count &&
		       first[group.count].number == first->number &&
		       first[group.count].first_place == first->first_place)
			group.count++;
		if (write_group(out, &group, err) < 0)
			return -1;
	}
	return 0;
}

int tmap_csv_write_rule_comparison(FILE *out, const struct tmap_rule_comparison_report *report,
				   struct tmap_error *err)
{
	const struct tmap_table table = table_of(report->comparison);

	return tmap_table_write_csv(out, &table, err);
}

int tmap_json_write_rule_comparison(FILE *out, const struct tmap_rule_comparison_report *report,
				    struct tmap_error *err)
{
	const struct tmap_rule_comparison *it = report->comparison;
	const struct tmap_table table = table_of(it);
	struct tmap_json_writer w;

	tmap_json_begin(&w, out, "rule_comparison");
	tmap_json_put_string(&w, "library",
			     tmap_keywords_at(&tmap_libraries, (size_t)it->library)->name);
	tmap_json_put_string(&w, "a", report->a ? tmap_input_name(report->a) : NULL);
	tmap_json_put_string(&w, "b", report->b ? tmap_input_name(report->b) : NULL);
	tmap_json_put_string(&w, "profile", it->places->profile->word.name);
	tmap_json_put_int(&w, "most_bytes", it->most);
	tmap_json_put_int(&w, "same", it->same);
	tmap_json_put_int(&w, "unknown_collectives", it->unknown);
	if (tmap_table_put_json(&w, "ranges", &table, err) < 0)
		return -1;
	return tmap_json_end(&w, err);
}
