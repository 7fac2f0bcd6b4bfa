/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/tree/shapes.h"

#include "core/base/mem.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* 0: {1 2 4}, 1: {3 5}, 3: {7}: the highest bit cleared. */
static int near_parent(int rank, int size, const int64_t *value)
{
	int bit = 1;

	(void)size;
	(void)value;
	while (bit <= rank / 2)
		bit *= 2;
	return rank - bit;
}

/* The lowest digit that is not zero cleared. */
static int digit_parent(int rank, int64_t radix)
{
	int64_t weight = radix;

	while (rank % weight == 0)
		weight *= radix;
	return (int)(rank - rank % weight);
}

static int far_parent(int rank, int size, const int64_t *value)
{
	(void)size;
	(void)value;
	return digit_parent(rank, 2);
}

static int knomial_parent(int rank, int size, const int64_t *value)
{
	(void)size;
	return digit_parent(rank, value[0]);
}

/* Subtrees are runs of ranks: 0: {1 5 7}, 1: {2 4}, 2: {3}, 5: {6}. */
static int knomial_1_parent(int rank, int size, const int64_t *value)
{
	int64_t radix = value[0], width = 1, parent = 0, child = 1;

	while (width < size)
		width *= radix;
	for (;;) {
		int64_t sibling = 1;

		width /= radix;
		for (; sibling < radix && rank >= child + width; sibling++)
			child += width;
		if (sibling == radix)
			continue;
		if (rank == child)
			return (int)parent;
		parent = child++;
	}
}

static int kary_parent(int rank, int size, const int64_t *value)
{
	(void)size;
	return (int)((rank - 1) / value[0]);
}

/* Level l holds the ranks 2^l - 1 to 2^(l+1) - 2; the children of one lie 2^l and 2 x 2^l on. */
static int binary_parent(int rank, int size, const int64_t *value)
{
	int width = 1, parent = rank;

	(void)size;
	(void)value;
	while (width <= rank / 2 + rank % 2)
		width *= 2;
	while (parent > width - 2)
		parent -= width / 2;
	return parent;
}

/* Chains of runs of ranks; the first ones are longer by one where they differ. */
static int chain_parent(int rank, int size, const int64_t *value)
{
	int64_t chains = value[0] < size - 1 ? value[0] : size - 1;
	int64_t shorter = (size - 1) / chains, longer = (size - 1) % chains;
	int64_t at = rank - 1, in_longer = longer * (shorter + 1);

	at = at < in_longer ? at % (shorter + 1) : (at - in_longer) % shorter;
	return at == 0 ? 0 : rank - 1;
}

static int pipeline_parent(int rank, int size, const int64_t *value)
{
	(void)size;
	(void)value;
	return rank - 1;
}

static int flat_parent(int rank, int size, const int64_t *value)
{
	(void)rank;
	(void)size;
	(void)value;
	return 0;
}

/* A subtree is a run of ranks under its last one; the left child precedes that one, the
 * right child ends the first half. Ranks here are shifted by the root, the last rank. */
static int in_order_parent(int rank, int size, const int64_t *value)
{
	int first = 0, count = size, parent = size - 1;

	(void)value;
	rank--;
	for (;;) {
		int right = count > 2 ? count / 2 : 0, child = parent - 1;

		if (rank < first + right) {
			child = first + right - 1;
			count = right;
		} else {
			first += right;
			count -= right + 1;
		}
		if (rank == child)
			return (parent + 1) % size;
		parent = child;
	}
}

static int rank_order(int *order, const struct tmap_placement *placement, int size,
		      struct tmap_error *err)
{
	(void)placement;
	(void)err;
	for (int i = 0; i < size; i++)
		order[i] = i;
	return 0;
}

#define NUMBER(key_, summary_, preset_, least_, most_) \
	{ \
		.key = (key_), .summary = (summary_), .preset = (preset_), .least = (least_), \
		.most = (most_) \
	}
#define RADIX(preset_) NUMBER("radix", "children a level, plus one", preset_, 2, 1 << 20)
#define SEGMENT \
	{ \
		.key = "segment", .summary = "bytes sent at a time; 0: all", .most = INT64_MAX, \
		.is_size = true \
	}
#define END \
	{ \
		.key = NULL \
	}

static const struct tmap_param radix_4[] = { RADIX(4), END };
static const struct tmap_param radix_2[] = { RADIX(2), END };
static const struct tmap_param fanout_2[] = { NUMBER("radix", "children of a rank", 2, 1, 1 << 20),
					      END };
