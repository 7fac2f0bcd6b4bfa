/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/schedule/call.h"

#include "core/schedule/neighborhood.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

const struct tmap_collective_row tmap_collective_rows[] = {
	[TMAP_ALLGATHER] = { .word = { "allgather", "every rank gets the block of every rank" } },
	[TMAP_BCAST] = { { "bcast", "every rank gets the vector of the root" },
			 .has_root = true,
			 .cuts_vector = true },
	[TMAP_REDUCE] = { { "reduce", "the root gets the vectors of all ranks, reduced" },
			  .has_root = true,
			  .reduces = true,
			  .cuts_vector = true },
	[TMAP_ALLREDUCE] = { { "allreduce", "every rank gets the vectors of all ranks, reduced" },
			     .reduces = true,
			     .cuts_vector = true },
	[TMAP_REDUCE_SCATTER] = { { "reduce_scatter",
				    "every rank gets its piece of the reduced vector" },
				  .reduces = true,
				  .cuts_vector = true },
	[TMAP_REDUCE_SCATTER_BLOCK] = { { "reduce_scatter_block",
					  "every rank gets its block of the reduced vector" },
					.reduces = true },
	[TMAP_GATHER] = { { "gather", "the root gets the block of every rank" }, .has_root = true },
	[TMAP_SCATTER] = { { "scatter", "every rank gets its block from the root" },
			   .has_root = true },
	[TMAP_ALLTOALL] = { .word = { "alltoall", "every rank gets its block from every rank" } },
	[TMAP_SCAN] = { { "scan", "rank r gets the vectors of the ranks 0 to r, reduced" },
			.reduces = true,
			.cuts_vector = true },
	[TMAP_EXSCAN] = { { "exscan", "rank r gets the vectors of the ranks below r, reduced" },
			  .reduces = true,
			  .cuts_vector = true },
	[TMAP_BARRIER] = { .word = { "barrier", "no rank leaves before every rank has come" } },
	[TMAP_NEIGHBOR_ALLGATHER] = { { "neighbor_allgather",
					"every rank gets the blocks of its neighbours" },
				      .has_neighbors = true },
	[TMAP_NEIGHBOR_ALLTOALL] = { { "neighbor_alltoall",
				       "every rank gets its block from each neighbour" },
				     .has_neighbors = true },
	[TMAP_COLLECTIVE_COUNT] = { .word = { NULL, NULL } },
};

const struct tmap_keywords tmap_collectives = TMAP_KEYWORDS("collective", tmap_collective_rows);

/* Is the size of the call that of the vector whose pieces are the units? */
static bool cuts_vector(const struct tmap_call *call)
{
	const struct tmap_algorithm *algorithm = tmap_call_algorithm(call);

	return tmap_collective_rows[algorithm->collective].cuts_vector && !algorithm->gathers;
}

/* Sizes among the parameters are rounded as Open MPI rounds segments. */
struct tmap_call tmap_call_in_elements(const struct tmap_call *call)
{
	const struct tmap_param *params = call->choice.row->params;
	struct tmap_call made = *call;

	if (call->element < 2)
		return made;
	made.element = 1;
	made.bytes /= call->element;
	for (int i = 0; params && params[i].key; i++) {
		int64_t *value = &made.choice.value[i], rest = *value % call->element;

		if (!params[i].is_size || !*value)
			continue;
		*value = *value / call->element + (rest > call->element / 2);
		*value += *value == 0;
	}
	return made;
}

static int64_t count_units(const struct tmap_call *call)
{
	int64_t size = call->size;

	if (tmap_call_algorithm(call)->collective == TMAP_ALLTOALL)
		return size * size;
	if (tmap_call_algorithm(call)->collective == TMAP_BARRIER)
		return 1;
	if (tmap_call_algorithm(call)->collective == TMAP_NEIGHBOR_ALLTOALL)
		return size * call->neighborhood->degree;
	return tmap_call_algorithm(call)->pieces ? tmap_call_algorithm(call)->pieces(call) : size;
}

int64_t tmap_unit_count(const struct tmap_call *call)
{
	const struct tmap_call made = tmap_call_in_elements(call);

	return count_units(&made);
}

int64_t tmap_unit_bytes(const struct tmap_call *call, int64_t unit)
{
	return tmap_run_bytes(call, &(struct tmap_run){ unit, 1, 1 });
}

/* Members of first, first + stride, ... (count of them) that are below a limit. */
static int64_t count_below(const struct tmap_run *run, int64_t limit)
{
	int64_t below;

	if (run->first >= limit)
		return 0;
	below = (limit - run->first + run->stride - 1) / run->stride;
	return below < run->count ? below : run->count;
}

static bool has_rule(const struct tmap_call *call)
{
	return call->element && tmap_call_algorithm(call)->begin && cuts_vector(call);
}

bool tmap_call_cuts_by_rule(const struct tmap_call *call)
{
	int64_t units;

	if (!has_rule(call))
		return false;
	units = count_units(call);
	return call->bytes % units ||
		tmap_call_algorithm(call)->begin(call, 1) != call->bytes / units;
}

/* Of a call whose elements are bytes. */
static int64_t run_elements(const struct tmap_call *call, const struct tmap_run *run)
{
	int64_t (*begin)(const struct tmap_call *, int64_t) = tmap_call_algorithm(call)->begin;
	int64_t units, sum = 0;

	if (!cuts_vector(call))
		return run->count * call->bytes;
	if (has_rule(call) && run->stride == 1)
		return begin(call, run->first + run->count) - begin(call, run->first);
	for (int64_t i = 0; has_rule(call) && i < run->count; i++)
		sum += begin(call, run->first + i * run->stride + 1) -
			begin(call, run->first + i * run->stride);
	if (has_rule(call))
		return sum;
	units = count_units(call);
	return run->count * (call->bytes / units) + count_below(run, call->bytes % units);
}

