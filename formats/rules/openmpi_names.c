/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/rules/openmpi_names.h"

#include "core/tune/rule_collectives.h"

#include <stdlib.h>
#include <strings.h>

enum { NUMBERS = 10 };

static const char *const names[TMAP_RULE_COLLECTIVES][NUMBERS] = {
	{ "ignore", "linear", "bruck-k-fanout", "recursive_doubling", "ring", "neighbor",
	  "two_proc", "sparbit", "direct-messaging" }, /* allgather */
	{ "ignore", "default", "bruck", "ring", "neighbor", "two_proc",
	  "sparbit" }, /* allgatherv */
	{ "ignore", "basic_linear", "nonoverlapping", "recursive_doubling", "ring",
	  "segmented_ring", "rabenseifner", "allgather_reduce" }, /* allreduce */
	{ "ignore", "linear", "pairwise", "modified_bruck", "linear_sync",
	  "two_proc" },                           /* alltoall */
	{ "ignore", "basic_linear", "pairwise" }, /* alltoallv */
	{ NULL },                                 /* alltoallw */
	{ "ignore", "linear", "double_ring", "recursive_doubling", "bruck", "two_proc",
	  "tree" }, /* barrier */
	{ "ignore", "basic_linear", "chain", "pipeline", "split_binary_tree", "binary_tree",
	  "binomial", "knomial", "scatter_allgather", "scatter_allgather_ring" }, /* bcast */
	{ "ignore", "linear", "recursive_doubling" },                             /* exscan */
	{ "ignore", "basic_linear", "binomial", "linear_sync" },                  /* gather */
	{ NULL },                                                                 /* gatherv */
	{ "ignore", "linear", "chain", "pipeline", "binary", "binomial", "in-order_binary",
	  "rabenseifner", "knomial" }, /* reduce */
	{ "ignore", "non-overlapping", "recursive_halving", "ring",
	  "butterfly" }, /* reduce_scatter */
	{ "ignore", "basic_linear", "recursive_doubling", "recursive_halving",
	  "butterfly" },                                       /* reduce_scatter_block */
	{ "ignore", "linear", "recursive_doubling" },          /* scan */
	{ "ignore", "basic_linear", "binomial", "linear_nb" }, /* scatter */
	{ NULL },                                              /* scatterv */
};

const char *tmap_openmpi_algorithm_name(int64_t collective, int64_t algorithm)
{
	if (collective < 0 || collective >= TMAP_RULE_COLLECTIVES || algorithm < 0 ||
	    algorithm >= NUMBERS)
		return NULL;
	return names[collective][algorithm];
}

bool tmap_openmpi_algorithm_find(int64_t *algorithm, int64_t collective, const char *name)
{
	char *end;
	int64_t number = strtoll(name, &end, 0); /* the library takes any base */

	for (int i = 0; i < NUMBERS; i++) {
		const char *its = tmap_openmpi_algorithm_name(collective, i);

		if (!its || !((!*end && number == i) || strcasecmp(name, its) == 0))
			continue;
		*algorithm = i;
		return true;
	}
	return false;
}
