#include "formats/report/guidelines/text_guidelines.h"

#include "core/base/mem.h"
#include "core/base/units.h"
#include "core/library/library.h"
#include "formats/base/amount.h"
#include "formats/base/wrap.h"
#include "formats/text/text_edges.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 46, TIME = 8, PART_COLUMNS = 35 };

/* Behind the ratios, as the legend says; "" is none. */
#define FORESEEN " ?"
#define GUESSED " (?)"
#define VIOLATED " !"

static const char *library_of(const struct tmap_guidelines *it)
{
	return tmap_keywords_at(&tmap_libraries, (size_t)it->request.library)->summary;
}

static int write_head(FILE *out, const struct tmap_guidelines *it, struct tmap_error *err)
{
	char *where = tmap_text_where(it->placement, err), bytes[TMAP_UNITS_ROOM];

	if (!where)
		return -1;
	tmap_units_print_bytes(it->request.bytes, bytes);
	fprintf(out, "What should not be slower than what, %s%s, root %d: %s,\n%s, costs of %s\n",
		bytes, strchr(bytes, 'i') ? "" : " B", it->request.root, where, library_of(it),
		it->request.profile->word.name);
	free(where);
	return 0;
}

static void write_times(FILE *out, const char *name, double native, double mockup, const char *mark)
{
	char left[TMAP_SECONDS_ROOM], right[TMAP_SECONDS_ROOM];
	double ratio = tmap_guideline_ratio(native, mockup);

	fprintf(out, "%-*s  %*s  %*s  %6.3g%s\n", NAME, name, TIME,
		tmap_seconds_print(native, left), TIME, tmap_seconds_print(mockup, right), ratio,
		ratio > TMAP_GUIDELINE_TOLERANCE ? mark : "");
}

static void write_guideline(FILE *out, const struct tmap_guideline *guideline)
{
	write_times(out, guideline->name, guideline->native.seconds, guideline->mockup_seconds,
		    tmap_guideline_is_guess(guideline) ? GUESSED : FORESEEN);
	if (guideline->is_measured)
		write_times(out, "  measured", guideline->measured_native_s,
			    guideline->measured_mockup_s, VIOLATED);
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

/* Was it said with an earlier guideline, or an earlier part of this one? */
static bool is_said(const struct tmap_guidelines *it, int index, int part)
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

/* How each collective is done: those of the library, each once. */
static int write_parts(FILE *out, const struct tmap_guidelines *it, struct tmap_error *err)
{
	fprintf(out, "\nHow %s does it\n", library_of(it));
	for (int i = 0; i < it->count; i++)
		for (int p = 0; p <= it->guideline[i].part_count; p++) {
			const struct tmap_timed *timed = part_of(&it->guideline[i], p);

			if (!timed->algorithm || strcmp(timed->how, TMAP_NAMED) == 0 ||
			    is_said(it, i, p))
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
		fputs(is_first ? "\nThese say nothing here\n" : "", out);
		tmap_text_write_wrapped(out, 2, "", text);
		free(text);
		is_first = false;
	}
	return 0;
}

/* What the marks say, of those that can stand above. */
static void write_legend(FILE *out, const struct tmap_guidelines *it)
{
	bool is_guess = false, is_measured = false;

	for (int i = 0; i < it->count; i++) {
		const struct tmap_guideline *guideline = &it->guideline[i];

		is_guess |= !guideline->reason && tmap_guideline_is_guess(guideline);
		is_measured |= guideline->is_measured;
	}
	fputs("(? violation foreseen: the mock-up is predicted to be faster by more than 3 %)\n",
	      out);
	if (is_guess)
		fputs("((?) the same, where the library's own choice is not known)\n", out);
	if (is_measured)
		fputs("(! violated: measured, the mock-up is faster by more than 3 %)\n", out);
}

int tmap_text_write_guidelines(FILE *out, const struct tmap_guidelines *guidelines,
			       struct tmap_error *err)
{
	if (write_head(out, guidelines, err) < 0)
		return -1;
	fprintf(out, "\n%-*s  %*s  %*s  %6s\n", NAME, "guideline", TIME, "native", TIME, "mock-up",
		"ratio");
	for (int i = 0; i < guidelines->count; i++)
		if (!guidelines->guideline[i].reason)
			write_guideline(out, &guidelines->guideline[i]);
	write_legend(out, guidelines);
	return write_parts(out, guidelines, err) < 0 ? -1 : write_reasons(out, guidelines, err);
}