int64_t tmap_run_bytes(const struct tmap_call *call, const struct tmap_run *run)
{
	const struct tmap_call made = tmap_call_in_elements(call);

	if (tmap_call_algorithm(call)->collective == TMAP_BARRIER)
		return 0;
	return run_elements(&made, run) * (call->element > 1 ? call->element : 1);
}

int64_t tmap_unit_begin(const struct tmap_call *call, int64_t unit)
{
	return tmap_run_bytes(call, &(struct tmap_run){ 0, unit, 1 });
}

const struct tmap_algorithm *tmap_call_algorithm(const struct tmap_call *call)
{
	return (const void *)call->choice.row;
}

bool tmap_call_follows_places(const struct tmap_call *call)
{
	const struct tmap_algorithm *algorithm = tmap_call_algorithm(call);

	return algorithm->needs_metric || algorithm->pattern & TMAP_PATTERN_PLACED;
}

int tmap_call_blame(const struct tmap_call *call, struct tmap_error *err)
{
	const struct tmap_algorithm *algorithm = tmap_call_algorithm(call);

	if (err->kind != TMAP_INPUT)
		return -1;
	return tmap_wrap(err, "%s:%s of %lld bytes",
			 tmap_keywords_at(&tmap_collectives, (size_t)algorithm->collective)->name,
			 algorithm->choice.word.name, (long long)call->bytes);
}

static const char *const size_rules[] = {
	[TMAP_ANY_SIZE] = "any number of ranks",
	[TMAP_EVEN] = "an even number of ranks",
	[TMAP_POWER_OF_TWO] = "a power of two of ranks",
};

static bool fits(enum tmap_sizes sizes, int p)
{
	if (sizes == TMAP_EVEN)
		return p % 2 == 0 || p == 1;
	return sizes == TMAP_ANY_SIZE || (p & (p - 1)) == 0;
}

int tmap_root_check(int root, int size, struct tmap_error *err)
{
	if (root >= 0 && root < size)
		return 0;
	if (size == 1)
		return tmap_fail(err, TMAP_INPUT, "root %d is not the only rank, 0", root);
	return tmap_fail(err, TMAP_INPUT, "root %d is not one of the %d ranks", root, size);
}

/* Each piece is a message for each rank, twice if it is reduced and comes back: rounds and messages
 * are to be numbers, with room for what generators add to them. Where an algorithm is made of others,
 * its pieces are bytes, and these are asked themselves. */
static int pieces_check(const struct tmap_call *call, struct tmap_error *err)
{
	const struct tmap_algorithm *algorithm = tmap_call_algorithm(call);
	int64_t pieces;

	if (!algorithm->pieces || algorithm->pattern & TMAP_PATTERN_PLACED)
		return 0;
	pieces = algorithm->pieces(call);
	if (pieces <= INT64_MAX / 4 / call->size)
		return 0;
	return tmap_fail(err, TMAP_INPUT,
			 "%s of %" PRId64 " bytes in %" PRId64
			 " pieces: the messages of %d ranks cannot be counted",
			 algorithm->choice.word.name, call->bytes, pieces, call->size);
}

int tmap_call_check(const struct tmap_call *call, struct tmap_error *err)
{
	const struct tmap_algorithm *algorithm = tmap_call_algorithm(call);

	if (!fits(algorithm->sizes, call->size))
		return tmap_fail(err, TMAP_INPUT, "%s needs %s; there are %d",
				 algorithm->choice.word.name, size_rules[algorithm->sizes],
				 call->size);
	if (tmap_root_check(call->root, call->size, err) < 0)
		return -1;
	if (call->element > 1 && call->bytes % call->element)
		return tmap_fail(err, TMAP_INPUT,
				 "%" PRId64 " bytes are no whole number of elements of %" PRId64
				 " bytes",
				 call->bytes, call->element);
	if (tmap_collective_rows[algorithm->collective].has_neighbors &&
	    (!call->neighborhood || call->neighborhood->size != call->size))
		return tmap_fail(err, TMAP_INPUT, "%s needs a neighborhood of the %d ranks",
				 tmap_collective_rows[algorithm->collective].word.name, call->size);
	if (algorithm->needs_metric && !call->metric)
		return tmap_fail(err, TMAP_INPUT,
				 "%s follows the distances of the ranks: it needs a "
				 "placement",
				 algorithm->choice.word.name);
	if (algorithm->check && algorithm->check(call, err) < 0)
		return -1;
	return pieces_check(call, err);
}

int tmap_call_resolve(const struct tmap_call *call, struct tmap_spec *choice,
		      struct tmap_error *err)
{
	const struct tmap_algorithm *algorithm = tmap_call_algorithm(call);

	if (algorithm->resolve)
		return algorithm->resolve(call, choice, err);
	*choice = call->choice;
	return 0;
}

bool tmap_call_is_direct(const struct tmap_call *call)
{
	return tmap_call_algorithm(call)->pattern & (TMAP_PATTERN_STAR | TMAP_PATTERN_ALL_PAIRS);
}

bool tmap_call_is_countable(const struct tmap_call *call)
{
	int64_t bytes;

	return cuts_vector(call) ||
		!__builtin_mul_overflow(tmap_unit_count(call), call->bytes, &bytes);
}