static const struct tmap_param chains[] = { NUMBER("fanout", "number of chains", 1, 1, 32), END };
static const struct tmap_param segment[] = { SEGMENT, END };
static const struct tmap_param switches[] = {
	NUMBER("radix", "children of a rank", 2, 1, 1 << 20),
	NUMBER("reorder", "larger groups and switches first (1) or in rank order (0)", 1, 0, 1), END
};
static const struct tmap_param wave[] = {
	NUMBER("overhead", "of a message, in MPICH's unit", 200, 1, 1000000),
	NUMBER("groups", "latency between groups", 2800, 1, 1000000),
	NUMBER("switches", "latency between switches of a group", 1900, 1, 1000000),
	NUMBER("same", "latency under one switch", 1600, 1, 1000000), END
};

#define OPENMPI(rest_) "--mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_" rest_
#define MPICH_TREE(type_) "MPIR_CVAR_BCAST_INTRA_ALGORITHM=tree MPIR_CVAR_BCAST_TREE_TYPE=" type_
#define MPICH_KVAL " MPIR_CVAR_BCAST_TREE_KVAL={radix}"
#define MPICH_COORDINATES " MPIR_CVAR_COORDINATES_FILE=PATH MPIR_CVAR_BCAST_TOPO_REORDER_ENABLE="

static const struct tmap_tree_row tree_rows[] = {
	{ { { "binomial_near", "Open MPI's broadcast: rank r < 2^k sends to r + 2^k" },
	    NULL,
	    { OPENMPI("bcast_algorithm 6"), NULL, NULL } },
	  near_parent,
	  .turns = TMAP_TURNS_RISING },
	{ { { "binomial_far", "MPICH's broadcast, everybody's reduce: the largest half first" },
	    NULL,
	    { OPENMPI("reduce_algorithm 5"), "MPIR_CVAR_BCAST_INTRA_ALGORITHM=binomial", NULL } },
	  far_parent,
	  .turns = TMAP_TURNS_FALLING },
	{ { { "knomial", "as binomial_far with digits of a radix" },
	    radix_4,
	    { OPENMPI("bcast_algorithm 7 --mca coll_tuned_bcast_algorithm_knomial_radix {radix}"),
	      NULL, "UCC_TL_UCP_TUNE=bcast:@knomial UCC_TL_UCP_BCAST_KN_RADIX={radix}" } },
	  knomial_parent,
	  .turns = TMAP_TURNS_DIGITS },
	{ { { "knomial_1", "MPICH: subtrees are runs of ranks" },
	    radix_2,
	    { NULL, MPICH_TREE("knomial_1") MPICH_KVAL, NULL } },
	  knomial_1_parent,
	  .turns = TMAP_TURNS_RISING },
	{ { { "knomial_2", "MPICH: as binomial_far with digits of a radix" },
	    radix_2,
	    { NULL, MPICH_TREE("knomial_2") MPICH_KVAL, NULL } },
	  knomial_parent,
	  .turns = TMAP_TURNS_FALLING },
	{ { { "kary", "MPICH: rank r has the children kr + 1 to kr + k" },
	    fanout_2,
	    { NULL, MPICH_TREE("kary") MPICH_KVAL, NULL } },
	  kary_parent,
	  .turns = TMAP_TURNS_RISING },
	{ { { "binary", "Open MPI: two children, on the next level half a level apart" },
	    NULL,
	    { OPENMPI("bcast_algorithm 5"), NULL, NULL } },
	  binary_parent,
	  .turns = TMAP_TURNS_RISING },
	{ { { "split_binary",
	      "binary; each half of the tree carries half of the message, and "
	      "pairs across exchange them" },
	    segment,
	    { OPENMPI("bcast_algorithm 4 --mca coll_tuned_bcast_algorithm_segmentsize {segment}"),
	      NULL, NULL } },
	  binary_parent,
	  .turns = TMAP_TURNS_RISING,
	  .is_halved = true },
	{ { { "in_order_binary", "Open MPI's reduce that keeps the order of the operands" },
	    NULL,
	    { OPENMPI("reduce_algorithm 6"), NULL, NULL } },
	  in_order_parent,
	  .turns = TMAP_TURNS_FALLING,
	  .is_last_rooted = true },
	{ { { "chain", "chains of consecutive ranks" },
	    chains,
	    { OPENMPI("bcast_algorithm 2 --mca coll_tuned_bcast_algorithm_chain_fanout {fanout}"),
	      NULL, NULL } },
	  chain_parent,
	  .turns = TMAP_TURNS_RISING },
	{ { { "pipeline", "one chain, the message in segments" },
	    segment,
	    { OPENMPI("bcast_algorithm 3 --mca coll_tuned_bcast_algorithm_segmentsize {segment}"),
	      NULL, NULL } },
	  pipeline_parent,
	  .turns = TMAP_TURNS_RISING },
	{ { { "flat", "the root sends to everybody" },
	    NULL,
	    { OPENMPI("bcast_algorithm 1"), NULL, NULL } },
	  flat_parent,
	  .turns = TMAP_TURNS_TOGETHER },
	{ { { "topology_aware", "MPICH: k-ary over groups of switches, then switches, then ranks" },
	    switches,
	    { NULL, MPICH_TREE("topology_aware") MPICH_KVAL MPICH_COORDINATES "{reorder}", NULL } },
	  NULL,
	  .turns = TMAP_TURNS_RISING,
	  .build = tmap_shape_topology_aware },
	{ { { "topology_aware_k", "topology_aware with at most k children a rank over all three" },
	    switches,
	    { NULL, MPICH_TREE("topology_aware_k") MPICH_KVAL MPICH_COORDINATES "{reorder}",
	      NULL } },
	  NULL,
	  .turns = TMAP_TURNS_RISING,
	  .build = tmap_shape_topology_aware_k },
	{ { { "topology_wave", "MPICH: switch by switch, each rank from who reaches it first" },
	    wave,
	    { NULL,
	      MPICH_TREE("topology_wave") MPICH_COORDINATES
	      "1"
	      " MPIR_CVAR_BCAST_TOPO_OVERHEAD={overhead}"
	      " MPIR_CVAR_BCAST_TOPO_DIFF_GROUPS={groups}"
	      " MPIR_CVAR_BCAST_TOPO_DIFF_SWITCHES={switches}"
	      " MPIR_CVAR_BCAST_TOPO_SAME_SWITCHES={same}",
	      NULL } },
	  NULL,
	  .turns = TMAP_TURNS_RISING,
	  .build = tmap_shape_topology_wave },
	{ .parent = NULL },
};

