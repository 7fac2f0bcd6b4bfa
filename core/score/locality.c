/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/score/locality.h"

#include "core/base/mem.h"
#include "core/schedule/neighborhood.h"

#include <stdlib.h>

void tmap_partition_statistics_fini(struct tmap_partition_statistics *statistics)
{
	free(statistics->ranks);
	*statistics = (struct tmap_partition_statistics){ 0 };
}

int tmap_partition_statistics_init(struct tmap_partition_statistics *statistics,
				   const struct tmap_partition *sets,
				   const struct tmap_placement *placement, int root,
				   struct tmap_error *err)
{
	struct tmap_partition_statistics made = { 0 };
	int64_t p = placement->size;
	int before = TMAP_NONE;

	made.ranks = tmap_alloc((size_t)sets->count, sizeof *made.ranks, err);
	if (!made.ranks)
		return -1;
	for (int r = 0; r < p; r++) {
		int set = tmap_partition_set(sets, placement, r);

		made.ranks[set]++;
		made.runs += set != before;
		before = set;
	}
	for (int s = 0; s < sets->count; s++) {
		made.sets += made.ranks[s] > 0;
		made.apart += made.ranks[s] * (p - made.ranks[s]);
	}
	made.outside = (made.sets - 1) * p;
	made.beyond_root = p - made.ranks[tmap_partition_set(sets, placement, root)];
	if (made.sets == p) { /* each rank has a set of its own */
		free(made.ranks);
		made.ranks = NULL;
	}
	*statistics = made;
	return 0;
}

/* A call that is counted on a placement. */
struct count {
	const struct tmap_call *call;
	const struct tmap_placement *placement;
	const struct tmap_levels *levels;
	const struct tmap_partition_statistics *spread; /* [levels->count] */
	struct tmap_locality *locality;
};

static int add_bytes(int64_t *sum, int64_t more, struct tmap_error *err)
{
	if (__builtin_add_overflow(*sum, more, sum))
		return tmap_fail(err, TMAP_INPUT, "the schedule moves more than 2^63 - 1 bytes");
	return 0;
}

/* sum += a x b */
static int add_product(int64_t *sum, int64_t a, int64_t b, struct tmap_error *err)
{
	int64_t product;

	if (__builtin_mul_overflow(a, b, &product))
		return tmap_fail(err, TMAP_INPUT, "the schedule moves more than 2^63 - 1 bytes");
	return add_bytes(sum, product, err);
}

static int number_of(const struct count *count, int level, int rank)
{
	return tmap_levels_of_rank(count->levels, level, count->placement, rank);
}

/* Pairs of ranks, each counted both ways, of which the first is below a limit and the second in
 * another object. */
static int64_t count_apart_below(const struct count *count, int level, int64_t limit)
{
	int64_t p = count->placement->size, apart = 0;

	const int *ranks = count->spread[level].ranks;

	if (!ranks)
		return limit * (p - 1);
	for (int r = 0; r < limit; r++)
		apart += p - ranks[number_of(count, level, r)];
	return apart;
}

static int add_pairs(int64_t *messages, int64_t *bytes, int64_t all, int64_t larger,
		     const struct tmap_all_pairs *pairs, struct tmap_error *err)
{
	*messages += pairs->bytes ? all : larger;
	return add_product(bytes, pairs->bytes, all, err) < 0 ?
		-1 :
		add_product(bytes, pairs->more, larger, err);
}

static int add_all_pairs(const struct count *count, const struct tmap_all_pairs *pairs,
			 struct tmap_error *err)
{
	struct tmap_locality *locality = count->locality;
	int64_t p = count->placement->size;

	for (int l = 0; l < locality->level_count; l++)
		if (add_pairs(&locality->level[l].messages, &locality->level[l].bytes,
			      count->spread[l].apart, count_apart_below(count, l, pairs->larger),
			      pairs, err) < 0)
			return -1;
	return add_pairs(&locality->messages, &locality->bytes, p * (p - 1),
			 pairs->larger * (p - 1), pairs, err);
}

/* By kind of pair, each kind to the levels that it crosses. */
static int add_moved(const struct count *count, const struct tmap_moved *moved,
		     const struct tmap_pair_kinds *kinds, struct tmap_error *err)
{
	struct tmap_locality *locality = count->locality;

	locality->rounds = moved->rounds;
	for (int k = 0; k < kinds->count; k++) {
		locality->messages += moved->messages[k];
		if (add_bytes(&locality->bytes, moved->bytes[k], err) < 0)
			return -1;
		for (int l = 0; l < locality->level_count; l++) {
			if (!tmap_pair_kind_crosses(kinds, k, l))
				continue;
			locality->level[l].messages += moved->messages[k];
			locality->level[l].bytes += moved->bytes[k]; /* at most all of them */
		}
	}
	for (int i = 0; i < moved->pairs_count; i++)
		if (add_all_pairs(count, &moved->pairs[i], err) < 0)
			return -1;
	return 0;
}

