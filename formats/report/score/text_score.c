#include "formats/report/score/text_score.h"

#include "core/base/units.h"
#include "core/machine/overlap.h"
#include "formats/base/amount.h"
#include "formats/base/wrap.h"
#include "formats/text/text_edges.h"
#include "formats/text/text_sharing.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	COLUMNS = 79,
	CELL_COLUMNS = 18,
	MOST_NAME = 42,
	NAME_BESIDE_TIME = 27,
	LIBRARY_COLUMNS = 16
};

/* "1.93 us", "12.4 ms", "107 s" */
static const char *print_seconds(double seconds, char text[TMAP_AMOUNT_ROOM])
{
	static const char *const unit[] = { "s ", "ms", "us", "ns" };
	int at = 0;

	if (seconds == 0)
		return "0 s ";
	while (at < 3 && seconds < 0.9995 && seconds > 0) {
		seconds *= 1000;
		at++;
	}
	snprintf(text, TMAP_AMOUNT_ROOM, seconds < 99999 ? "%.*f %s" : "%.*g %s",
		 seconds >= 99.95         ? 0 :
			 seconds >= 9.995 ? 1 :
					    2,
		 seconds, unit[at]);
	return text;
}

static int name_columns(const struct tmap_score *score)
{
	int columns = (int)strlen("algorithm");

	for (int i = 0; i < score->count; i++) {
		int length = (int)strlen(score->row[i].name);

		columns = length > columns ? length : columns;
	}
	return columns < MOST_NAME ? columns : MOST_NAME;
}

static int write_head(FILE *out, const struct tmap_score *score, struct tmap_error *err)
{
	const struct tmap_collective_row *row = &tmap_collective_rows[score->collective];
	char *where, bytes[TMAP_UNITS_ROOM];
	int sharing;

	if (tmap_overlap_count(&sharing, score->placement, err) < 0)
		return -1;
	where = tmap_text_where(score->placement, err);
	if (!where)
		return -1;
	tmap_units_print_bytes(score->bytes, bytes);
	fputs(row->word.name, out);
	if (score->collective != TMAP_BARRIER)
		fprintf(out, " of %s%s%s", bytes, strchr(bytes, 'i') ? "" : " B",
			row->cuts_vector ? "" : " a rank");
	if (row->has_root)
		fprintf(out, ", root %d", score->root);
	fprintf(out, ": %s, costs of %s\n", where, score->profile->word.name);
	free(where);
	tmap_text_write_sharing(out, sharing);
	return 0;
}

static void write_totals(FILE *out, const struct tmap_score *score, int columns)
{
	char bytes[TMAP_AMOUNT_ROOM], messages[TMAP_AMOUNT_ROOM], seconds[TMAP_AMOUNT_ROOM];
	bool has_bytes = score->collective != TMAP_BARRIER;

	fprintf(out, "\n  %-*s  %9s  %9s  %9s%s\n", columns, "algorithm", "time", "rounds",
		"messages", has_bytes ? "      bytes" : "");
	for (int i = 0; i < score->applicable; i++) {
		const struct tmap_score_row *row = &score->row[i];

		fprintf(out, "  %-*s  %9s  %9" PRId64 "  %9s", columns, row->name,
			print_seconds(row->seconds, seconds), row->locality.rounds,
			tmap_amount_print(row->locality.messages, false, messages));
		if (has_bytes)
			fprintf(out, "  %9s", tmap_amount_print(row->locality.bytes, true, bytes));
		fputc('\n', out);
	}
}

/* The levels [first, end) side by side. */
static void write_crossings(FILE *out, const struct tmap_score *score, int columns, int first,
			    int end)
{
	bool has_bytes = score->collective != TMAP_BARRIER;

	fprintf(out, "\n  %-*s", columns, "");
	for (int l = first; l < end; l++)
		fprintf(out, "%*s", CELL_COLUMNS, score->levels.level[l].name);
	fputc('\n', out);
	for (int i = 0; i < score->applicable; i++) {
		const struct tmap_score_row *row = &score->row[i];

		fprintf(out, "  %-*s", columns, row->name);
		for (int l = first; l < end; l++) {
			const struct tmap_crossing *crossing = &row->locality.level[l];
			char amount[TMAP_AMOUNT_ROOM];

			fprintf(out, "%*s %5.2f", CELL_COLUMNS - 6,
				tmap_amount_print(has_bytes ? crossing->bytes : crossing->messages,
						  has_bytes, amount),
				tmap_locality_at(&row->locality, &row->call, l));
		}
		fputc('\n', out);
	}
}

