#include "core/schedule/schedule.h"

#include "core/algorithms/tables.h"
#include "core/base/nearest.h"
#include "core/schedule/emit.h"
#include "core/schedule/neighborhood.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

const struct tm_collective_row tm_collective_rows[] = {
	[TM_ALLGATHER] = { .word = { "allgather", "every rank gets the block of every rank" } },
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
	[TM_ALLTOALL] = { .word = { "alltoall", "every rank gets its block from every rank" } },
	[TM_SCAN] = { { "scan", "rank r gets the vectors of the ranks 0 to r, reduced" },
		      .reduces = true, .cuts_vector = true },
	[TM_EXSCAN] = { { "exscan", "rank r gets the vectors of the ranks below r, reduced" },
			.reduces = true, .cuts_vector = true },
	[TM_BARRIER] = { .word = { "barrier", "no rank leaves before every rank has come" } },
	[TM_NEIGHBOR_ALLGATHER] = { { "neighbor_allgather",
				      "every rank gets the blocks of its neighbours" },
				    .has_neighbors = true },
	[TM_NEIGHBOR_ALLTOALL] = { { "neighbor_alltoall",
				     "every rank gets its block from each neighbour" },
				   .has_neighbors = true },
	[TM_COLLECTIVE_COUNT] = { .word = { NULL, NULL } },
};

const struct tm_words tm_collectives = TM_WORDS("collective", tm_collective_rows);

/* Is the size of the call that of the vector whose pieces are the units? */
static bool cuts_vector(const struct tm_call *call)
{
	const struct tm_algorithm *algorithm = tm_call_algorithm(call);

	return tm_collective_rows[algorithm->collective].cuts_vector && !algorithm->gathers;
}

int64_t tm_unit_count(const struct tm_call *call)
{
	int64_t size = call->size;

	if (tm_call_algorithm(call)->collective == TM_ALLTOALL)
		return size * size;
	if (tm_call_algorithm(call)->collective == TM_BARRIER)
		return 1;
	if (tm_call_algorithm(call)->collective == TM_NEIGHBOR_ALLTOALL)
		return size * call->neighborhood->degree;
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
	if (!cuts_vector(call))
		return run->count * call->bytes;
	units = tm_unit_count(call);
	return run->count * (call->bytes / units) + count_below(run, call->bytes % units);
}

const struct tm_algorithm *tm_call_algorithm(const struct tm_call *call)
{
	return (const void *)call->choice.row;
}

int64_t tm_one_piece(const struct tm_call *call)
{
	(void)call;
	return 1;
}

int64_t tm_piece_a_rank(const struct tm_call *call)
{
	return call->size;
}

int64_t tm_segments(int64_t bytes, int64_t segment)
{
	return segment > 0 && bytes > segment ? (bytes - 1) / segment + 1 : 1;
}

const struct tm_param tm_radix_2[] = {
	{ .key = "radix", .summary = "k: k - 1 messages a rank and round", .preset = 2,
	  .least = 2, .most = 1 << 20 },
	{ .key = NULL },
};

const struct tm_param tm_merge_0[] = {
	{ .key = "merge", .summary = "distances up to this one count as one", .least = 0,
	  .most = INT32_MAX },
	{ .key = NULL },
};

enum { ROW_SIZE = sizeof(struct tm_algorithm) };

const struct tm_words *tm_algorithms(enum tm_collective collective)
{
	static const struct tm_words tables[TM_COLLECTIVE_COUNT] = {
		[TM_ALLGATHER] = { "allgather algorithm", tm_allgather_algorithms, ROW_SIZE },
		[TM_BCAST] = { "bcast algorithm", tm_bcast_algorithms, ROW_SIZE },
		[TM_REDUCE] = { "reduce algorithm", tm_reduce_algorithms, ROW_SIZE },
		[TM_GATHER] = { "gather algorithm", tm_gather_algorithms, ROW_SIZE },
		[TM_SCATTER] = { "scatter algorithm", tm_scatter_algorithms, ROW_SIZE },
		[TM_ALLREDUCE] = { "allreduce algorithm", tm_allreduce_algorithms, ROW_SIZE },
		[TM_REDUCE_SCATTER] = { "reduce_scatter algorithm", tm_reduce_scatter_algorithms, ROW_SIZE },
		[TM_REDUCE_SCATTER_BLOCK] = { "reduce_scatter_block",
					      tm_reduce_scatter_block_algorithms, ROW_SIZE },
		[TM_ALLTOALL] = { "alltoall algorithm", tm_alltoall_algorithms, ROW_SIZE },
		[TM_SCAN] = { "scan algorithm", tm_scan_algorithms, ROW_SIZE },
		[TM_EXSCAN] = { "exscan algorithm", tm_exscan_algorithms, ROW_SIZE },
		[TM_BARRIER] = { "barrier algorithm", tm_barrier_algorithms, ROW_SIZE },
		[TM_NEIGHBOR_ALLGATHER] = { "neighbor_allgather algorithm",
					    tm_neighbor_allgather_algorithms, ROW_SIZE },
		[TM_NEIGHBOR_ALLTOALL] = { "neighbor_alltoall algorithm",
					   tm_neighbor_alltoall_algorithms, ROW_SIZE },
	};

	return &tables[collective];
}