/* How many times the size of the call must cross; for a barrier, messages. */
static int64_t least_crossing(enum tmap_collective collective,
			      const struct tmap_partition_statistics *spread)
{
	switch (collective) {
	case TMAP_ALLGATHER:
		return spread->outside;
	case TMAP_ALLTOALL:
		return spread->apart;
	case TMAP_GATHER:
	case TMAP_SCATTER:
		return spread->beyond_root;
	case TMAP_BCAST:
	case TMAP_REDUCE:
	case TMAP_REDUCE_SCATTER:
		return spread->sets - 1;
	case TMAP_ALLREDUCE:
	case TMAP_BARRIER:
		return 2 * (spread->sets - 1);
	case TMAP_REDUCE_SCATTER_BLOCK:
		return spread->outside;
	case TMAP_SCAN:
	case TMAP_EXSCAN:
		return spread->runs - 1;
	case TMAP_NEIGHBOR_ALLGATHER:
	case TMAP_NEIGHBOR_ALLTOALL:
	case TMAP_COLLECTIVE_COUNT:
		break;
	}
	return 0;
}

static int compare_ints(const void *a, const void *b)
{
	const int *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Objects other than its own that hold neighbours of a rank; list has room for all of these. */
static int64_t count_objects(const struct count *count, int level, int rank, int *list)
{
	const struct tmap_neighborhood *neighborhood = count->call->neighborhood;
	int own = number_of(count, level, rank), kept = 0;
	int64_t objects = 0;

	tmap_neighborhood_list(neighborhood, rank, list);
	for (int k = 0; k < neighborhood->degree; k++)
		if (list[k] != TMAP_NONE && number_of(count, level, list[k]) != own)
			list[kept++] = number_of(count, level, list[k]);
	qsort(list, (size_t)kept, sizeof *list, compare_ints);
	for (int k = 0; k < kept; k++)
		objects += k == 0 || list[k] != list[k - 1];
	return objects;
}

/* Every block enters every other object once in which a neighbour of its rank is; what a
 * rank has for each neighbour is sent in any case. */
static int find_least_of_neighbours(const struct count *count, int level, struct tmap_error *err)
{
	struct tmap_crossing *crossing = &count->locality->level[level];
	int64_t objects = 0;
	int *list;

	if (tmap_call_algorithm(count->call)->collective == TMAP_NEIGHBOR_ALLTOALL) {
		crossing->least = crossing->bytes;
		return 0;
	}
	if (count->call->neighborhood->stencil == TMAP_STENCIL_FULL) {
		objects = count->spread[level].outside;
		return add_product(&crossing->least, objects, count->call->bytes, err);
	}
	list = tmap_alloc_raw((size_t)count->call->neighborhood->degree, sizeof *list, err);
	if (!list)
		return -1;
	for (int r = 0; r < count->placement->size; r++)
		objects += count_objects(count, level, r, list);
	free(list);
	return add_product(&crossing->least, objects, count->call->bytes, err);
}

static int find_least(const struct count *count, int level, struct tmap_error *err)
{
	enum tmap_collective collective = tmap_call_algorithm(count->call)->collective;

	if (tmap_collective_rows[collective].has_neighbors)
		return find_least_of_neighbours(count, level, err);
	return add_product(&count->locality->level[level].least,
			   least_crossing(collective, &count->spread[level]),
			   collective == TMAP_BARRIER ? 1 : count->call->bytes, err);
}

int tmap_locality_init(struct tmap_locality *locality, const struct tmap_call *call,
		       const struct tmap_pair_kinds *kinds,
		       const struct tmap_partition_statistics *spread,
		       const struct tmap_moved *moved, struct tmap_error *err)
{
	struct tmap_locality made = { .level_count = kinds->levels->count };
	struct count count = { .call = call,
			       .placement = kinds->placement,
			       .levels = kinds->levels,
			       .spread = spread,
			       .locality = &made };
	int status = -1;

	made.level = tmap_alloc((size_t)made.level_count, sizeof *made.level, err);
	if (made.level)
		status = add_moved(&count, moved, kinds, err);
	for (int l = 0; l < made.level_count && status == 0; l++)
		status = find_least(&count, l, err);
	if (status < 0)
		tmap_locality_fini(&made);
	else
		*locality = made;
	return status;
}

void tmap_locality_fini(struct tmap_locality *locality)
{
	free(locality->level);
	*locality = (struct tmap_locality){ 0 };
}

double tmap_locality_at(const struct tmap_locality *locality, const struct tmap_call *call,
			int level)
{
	const struct tmap_crossing *crossing = &locality->level[level];
	int64_t moved = tmap_call_algorithm(call)->collective == TMAP_BARRIER ? crossing->messages :
										crossing->bytes;

	return moved ? (double)crossing->least / (double)moved : 1;
}
