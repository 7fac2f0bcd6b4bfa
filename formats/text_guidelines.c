#include "formats/text_guidelines.h"

#include "core/library/library.h"
#include "core/units.h"
#include "formats/text_edges.h"
#include "formats/text_versus.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 46, TIME = 8 };

static const char *library_of(const struct tm_guidelines *it)
{
	return tm_words_at(&tm_libraries, (size_t)it->request.library)->summary;
}

static int write_head(FILE *out, const struct tm_guidelines *it, struct tm_error *err)
{
	char *where = tm_text_where(it->placement, err), bytes[TM_UNITS_ROOM];

	if (!where)
		return -1;
	tm_units_print_bytes(it->request.bytes, bytes);
	fprintf(out, "What should not be slower than what, %s%s, root %d: %s,\n%s, costs of %s\n",
		bytes, strchr(bytes, 'i') ? "" : " B", it->request.root, where, library_of(it),
		it->request.profile->word.name);
	free(where);
	return 0;
}

static void write_times(FILE *out, const char *name, double native, double mockup)
{
	char left[TM_SECONDS_ROOM], right[TM_SECONDS_ROOM];
	double ratio = tm_guideline_ratio(native, mockup);

	fprintf(out, "%-*s  %*s  %*s  %6.3g%s\n", NAME, name, TIME,
		tm_text_seconds(native, left), TIME, tm_text_seconds(mockup, right), ratio,
		ratio > TM_GUIDELINE_TOLERANCE ? " !" : "");
}

static void write_guideline(FILE *out, const struct tm_guideline *guideline)
{
	write_times(out, guideline->name, guideline->native.seconds, guideline->mockup_seconds);
	if (guideline->is_measured)
		write_times(out, "  measured", guideline->measured_native_s,
			    guideline->measured_mockup_s);
}

static const struct tm_timed *part_of(const struct tm_guideline *guideline, int part)
{
	return part ? &guideline->mockup[part - 1] : &guideline->native;
}

static bool is_same(const struct tm_timed *a, const struct tm_timed *b)
{
	return a->collective == b->collective && a->bytes == b->bytes && b->algorithm &&
	       strcmp(a->algorithm, b->algorithm) == 0;
}

/* Was it said with an earlier guideline, or an earlier part of this one? */
static bool is_said(const struct tm_guidelines *it, int index, int part)
{
	const struct tm_timed *timed = part_of(&it->guideline[index], part);

	for (int i = 0; i <= index; i++)
		for (int p = 0; p <= it->guideline[i].part_count; p++) {
			if (i == index && p == part)
				return false;
			if (is_same(timed, part_of(&it->guideline[i], p)))
				return true;
		}
	return false;
}

/* How each collective is done: those of the library, each once. */
static void write_parts(FILE *out, const struct tm_guidelines *it)
{
	fprintf(out, "\nHow %s does it\n", library_of(it));
	for (int i = 0; i < it->count; i++)
		for (int p = 0; p <= it->guideline[i].part_count; p++) {
			const struct tm_timed *timed = part_of(&it->guideline[i], p);
			char bytes[TM_UNITS_ROOM];

			if (!timed->algorithm || strcmp(timed->how, TM_NAMED) == 0 ||
			    is_said(it, i, p))
				continue;
			fprintf(out, "  %-20s  %9s  %s (%s)\n",
				tm_collective_rows[timed->collective].word.name,
				tm_units_print_bytes(timed->bytes, bytes), timed->algorithm,
				timed->how);
		}
}

static void write_reasons(FILE *out, const struct tm_guidelines *it)
{
	bool is_first = true;

	for (int i = 0; i < it->count; i++) {
		if (!it->guideline[i].reason)
			continue;
		fprintf(out, "%s  %s: %s\n", is_first ? "\nThese say nothing here\n" : "",
			it->guideline[i].name, it->guideline[i].reason);
		is_first = false;
	}
}

int tm_text_write_guidelines(FILE *out, const struct tm_guidelines *guidelines,
			     struct tm_error *err)
{
	if (write_head(out, guidelines, err) < 0)
		return -1;
	fprintf(out, "\n%-*s  %*s  %*s  %6s\n", NAME, "guideline", TIME, "native", TIME, "mock-up",
		"ratio");
	for (int i = 0; i < guidelines->count; i++)
		if (!guidelines->guideline[i].reason)
			write_guideline(out, &guidelines->guideline[i]);
	fputs("(! violated: the mock-up is faster by more than 3 %)\n", out);
	write_parts(out, guidelines);
	write_reasons(out, guidelines);
	return 0;
}