const struct tmap_keywords tmap_tree_shapes = TMAP_KEYWORDS("tree", tree_rows);

static const struct tmap_ring_row ring_rows[] = {
	{ { { "ring", "rank r sends to r + 1" },
	    NULL,
	    { OPENMPI("allgather_algorithm 4"), "MPIR_CVAR_ALLGATHER_INTRA_ALGORITHM=ring",
	      "UCC_TL_UCP_TUNE=allgather:@ring UCC_TL_UCP_RANKS_REORDERING=n" } },
	  rank_order },
	{ { { "ucc_reordered",
	      "UCC: ranks by node, package and NUMA node where they are not "
	      "so already" },
	    NULL,
	    { NULL, NULL, "UCC_TL_UCP_TUNE=allgather:@ring UCC_TL_UCP_RANKS_REORDERING=y" } },
	  tmap_shape_ucc_order },
	{ .build = NULL },
};

const struct tmap_keywords tmap_ring_shapes = TMAP_KEYWORDS("ring", ring_rows);

static int rank_unshift(const struct tmap_tree *tree, int rank)
{
	return rank < tree->size - tree->root ? rank + tree->root :
						rank - (tree->size - tree->root);
}

/* The next rank takes its turn behind its siblings so far. */
static void turn_take(struct tmap_tree *tree, int *served, int rank)
{
	if (rank != tree->root)
		tree->turn[rank] = served[tree->parent[rank]]++;
}

static void turns_take_by_digit(struct tmap_tree *tree, int *served, int64_t radix)
{
	int64_t weight = 1;

	while (weight < tree->size)
		weight *= radix;
	for (; weight > 0; weight /= radix)
		for (int64_t rank = weight; rank < tree->size; rank += weight)
			if (rank / weight % radix)
				turn_take(tree, served, rank_unshift(tree, (int)rank));
}