static void write_levels(FILE *out, const struct tmap_score *score, int columns)
{
	int room = (COLUMNS - 2 - columns) / CELL_COLUMNS;

	fprintf(out,
		"\n%s that cross each level, and locality (the least possible / that; 1 is "
		"best)\n",
		score->collective == TMAP_BARRIER ? "Messages" : "Bytes");
	for (int l = 0; l < score->levels.count; l += room)
		write_crossings(out, score, columns, l,
				l + room < score->levels.count ? l + room : score->levels.count);
}

static void write_reasons(FILE *out, const struct tmap_score *score)
{
	if (score->applicable < score->count)
		fputs("\nCannot run here\n", out);
	for (int i = score->applicable; i < score->count; i++)
		tmap_text_write_wrapped(out, 2, "", score->row[i].reason);
}

/* A name that is too long for its column has a line of its own. */
static void write_default(FILE *out, const struct tmap_score_default *it, const char *library,
			  int columns)
{
	char seconds[TMAP_AMOUNT_ROOM];
	const char *name = it->name;

	fprintf(out, "  %-12s  ", library);
	if ((int)strlen(name) > columns && strlen(name) > NAME_BESIDE_TIME) {
		fprintf(out, "%s\n  %-12s  ", name, "");
		name = "";
	}
	fprintf(out, "%-*s  %9s  %6.2f x the best above\n", columns, name,
		print_seconds(it->seconds, seconds), it->slower);
}

/* What is known where it is none of our algorithms. */
static void write_unknown(FILE *out, const char *library, bool is_one_rank, const char *how)
{
	char label[LIBRARY_COLUMNS + 16];

	snprintf(label, sizeof label, "  %-12s  %s", library, is_one_rank ? "" : "unknown:");
	tmap_text_write_wrapped(out, LIBRARY_COLUMNS + (is_one_rank ? 0 : 9), label, how);
}

/* What the libraries take if nobody says anything, and how much longer than the best. */
static void write_defaults(FILE *out, const struct tmap_score *score, int columns)
{
	fputs("\nWhat libraries take by themselves\n", out);
	for (int i = 0; i < score->default_count; i++) {
		const struct tmap_score_default *it = &score->defaults[i];

		const char *library = tmap_keywords_at(&tmap_libraries, (size_t)i)->summary;

		if (it->name)
			write_default(out, it, library, columns);
		else
			write_unknown(out, library, score->placement->size == 1, it->answer.how);
	}
}

/* The blank before the next option of mpirun, or the next variable. */
static const char *find_break(const char *knob)
{
	const char *option = strstr(knob, " --"), *variable = strstr(knob, " MPIR_");

	return !option || (variable && variable < option) ? variable : option;
}

/* An option or a variable a line where they are too long for one. */
static void write_knob(FILE *out, const char *library, const char *knob)
{
	const char *next = knob && strlen(knob) > COLUMNS - 12 ? find_break(knob) : NULL;

	if (!knob)
		return;
	fprintf(out, "  %-8s  ", library);
	for (; next; next = find_break(knob)) {
		fprintf(out, "%.*s \\\n%12s", (int)(next - knob), knob, "");
		knob = next + 1;
	}
	fprintf(out, "%s\n", knob);
}

/* " (from Open MPI 5 and MPICH 4.1 on)" */
static void write_since(FILE *out, const struct tmap_score_row *row)
{
	int openmpi = row->knobs.openmpi ? tmap_call_algorithm(&row->call)->openmpi_since : 0;

	if (!openmpi && !row->mpich_since)
		return;
	fputs(" (from", out);
	if (openmpi)
		fprintf(out, " Open MPI %d", openmpi);
	if (row->mpich_since)
		fprintf(out, "%s MPICH %s", openmpi ? " and" : "", row->mpich_since);
	fputs(" on)", out);
}

static void write_knobs(FILE *out, const struct tmap_score *score)
{
	for (int i = 0; i < score->applicable; i++) {
		const struct tmap_score_row *row = &score->row[i];

		if (!row->knobs.openmpi && !row->knobs.mpich && !row->knobs.ucc)
			continue;
		fprintf(out, "\nTo use %s", row->name);
		write_since(out, row);
		fputc('\n', out);
		write_knob(out, "Open MPI", row->knobs.openmpi);
		write_knob(out, "MPICH", row->knobs.mpich);
		write_knob(out, "UCC", row->knobs.ucc);
		return;
	}
}

int tmap_text_write_score(FILE *out, const struct tmap_score *score, struct tmap_error *err)
{
	int columns = name_columns(score);

	if (write_head(out, score, err) < 0)
		return -1;
	if (score->applicable > 0) {
		write_totals(out, score, columns);
		write_levels(out, score, columns);
	}
	write_reasons(out, score);
	write_defaults(out, score, columns);
	write_knobs(out, score);
	return 0;
}
