#include "core/algorithms/swing.h"

#include "core/mem.h"

#include <stdlib.h>
#include <string.h>

static int64_t rho(int step)
{
	int64_t power = (int64_t)1 << (step + 1);

	return step % 2 ? (1 - power) / 3 : (1 + power) / 3;
}

int tm_swing_partner(int rank, int step, int p)
{
	return (int)tm_mod(rank % 2 ? rank - rho(step) : rank + rho(step), p);
}

void tm_swing_fini(struct tm_swing *swing)
{
	free(swing->start);
	free(swing->offset);
	*swing = (struct tm_swing){ 0 };
}

/* What an even rank holds grows by what its partner, the mirror image, holds. */
static int fill(struct tm_swing *made, char *held, struct tm_error *err)
{
	int p = made->size, found = 0;

	held[0] = 1;
	for (int s = made->steps - 1; s >= 0; s--) {
		int before = found;

		for (int e = 0; e < p; e++) {
			int mirrored = (int)tm_mod(rho(s) - e, p);

			if (held[e] && !held[mirrored])
				made->offset[found++] = e;
		}
		for (int i = before; i < found; i++)
			held[tm_mod(rho(s) - made->offset[i], p)] = 1;
		made->start[s] = before;
	}
	if (found < p - 1)
		return tm_fail(err, TM_INPUT, "swing reaches %d of %d ranks only", found + 1, p);
	return 0;
}

int tm_swing_init(struct tm_swing *swing, int size, struct tm_error *err)
{
	struct tm_swing made = { .size = size, .steps = tm_log2_ceil(size) };
	char *held = tm_alloc((size_t)size, 1, err);
	int status = -1;

	made.start = tm_alloc((size_t)made.steps, sizeof *made.start, err);
	made.offset = tm_alloc((size_t)size, sizeof *made.offset, err);
	if (held && made.start && made.offset)
		status = fill(&made, held, err);
	free(held);
	if (status < 0)
		tm_swing_fini(&made);
	else
		*swing = made;
	return status;
}

/* Offsets of the rising list that are in [low, high). */
static int count_within(const int *offset, int count, int64_t low, int64_t high)
{
	int64_t limit[2] = { low, high };
	int below[2];

	for (int i = 0; i < 2; i++) {
		int first = 0, end = count;

		while (first < end) {
			int middle = first + (end - first) / 2;

			if (offset[middle] < limit[i])
				first = middle + 1;
			else
				end = middle;
		}
		below[i] = first;
	}
	return below[1] - below[0];
}

/* How many of the units rank + offset (rank - offset where it is odd), modulo p, are among the
 * first @p limit ones. */
static int count_first(const int *offset, int count, int rank, int p, int64_t limit)
{
	int64_t low = rank % 2 ? rank - limit + 1 : -(int64_t)rank, high = low + limit;

	return count_within(offset, count, low, high) +
	       count_within(offset, count, low + p, high + p);
}

/* Units are of two sizes, the first ones a byte larger. */
static int64_t sum_bytes(const struct tm_call *call, const int *offset, int count, int rank)
{
	int64_t units = call->size, small = tm_unit_bytes(call, units - 1), larger;

	larger = tm_run_bytes(call, &(struct tm_run){ 0, units, 1 }) - units * small;
	return count * small + (larger ? count_first(offset, count, rank, call->size, larger) : 0);
}

/* The units of an allgather's message from @p rank in step @p s. */
static int send(struct tm_emit *emit, const struct tm_swing *swing, int s, int rank, int from,
		int to, struct tm_run *run)
{
	int first = swing->start[s], count = (s ? swing->start[s - 1] : swing->size - 1) - first;

	if (emit->sink->folded)
		return tm_emit_folded(emit, from, to, 1, 1, sum_bytes(emit->call,
				      swing->offset + first, count, rank));
	for (int i = 0; i < count; i++) {
		int offset = swing->offset[first + i];

		run[i] = (struct tm_run){ tm_mod(rank % 2 ? rank - offset : rank + offset,
						 swing->size), 1, 1 };
	}
	return tm_emit_runs(emit, from, to, run, count);
}

int tm_swing_step(struct tm_emit *emit, const struct tm_swing *swing, int s, bool backwards)
{
	struct tm_run *run = tm_alloc_raw((size_t)swing->size, sizeof *run, emit->err);
	int status = run ? 0 : -1;

	for (int r = 0; r < swing->size && status == 0; r++) {
		int q = tm_swing_partner(r, s, swing->size);

		status = send(emit, swing, s, r, backwards ? q : r, backwards ? r : q, run);
	}
	free(run);
	return status;
}