static bool is_named(const struct tm_words *words, const char *name, size_t length)
{
	const struct tm_word *word;

	for (size_t i = 0; (word = tm_words_at(words, i)); i++)
		if (strlen(word->name) == length && strncmp(word->name, name, length) == 0)
			return true;
	return false;
}

/* A name that no row has: two meanings, a slip of the fingers, or neither. */
static int refuse_name(const struct tm_words *words, const char *name, size_t length,
		       struct tm_error *err)
{
	const struct tm_word *word;
	struct tm_nearest nearest;

	if (length == 8 && strncmp(name, "binomial", 8) == 0 &&
	    is_named(words, "binomial_far", 12))
		return tm_fail(err, TM_INPUT, "'binomial' is two trees: say binomial_near (Open "
			       "MPI's broadcast, the nearest rank first) or binomial_far (MPICH's, "
			       "the farthest first)%s", is_named(words, "binomial_near", 13) ? "" :
			       "; this collective has the second");
	tm_nearest_init(&nearest, name, length);
	for (size_t i = 0; (word = tm_words_at(words, i)); i++)
		tm_nearest_offer(&nearest, word->name);
	if (nearest.best)
		return tm_fail(err, TM_INPUT, "unknown %s '%.*s'; did you mean '%s'?", words->what,
			       (int)length, name, nearest.best);
	return 0;
}

int tm_call_parse(struct tm_call *call, enum tm_collective collective, const char *text,
		  struct tm_error *err)
{
	const struct tm_words *words = tm_algorithms(collective);
	size_t length = strcspn(text, ",");

	if (!is_named(words, text, length) && refuse_name(words, text, length, err) < 0)
		return -1;
	return tm_choice_parse(&call->choice, words, text, err);
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

int tm_root_check(int root, int size, struct tm_error *err)
{
	if (root >= 0 && root < size)
		return 0;
	if (size == 1)
		return tm_fail(err, TM_INPUT, "root %d is not the only rank, 0", root);
	return tm_fail(err, TM_INPUT, "root %d is not one of the %d ranks", root, size);
}

int tm_call_check(const struct tm_call *call, struct tm_error *err)
{
	const struct tm_algorithm *algorithm = tm_call_algorithm(call);

	if (!fits(algorithm->sizes, call->size))
		return tm_fail(err, TM_INPUT, "%s needs %s; there are %d", algorithm->choice.word.name,
			       size_rules[algorithm->sizes], call->size);
	if (tm_root_check(call->root, call->size, err) < 0)
		return -1;
	if (tm_collective_rows[algorithm->collective].has_neighbors &&
	    (!call->neighborhood || call->neighborhood->size != call->size))
		return tm_fail(err, TM_INPUT, "%s needs a neighborhood of the %d ranks",
			       tm_collective_rows[algorithm->collective].word.name, call->size);
	if (algorithm->needs_metric && !call->metric)
		return tm_fail(err, TM_INPUT, "%s follows the distances of the ranks: it needs a "
			       "placement", algorithm->choice.word.name);
	return algorithm->check ? algorithm->check(call, err) : 0;
}

/* All units together must be countable; the vector that is cut is so by itself. */
static bool is_countable(const struct tm_call *call)
{
	int64_t bytes;

	return cuts_vector(call) ||
	       !__builtin_mul_overflow(tm_unit_count(call), call->bytes, &bytes);
}

int tm_schedule(const struct tm_call *call, struct tm_sink *sink, struct tm_error *err)
{
	struct tm_emit_buffer buffer;
	struct tm_emit emit = { .call = call, .sink = sink, .err = err };

	if (!is_countable(call))
		return tm_fail(err, TM_INPUT, "the schedule moves more than 2^63 - 1 bytes");
	if (call->size < 2)
		return 0;
	buffer.wave.round = -1;
	buffer.count = 0;
	if (sink->folded && sink->batch)
		emit.buffer = &buffer;
	return tm_call_algorithm(call)->generate(&emit) < 0 ? -1 : tm_emit_flush(&emit);
}
