#include "core/algorithms/phase.h"

#include "core/algorithms/tables.h"

#include <string.h>

const char *const tm_allgather_phases[] = {
	"bruck", "ring", "neighbor_exchange", "recursive_doubling", "recursive_doubling_any",
	"sparbit", "sparbit_blocks", "pat", "spread", "swing", "linear", NULL
};

const char *const tm_bcast_phases[] = {
	"binomial_far", "binomial_near", "knomial", "kary", "binary", "chain", "pipeline",
	"split_binary", "flat", "scatter_allgather", "scatter_ring", "bine", "circulant", NULL
};

const char *const tm_reduce_phases[] = {
	"binomial_far", "knomial", "chain", "pipeline", "binary", "in_order_binary", "flat",
	"rabenseifner", NULL
};

const char *const tm_allreduce_phases[] = {
	"recursive_doubling", "ring", "segmented_ring", "rabenseifner", "swing", "reduce_bcast",
	NULL
};

const char *const tm_gather_phases[] = { "binomial_far", "linear", NULL };

const char *const tm_scatter_phases[] = { "binomial_far", "linear", NULL };

const char *const tm_reduce_scatter_phases[] = {
	"recursive_halving", "butterfly", "pairwise", "ring", NULL
};

const char *const tm_alltoall_phases[] = {
	"bruck", "pairwise", "pairwise_xor", "linear", "spread", NULL
};

const char *const tm_scan_phases[] = { "recursive_doubling", "linear", NULL };

const char *const tm_barrier_phases[] = {
	"dissemination", "recursive_doubling", "tree", "double_ring", "linear", NULL
};

static const char *const *const phases[TM_COLLECTIVE_COUNT] = {
	[TM_ALLGATHER] = tm_allgather_phases, [TM_BCAST] = tm_bcast_phases,
	[TM_REDUCE] = tm_reduce_phases, [TM_ALLREDUCE] = tm_allreduce_phases,
	[TM_REDUCE_SCATTER] = tm_reduce_scatter_phases,
	[TM_REDUCE_SCATTER_BLOCK] = tm_reduce_scatter_phases, [TM_GATHER] = tm_gather_phases,
	[TM_SCATTER] = tm_scatter_phases, [TM_ALLTOALL] = tm_alltoall_phases,
	[TM_SCAN] = tm_scan_phases, [TM_EXSCAN] = tm_scan_phases,
	[TM_BARRIER] = tm_barrier_phases,
};

struct tm_choice tm_phase_choice(enum tm_collective collective, int64_t index)
{
	const struct tm_words *words = tm_algorithms(collective);
	const char *name = phases[collective][index];
	int row = 0;

	while (strcmp(tm_words_at(words, (size_t)row)->name, name) != 0)
		row++;
	return tm_choice_preset(words, row);
}
