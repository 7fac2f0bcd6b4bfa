/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/times/times_report.h"

#include "core/base/mem.h"
#include "core/base/units.h"
#include "formats/report/times/left_out_report.h"
#include "formats/report/times/times_caveats.h"
#include "formats/text/comment.h"
#include "formats/text/table.h"
#include "formats/text/text_edges.h"

#include <stdlib.h>
#include <string.h>

char *tmap_times_title(const struct tmap_times *times, const char *what, struct tmap_error *err)
{
	char *where = tmap_text_where(&times->placement, err), *title = NULL;

	if (where)
		title = tmap_format(err, "%s, measured: %s, %.80s", what, where, times->mpi);
	free(where);
	return title;
}

void tmap_text_write_interrupted(FILE *out, const struct tmap_times *times)
{
	if (times->is_interrupted)
		fputs("\nInterrupted: not all that was asked for was measured.\n", out);
}

/* Experiments with a wrong result. */
static void write_wrong(FILE *out, const struct tmap_times *times)
{
	bool is_first = true;

	for (int i = 0; i < times->count; i++) {
		const struct tmap_experiment *it = &times->experiment[i];
		char room[TMAP_UNITS_ROOM], on[TMAP_VIRTUAL_ROOM];

		if (it->is_correct)
			continue;
		fprintf(out, "%s  %s %s, %s, %s\n", is_first ? "\nWrong results:\n" : "",
			tmap_experiment_call(it),
			it->on.call == TMAP_NO_VIRTUAL ? it->algorithm :
							 tmap_virtual_print(&it->on.topology, on),
			tmap_keywords_at(&tmap_modes, it->mode)->name,
			tmap_units_print_bytes(it->bytes, room));
		is_first = false;
	}
}

static int ending_write(FILE *out, const struct tmap_times *times, struct tmap_error *err)
{
	write_wrong(out, times);
	if (tmap_text_write_left_out(out, times, err) < 0)
		return -1;
	tmap_text_write_interrupted(out, times);
	return 0;
}

bool tmap_times_have_runs(const struct tmap_times *times)
{
	for (int i = 0; i < times->count; i++)
		if (times->experiment[i].run_count > 1)
			return true;
	return false;
}

/* As many as a line has room for. */
static void write_seeds(FILE *out, const struct tmap_times *times)
{
	enum { WIDTH = 60 };
	int at;

	if (!times->seeds) {
		if (times->has_seed)
			fprintf(out, "measured in random order%s: --seed %lld\n",
				tmap_times_have_runs(times) ? ", of the first launch" : "",
				(long long)times->seed);
		return;
	}
	at = fprintf(out, "measured in random orders, launch by launch: --seed");
	for (int i = 0; i < times->seed_count; i++) {
		at += fprintf(out, "%s %lld", i ? "," : "", (long long)times->seeds[i]);
		if (at > WIDTH && i + 1 < times->seed_count) {
			fprintf(out, " and %d more", times->seed_count - i - 1);
			break;
		}
	}
	fputc('\n', out);
}

enum { FEW_REPETITIONS = 5 }; /* a median of fewer says little */

static int count_few(const struct tmap_times *times)
{
	int few = 0;

	for (int i = 0; i < times->count; i++)
		few += times->experiment[i].repetitions < FEW_REPETITIONS;
	return few;
}

static void write_late(FILE *out, const struct tmap_times *times)
{
	int few = count_few(times);

	if (!times->clock.late)
		return;
	fprintf(out, "%lld repetitions that began late do not count", (long long)times->clock.late);
	if (few)
		fprintf(out, ";\n%d experiment%s fewer than %d: their medians say little", few,
			few == 1 ? " has" : "s have", FEW_REPETITIONS);
	fputc('\n', out);
}

static void write_neighbors(FILE *out, const struct tmap_times_neighborhood *it)
{
	fprintf(out, "neighbors: %s", it->stencil);
	if (it->cart)
		fprintf(out, " on a grid of %s", it->cart);
	if (it->periods)
		fprintf(out, ", periodic %s", it->periods);
	if (it->order)
		fprintf(out, ", in the order %s", it->order);
}

char *tmap_neighbors_print(const struct tmap_times_neighborhood *it, struct tmap_error *err)
{
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	if (out)
		write_neighbors(out, it);
	if (out && fclose(out) == 0)
		return text;
	free(text);
	tmap_fail(err, TMAP_SYSTEM, "out of memory for the neighbors");
	return NULL;
}

int tmap_text_write_sync(FILE *out, const struct tmap_times *times, struct tmap_error *err)
{
	static const struct tmap_column seconds = { .kind = TMAP_COLUMN_SECONDS };
	const struct tmap_clock_use *clock = &times->clock;
	const struct tmap_cell uncertainty = { .number = clock->uncertainty_s };
	char room[TMAP_CELL_ROOM + TMAP_UNITS_ROOM];

	if (clock->clocks == 1)
		fputs(", from starts\nby a clock that all ranks share", out);
	else if (clock->clocks)
		fprintf(out, ", from starts\nby a common clock over %d, known within %s",
			clock->clocks, tmap_cell_print(&seconds, &uncertainty, room));
	else
		fprintf(out, ", from a %s on", times->sync);
	if (strcmp(times->sync, "slices") == 0)
		fputs(",\neach agreed on when the repetition before it was over", out);
	fputc('\n', out);
	write_late(out, times);
	if (tmap_text_write_times_sharing(out, times, err) < 0)
		return -1;
	if (times->off_cache)
		fprintf(out,
			"data in no cache: before each repetition a rank writes %s (--off-cache)\n",
			tmap_units_print_size(times->off_cache, room));
	if (times->neighborhood.stencil) {
		write_neighbors(out, &times->neighborhood);
		fputc('\n', out);
	}
	if (times->by_rounds)
		fputs("topomap's algorithms end each round before the next one (--by-rounds)\n",
		      out);
	write_seeds(out, times);
	return 0;
}

int tmap_text_write_times_heading(FILE *out, const struct tmap_times *times, struct tmap_error *err)
{
	fprintf(out, "%d rank%s, %s; %stimes of the slowest rank", times->placement.size,
		times->placement.size == 1 ? "" : "s", times->mpi,
		tmap_times_have_runs(times) ? "medians of launches,\nof " : "");
	return tmap_text_write_sync(out, times, err);
}

int tmap_text_comment_times_heading(FILE *out, const struct tmap_times *times, const char *more,
				    struct tmap_error *err)
{
	struct tmap_comment comment;
	FILE *words = tmap_comment_begin(&comment, out, err);
	int status;

	if (!words)
		return -1;
	status = tmap_text_write_times_heading(words, times, err);
	fputs(more, words);
	return tmap_comment_end(&comment, status, err);
}

int tmap_text_comment_times_ending(FILE *out, const struct tmap_times *times,
				   struct tmap_error *err)
{
	struct tmap_comment comment;
	FILE *words = tmap_comment_begin(&comment, out, err);

	return words ? tmap_comment_end(&comment, ending_write(words, times, err), err) : -1;
}
