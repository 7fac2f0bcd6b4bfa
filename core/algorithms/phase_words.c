#include "core/algorithms/phase.h"

#include "core/algorithms/catalogue.h"
#include "core/algorithms/tables.h"

#include <string.h>

const char *const tmap_allgather_phases[] = { "bruck",
					      "ring",
					      "neighbor_exchange",
					      "recursive_doubling",
					      "recursive_doubling_any",
					      "sparbit",
					      "sparbit_blocks",
					      "pat",
					      "spread",
					      "swing",
					      "linear",
					      NULL };

const char *const tmap_bcast_phases[] = {
	"binomial_far", "binomial_near", "knomial",      "kary", "binary",
	"chain",        "pipeline",      "split_binary", "flat", "scatter_allgather",
	"scatter_ring", "bine",          "circulant",    NULL
};

const char *const tmap_reduce_phases[] = { "binomial_far", "knomial",      "chain",
					   "pipeline",     "binary",       "in_order_binary",
					   "flat",         "rabenseifner", NULL };

const char *const tmap_allreduce_phases[] = {
	"recursive_doubling", "ring", "segmented_ring", "rabenseifner", "swing",
	"reduce_bcast",       NULL
};

const char *const tmap_gather_phases[] = { "binomial_far", "linear", NULL };

const char *const tmap_scatter_phases[] = { "binomial_far", "linear", NULL };

const char *const tmap_reduce_scatter_phases[] = { "recursive_halving", "butterfly", "pairwise",
						   "ring", NULL };

const char *const tmap_alltoall_phases[] = { "bruck",  "pairwise", "pairwise_xor",
					     "linear", "spread",   NULL };

const char *const tmap_scan_phases[] = { "recursive_doubling", "linear", NULL };

const char *const tmap_barrier_phases[] = { "dissemination", "recursive_doubling",
					    "tree",          "double_ring",
					    "linear",        NULL };

static const char *const *const phases[TMAP_COLLECTIVE_COUNT] = {
	[TMAP_ALLGATHER] = tmap_allgather_phases,
	[TMAP_BCAST] = tmap_bcast_phases,
	[TMAP_REDUCE] = tmap_reduce_phases,
	[TMAP_ALLREDUCE] = tmap_allreduce_phases,
	[TMAP_REDUCE_SCATTER] = tmap_reduce_scatter_phases,
	[TMAP_REDUCE_SCATTER_BLOCK] = tmap_reduce_scatter_phases,
	[TMAP_GATHER] = tmap_gather_phases,
	[TMAP_SCATTER] = tmap_scatter_phases,
	[TMAP_ALLTOALL] = tmap_alltoall_phases,
	[TMAP_SCAN] = tmap_scan_phases,
	[TMAP_EXSCAN] = tmap_scan_phases,
	[TMAP_BARRIER] = tmap_barrier_phases,
};

struct tmap_spec tmap_phase_spec(enum tmap_collective collective, int64_t index)
{
	const struct tmap_keywords *words = tmap_algorithms(collective);
	const char *name = phases[collective][index];
	int row = 0;

	while (strcmp(tmap_keywords_at(words, (size_t)row)->name, name) != 0)
		row++;
	return tmap_spec_preset(words, row);
}
