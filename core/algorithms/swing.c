/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/algorithms/swing.h"

#include "core/base/mem.h"

#include <stdlib.h>
#include <string.h>

static int64_t swing_rho(int step)
{
	int64_t power = (int64_t)1 << (step + 1);

	return step % 2 ? (1 - power) / 3 : (1 + power) / 3;
}

int tmap_swing_partner(int rank, int step, int p)
{
	return (int)tmap_mod(rank % 2 ? rank - swing_rho(step) : rank + swing_rho(step), p);
}

void tmap_swing_fini(struct tmap_swing *swing)
{
	free(swing->start);
	free(swing->offset);
	*swing = (struct tmap_swing){ 0 };
}

/* What an even rank holds grows by what its partner, the mirror image, holds. */
static int swing_fill(struct tmap_swing *made, char *held, struct tmap_error *err)
{
	int p = made->size, found = 0;

	held[0] = 1;
	for (int s = made->steps - 1; s >= 0; s--) {
		int before = found;

		for (int e = 0, mirrored = (int)tmap_mod(swing_rho(s), p); e < p; e++) {
			if (held[e] && !held[mirrored])
				made->offset[found++] = e;
			mirrored = (mirrored ? mirrored : p) - 1;
		}
		for (int i = before; i < found; i++)
			held[tmap_mod(swing_rho(s) - made->offset[i], p)] = 1;
		made->start[s] = before;
	}
	if (found < p - 1)
		return tmap_fail(err, TMAP_INPUT, "swing reaches %d of %d ranks only", found + 1,
				 p);
	return 0;
}

int tmap_swing_init(struct tmap_swing *swing, int size, struct tmap_error *err)
{
	struct tmap_swing made = { .size = size, .steps = tmap_log2_ceil(size) };
	char *held = tmap_alloc((size_t)size, 1, err);
	int status = -1;

	made.start = tmap_alloc((size_t)made.steps, sizeof *made.start, err);
	made.offset = tmap_alloc((size_t)size, sizeof *made.offset, err);
	if (held && made.start && made.offset)
		status = swing_fill(&made, held, err);
	free(held);
	if (status < 0)
		tmap_swing_fini(&made);
	else
		*swing = made;
	return status;
}

/* A place in a rising list that moves a little at a time: the first offset not below a limit. */
static int swing_seek(const int *offset, int count, int at, int64_t limit)
{
	while (at < count && offset[at] < limit)
		at++;
	while (at > 0 && offset[at - 1] >= limit)
		at--;
	return at;
}

/* Where the larger units of one message begin and end in the list, and once round the ranks. */
struct window {
	int at[4];
};

/* How many of the units rank + offset (rank - offset where it is odd), modulo p, are among the
 * first @p limit ones. */
static int swing_count_first(struct window *window, const int *offset, int count, int rank, int p,
			     int64_t limit)
{
	int64_t low = rank % 2 ? rank - limit + 1 : -(int64_t)rank, high = low + limit;
	const int64_t limits[] = { low, high, low + p, high + p };

	for (int i = 0; i < 4; i++)
		window->at[i] = swing_seek(offset, count, window->at[i], limits[i]);
	return window->at[1] - window->at[0] + window->at[3] - window->at[2];
}

/* Step @p s, for whoever sends: a list of offsets. */
static int swing_find_list(const struct tmap_swing *swing, int s, const int **offset)
{
	*offset = swing->offset + swing->start[s];
	return (s ? swing->start[s - 1] : swing->size - 1) - swing->start[s];
}

/* Even ranks one way, odd ones the other. */
static int swing_emit_even(struct tmap_emit *emit, const struct tmap_swing *swing, int s)
{
	const int *offset;
	int64_t ahead = swing_rho(s), units = swing_find_list(swing, s, &offset);
	struct tmap_shift_pattern shift = { .info = { .span = 1, .times = 1 },
					    .run = 1,
					    .step = 2,
					    .count = swing->size / 2,
					    .ahead = (int)ahead,
					    .bytes = units * emit->small };

	if (tmap_emit_stride(emit, &shift) < 0)
		return -1;
	shift.first = 1;
	shift.ahead = (int)-ahead;
	return tmap_emit_stride(emit, &shift);
}

/* The units of an allgather's message from a rank. */
static void swing_fill_runs(const int *offset, int count, int rank, int p, struct tmap_run *run)
{
	for (int i = 0; i < count; i++)
		run[i] = (struct tmap_run){
			tmap_mod(rank % 2 ? rank - offset[i] : rank + offset[i], p), 1, 1
		};
}

/* Each message by itself; without room for runs, by its bytes. Units are of two sizes, the first
 * ones a byte larger. */
static int swing_emit_each(struct tmap_emit *emit, const struct tmap_swing *swing, int s,
			   bool backwards, struct tmap_run *run)
{
	struct window window[2] = { { { 0 } } };
	const int *offset;
	int count = swing_find_list(swing, s, &offset), p = swing->size, status = 0;

	for (int r = 0; r < p && status == 0; r++) {
		int q = tmap_swing_partner(r, s, p), from = backwards ? q : r,
		    to = backwards ? r : q;
		int64_t more = emit->larger ?
			swing_count_first(&window[r % 2], offset, count, r, p, emit->larger) :
			0;

		if (!run || tmap_emit_is_foreign(emit, from, to)) {
			status = tmap_emit_folded(emit, from, to, 1, 1, count * emit->small + more);
			continue;
		}
		swing_fill_runs(offset, count, r, p, run);
		status = tmap_emit_runs(emit, from, to, run, count);
	}
	return status;
}

int tmap_swing_step(struct tmap_emit *emit, const struct tmap_swing *swing, int s, bool backwards)
{
	struct tmap_run *run;
	int status;

	if (tmap_emit_is_even(emit))
		return swing_emit_even(emit, swing, s); /* partners send each other as much */
	if (emit->visitor->folded || emit->visitor->no_units)
		return swing_emit_each(emit, swing, s, backwards, NULL);
	run = tmap_alloc_raw((size_t)swing->size, sizeof *run, emit->err);
	status = run ? swing_emit_each(emit, swing, s, backwards, run) : -1;
	free(run);
	return status;
}
