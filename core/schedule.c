#include "core/schedule.h"

#include "core/algorithms/tables.h"
#include "core/emit.h"

#include <limits.h>
#include <stdlib.h>

const struct tm_collective_row tm_collective_rows[] = {
	[TM_ALLGATHER] = { { "allgather", "every rank gets the block of every rank" }, 0 },
	[TM_BCAST] = { { "bcast", "every rank gets the vector of the root" },
		       .has_root = true, .cuts_vector = true },
	[TM_REDUCE] = { { "reduce", "the root gets the vectors of all ranks, reduced" },
			.has_root = true, .reduces = true, .cuts_vector = true },
	[TM_ALLREDUCE] = { { "allreduce", "every rank gets the vectors of all ranks, reduced" },
			   .reduces = true, .cuts_vector = true },
	[TM_REDUCE_SCATTER] = { { "reduce_scatter",
				  "every rank gets its piece of the reduced vector" },
				.reduces = true, .cuts_vector = true },
	[TM_REDUCE_SCATTER_BLOCK] = { { "reduce_scatter_block",
					"every rank gets its block of the reduced vector" },
				      .reduces = true },
	[TM_GATHER] = { { "gather", "the root gets the block of every rank" }, .has_root = true },
	[TM_SCATTER] = { { "scatter", "every rank gets its block from the root" },
			 .has_root = true },
	[TM_ALLTOALL] = { { "alltoall", "every rank gets its block from every rank" }, 0 },
	[TM_SCAN] = { { "scan", "rank r gets the vectors of the ranks 0 to r, reduced" },
		      .reduces = true, .cuts_vector = true },
	[TM_EXSCAN] = { { "exscan", "rank r gets the vectors of the ranks below r, reduced" },
			.reduces = true, .cuts_vector = true },
	[TM_BARRIER] = { { "barrier", "no rank leaves before every rank has come" }, 0 },
	[TM_COLLECTIVE_COUNT] = { { NULL, NULL }, 0 },
};

const struct tm_words tm_collectives = TM_WORDS("collective", tm_collective_rows);

static const struct tm_collective_row *collective_of(const struct tm_call *call)
{
	return &tm_collective_rows[tm_call_algorithm(call)->collective];
}

int64_t tm_unit_count(const struct tm_call *call)
{
	int64_t size = call->size;

	if (tm_call_algorithm(call)->collective == TM_ALLTOALL)
		return size * size;
	if (tm_call_algorithm(call)->collective == TM_BARRIER)
		return 1;
	return tm_call_algorithm(call)->pieces ? tm_call_algorithm(call)->pieces(call) : size;
}

int64_t tm_unit_bytes(const struct tm_call *call, int64_t unit)
{
	return tm_run_bytes(call, &(struct tm_run){ unit, 1, 1 });
}

/* Members of first, first + stride, ... (count of them) that are below a limit. */
static int64_t count_below(const struct tm_run *run, int64_t limit)
{
	int64_t below;

	if (run->first >= limit)
		return 0;
	below = (limit - run->first + run->stride - 1) / run->stride;
	return below < run->count ? below : run->count;
}

int64_t tm_run_bytes(const struct tm_call *call, const struct tm_run *run)
{
	int64_t units;

	if (tm_call_algorithm(call)->collective == TM_BARRIER)
		return 0;
	if (!collective_of(call)->cuts_vector)
		return run->count * call->bytes;
	units = tm_unit_count(call);
	return run->count * (call->bytes / units) + count_below(run, call->bytes % units);
}

const struct tm_algorithm *tm_call_algorithm(const struct tm_call *call)
{
	return (const void *)call->choice.row;
}

const struct tm_param tm_radix_2[] = {
	{ .key = "radix", .summary = "k: k - 1 messages a rank and round", .preset = 2,
	  .least = 2, .most = 1 << 20 },
	{ .key = NULL },
};

enum { ROW_SIZE = sizeof(struct tm_algorithm) };

const struct tm_words *tm_algorithms(enum tm_collective collective)
{
	static const struct tm_words tables[TM_COLLECTIVE_COUNT] = {
		[TM_ALLGATHER] = { "allgather", tm_allgather_algorithms, ROW_SIZE },
		[TM_ALLREDUCE] = { "allreduce", tm_allreduce_algorithms, ROW_SIZE },
		[TM_REDUCE_SCATTER] = { "reduce_scatter", tm_reduce_scatter_algorithms, ROW_SIZE },
		[TM_REDUCE_SCATTER_BLOCK] = { "reduce_scatter_block",
					      tm_reduce_scatter_block_algorithms, ROW_SIZE },
		[TM_ALLTOALL] = { "alltoall", tm_alltoall_algorithms, ROW_SIZE },
		[TM_SCAN] = { "scan", tm_scan_algorithms, ROW_SIZE },
		[TM_EXSCAN] = { "exscan", tm_exscan_algorithms, ROW_SIZE },
		[TM_BARRIER] = { "barrier", tm_barrier_algorithms, ROW_SIZE },
	};

	return &tables[collective];
}

static const char *const size_rules[] = {
	[TM_ANY_SIZE] = "any number of ranks",
	[TM_EVEN] = "an even number of ranks",
	[TM_POWER_OF_TWO] = "a power of two of ranks",
};

static bool fits(enum tm_sizes sizes, int p)
{
	if (sizes == TM_EVEN)
		return p % 2 == 0 || p == 1;
	return sizes == TM_ANY_SIZE || (p & (p - 1)) == 0;
}

int tm_call_check(const struct tm_call *call, struct tm_error *err)
{
	const struct tm_algorithm *algorithm = tm_call_algorithm(call);

	if (!fits(algorithm->sizes, call->size))
		return tm_fail(err, TM_INPUT, "%s needs %s; there are %d", algorithm->choice.word.name,
			       size_rules[algorithm->sizes], call->size);
	if (call->root < 0 || call->root >= call->size)
		return tm_fail(err, TM_INPUT, "root %d is not one of the %d ranks", call->root,
			       call->size);
	return 0;
}

int tm_schedule(const struct tm_call *call, struct tm_sink *sink, struct tm_error *err)
{
	struct tm_emit emit = { .call = call, .sink = sink, .err = err };

	return call->size > 1 ? tm_call_algorithm(call)->generate(&emit) : 0;
}