static void turns_take(struct tmap_tree *tree, int *served, const struct tmap_tree_row *row,
		       int64_t radix)
{
	for (int i = 0; i < tree->size && row->turns != TMAP_TURNS_DIGITS; i++) {
		if (row->turns == TMAP_TURNS_RISING)
			turn_take(tree, served, rank_unshift(tree, i));
		else if (row->turns == TMAP_TURNS_FALLING)
			turn_take(tree, served, rank_unshift(tree, tree->size - 1 - i));
		else
			turn_take(tree, served, i);
	}
	if (row->turns == TMAP_TURNS_DIGITS)
		turns_take_by_digit(tree, served, radix);
	tree->shared_radix = row->turns == TMAP_TURNS_DIGITS ? radix :
		row->turns == TMAP_TURNS_TOGETHER            ? INT64_MAX :
							       0;
}

static int tree_build_by_rank(struct tmap_tree *tree, const struct tmap_tree_row *row,
			      const int64_t *value, struct tmap_error *err)
{
	int *served = tmap_alloc((size_t)tree->size, sizeof *served, err);

	if (!served)
		return -1;
	for (int rank = 1; rank < tree->size; rank++)
		tree->parent[rank_unshift(tree, rank)] =
			rank_unshift(tree, row->parent(rank, tree->size, value));
	turns_take(tree, served, row, value[0]);
	free(served);
	return 0;
}

int tmap_shape_parents(struct tmap_tree *tree, const struct tmap_spec *choice,
		       const struct tmap_placement *placement, int size, int root,
		       struct tmap_error *err)
{
	const struct tmap_tree_row *row = (const void *)choice->row;
	struct tmap_tree made;
	int status;

	if (!row->parent && !placement)
		return tmap_fail(err, TMAP_INPUT,
				 "%s needs a placement: a matrix of distances does "
				 "not know the switches",
				 choice->row->word.name);
	if (tmap_tree_alloc(&made, size, root, err) < 0)
		return -1;
	if (row->is_last_rooted) {
		made.root = size - 1;
		made.parent[made.root] = TMAP_NONE;
	}
	status = tmap_tree_add_turns(&made, err);
	if (status == 0)
		status = row->parent ? tree_build_by_rank(&made, row, choice->value, err) :
				       row->build(&made, choice, placement, err);
	if (status < 0)
		tmap_tree_fini(&made);
	else
		*tree = made;
	return status;
}

int tmap_shape_tree(struct tmap_tree *tree, const struct tmap_spec *choice,
		    const struct tmap_metric *metric, int root, struct tmap_error *err)
{
	if (tmap_shape_parents(tree, choice, metric->placement, metric->size, root, err) < 0)
		return -1;
	tmap_tree_set_distances(tree, metric);
	return 0;
}

/* Turn the ring round until rank 0 stands first. */
static int order_rotate(int *order, int size, struct tmap_error *err)
{
	int *turned = tmap_alloc_raw((size_t)size, sizeof *turned, err);
	int zero = 0;

	if (!turned)
		return -1;
	while (order[zero] != 0)
		zero++;
	for (int i = 0; i < size; i++)
		turned[i] = order[i < size - zero ? i + zero : i - (size - zero)];
	memcpy(order, turned, (size_t)size * sizeof *order);
	free(turned);
	return 0;
}

int tmap_shape_ring(struct tmap_ring *ring, const struct tmap_spec *choice,
		    const struct tmap_metric *metric, struct tmap_error *err)
{
	const struct tmap_ring_row *row = (const void *)choice->row;
	struct tmap_ring made;

	if (row->build != rank_order && !metric->placement)
		return tmap_fail(err, TMAP_INPUT,
				 "%s needs a placement: a matrix of distances does "
				 "not know the nodes",
				 choice->row->word.name);
	if (tmap_ring_alloc(&made, metric->size, err) < 0)
		return -1;
	if (row->build(made.order, metric->placement, made.size, err) < 0 ||
	    order_rotate(made.order, made.size, err) < 0) {
		tmap_ring_fini(&made);
		return -1;
	}
	tmap_ring_set_distances(&made, metric);
	*ring = made;
	return 0;
}

int tmap_shape_tree_called(struct tmap_tree *tree, const char *name,
			   const struct tmap_metric *metric, int root, struct tmap_error *err)
{
	struct tmap_spec choice;

	if (tmap_spec_parse(&choice, &tmap_tree_shapes, name, err) < 0)
		return -1;
	return tmap_shape_tree(tree, &choice, metric, root, err);
}

int tmap_shape_ring_called(struct tmap_ring *ring, const char *name,
			   const struct tmap_metric *metric, struct tmap_error *err)
{
	struct tmap_spec choice;

	if (tmap_spec_parse(&choice, &tmap_ring_shapes, name, err) < 0)
		return -1;
	return tmap_shape_ring(ring, &choice, metric, err);
}
