#include "core/library/rules.h"

#include <stddef.h>

enum { MOST_NUMBERS = 10 };

/* Our rows for Open MPI's numbers, as the fixed rules call them: segments of size 0, so chain
 * and pipeline are one; no limit of requests, so linear_sync is linear. */
static const char *const names[TM_COLLECTIVE_COUNT][MOST_NUMBERS] = {
	[TM_ALLGATHER] = { NULL, "linear", "bruck", "recursive_doubling", "ring",
			   "neighbor_exchange", "recursive_doubling", "sparbit_blocks" },
	[TM_BCAST] = { NULL, "flat", "pipeline", "pipeline", "split_binary", "binary",
		       "binomial_near", "knomial", "scatter_allgather", "scatter_ring" },
	[TM_REDUCE] = { NULL, "flat", "pipeline", "pipeline", "binary", "binomial_far",
			"in_order_binary", "rabenseifner" },
	[TM_ALLREDUCE] = { NULL, NULL, NULL, "recursive_doubling", "ring", "segmented_ring",
			   "rabenseifner" },
	[TM_REDUCE_SCATTER] = { NULL, NULL, "recursive_halving", "ring", "butterfly" },
	[TM_REDUCE_SCATTER_BLOCK] = { NULL, NULL, NULL, "recursive_halving", "butterfly" },
	[TM_GATHER] = { NULL, "linear", "binomial_far", "linear" },
	[TM_SCATTER] = { NULL, "linear", "binomial_far", "linear" },
	[TM_ALLTOALL] = { NULL, "linear", "pairwise", "bruck", "linear", "pairwise" },
	[TM_BARRIER] = { NULL, "linear", "double_ring", "recursive_doubling", "dissemination",
			 "recursive_doubling", "tree" },
};

static bool is_power_of_two(int size)
{
	return (size & (size - 1)) == 0;
}

/* Some algorithms hand over to another one. */
static struct tm_library_answer fall_back(const struct tm_library_question *question,
					  struct tm_library_answer answer)
{
	int size = question->size, number = answer.number;

	if (question->collective == TM_ALLGATHER && number == 3 && !is_power_of_two(size)) {
		answer.algorithm = "bruck";
		answer.how = "recursive doubling by the fixed rules; Bruck, as ranks are no power of two";
	} else if (question->collective == TM_ALLGATHER && number == 5 && size % 2) {
		answer.algorithm = "ring";
		answer.how = "neighbor exchange by the fixed rules; ring, as ranks are odd";
	} else if (question->collective == TM_ALLREDUCE && number == 4 && question->bytes < size) {
		answer.algorithm = "recursive_doubling";
		answer.how = "ring by the fixed rules; recursive doubling for fewer elements than ranks";
	} else if (question->collective == TM_BCAST && number >= 8 && question->bytes < size) {
		answer.algorithm = "flat";
		answer.how = "scatter and allgather by the fixed rules; flat for fewer bytes than ranks";
	}
	return answer;
}

struct tm_library_answer tm_ask_openmpi4(const struct tm_library_question *question)
{
	struct tm_library_answer answer = {
		.number = tm_tuned_number(question->collective, question->size, question->bytes) };

	if (answer.number == 0) {
		answer.how = "coll/tuned has no fixed rules for it";
		return answer;
	}
	answer.algorithm = names[question->collective][answer.number];
	answer.how = answer.algorithm ? "the fixed rules of coll/tuned" :
		     "tuned composes it of other collectives";
	return fall_back(question, answer);
}

bool tm_library_is_nested(const struct tm_library_question *question)
{
	return question->order->used_nodes > 1 && question->order->ranks_max > 1;
}

/* What coll/han has, and for what it wants equally many ranks on every node. */
static bool han_has(const struct tm_library_question *question)
{
	switch (question->collective) {
	case TM_BARRIER: case TM_BCAST: case TM_REDUCE: case TM_ALLREDUCE:
		return true;
	case TM_GATHER: case TM_SCATTER: case TM_ALLGATHER:
		return question->order->regular;
	default:
		return false;
	}
}

struct tm_library_answer tm_ask_openmpi5(const struct tm_library_question *question)
{
	if (tm_library_is_nested(question) && han_has(question))
		return (struct tm_library_answer){
			.how = "coll/han, by modules within and between nodes" };
	return tm_ask_openmpi4(question);
}
