/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/algorithms/hierarchical.h"
#include "core/algorithms/phase.h"

const char *tmap_hierarchical_level(int64_t i)
{
	static const char *const outside[] = { "all", "switch4", "switch3", "switch2", "switch1" };

	if (i <= TMAP_HIERARCHICAL_TIERS)
		return outside[i];
	i -= TMAP_HIERARCHICAL_TIERS + 1;
	return i < TMAP_TYPE_COUNT ? tmap_type_name((enum tmap_type)i) : NULL;
}

/* As in core/group/elect.h. */
static const char *const elections[] = { "first", "adapter", "root", "idle", "column", NULL };

#define LIST(name, text, list) \
	{ \
		.key = name, .summary = text, .word_at = list, .is_list = true, .most = INT64_MAX \
	}
#define LEVEL_LIST \
	{ \
		.key = "levels", \
		.summary = \
			"at which ranks are split, \"node+numa\"; all: those at which they differ", \
		.word_at = tmap_hierarchical_level, .is_list = true, .most = INT64_MAX \
	}
#define ELECTION \
	{ \
		.key = "elect", .summary = "which rank leads its communicator, but for the root", \
		.words = elections, .most = INT32_MAX \
	}
#define EACH_LEVEL(list) \
	{ \
		LEVEL_LIST, ELECTION, \
			LIST("inner", "algorithms from the outermost level inwards", list), \
		{ \
			.key = NULL \
		} \
	}
#define UP_AND_DOWN(top, up, up_list, down, down_list) \
	{ \
		LEVEL_LIST, ELECTION, LIST("inner", "algorithm at the outermost level", top), \
			LIST(up, "algorithms below it, before that", up_list), \
			LIST(down, "algorithms below it, after that", down_list), \
		{ \
			.key = NULL \
		} \
	}

const struct tmap_param tmap_hierarchical_bcast[] = EACH_LEVEL(tmap_bcast_phases);
const struct tmap_param tmap_hierarchical_reduce[] = EACH_LEVEL(tmap_reduce_phases);
const struct tmap_param tmap_hierarchical_gather[] = EACH_LEVEL(tmap_gather_phases);
const struct tmap_param tmap_hierarchical_scatter[] = EACH_LEVEL(tmap_scatter_phases);
const struct tmap_param tmap_hierarchical_allgather[] = UP_AND_DOWN(
	tmap_allgather_phases, "gather", tmap_gather_phases, "bcast", tmap_bcast_phases);
const struct tmap_param tmap_hierarchical_allreduce[] = UP_AND_DOWN(
	tmap_allreduce_phases, "reduce", tmap_reduce_phases, "bcast", tmap_bcast_phases);
const struct tmap_param tmap_hierarchical_reduce_scatter[] = UP_AND_DOWN(
	tmap_reduce_scatter_phases, "reduce", tmap_reduce_phases, "scatter", tmap_scatter_phases);
const struct tmap_param tmap_hierarchical_alltoall[] = UP_AND_DOWN(
	tmap_alltoall_phases, "gather", tmap_gather_phases, "scatter", tmap_scatter_phases);
const struct tmap_param tmap_hierarchical_barrier[] =
	UP_AND_DOWN(tmap_barrier_phases, "reduce", tmap_reduce_phases, "bcast", tmap_bcast_phases);
