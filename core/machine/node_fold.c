/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/machine/node_fold.h"

#include "core/base/hash.h"
#include "core/base/mem.h"
#include "core/base/wraps.h"
#include "core/machine/partition.h"

#include <stdlib.h>

void tmap_node_fold_fini(struct tmap_node_fold *fold)
{
	free(fold->first);
	free(fold->rank);
	free(fold->class_of);
	free(fold->example);
	free(fold->nodes);
	*fold = (struct tmap_node_fold){ 0 };
}

/* The same for the same places in whatever order: a sum of hashes. */
TMAP_WRAPS static uint64_t node_hash(const struct tmap_node_fold *fold,
				     const struct tmap_placement *p, int n)
{
	uint64_t sum = tmap_hash_add(TMAP_HASH, (uint64_t)p->machine->node_topology[n]);

	if (p->others)
		sum = tmap_hash_add(sum, (uint64_t)p->others[n] + 1);
	for (int i = fold->first[n]; i < fold->first[n + 1]; i++)
		sum += tmap_hash_add(TMAP_HASH, (uint64_t)p->place[fold->rank[i]] + 1);
	return tmap_hash_add(TMAP_HASH, sum);
}

/* count[] is all zero before and afterwards. */
static bool is_node_alike(const struct tmap_node_fold *fold, const struct tmap_placement *p, int a,
			  int b, int *count)
{
	int ranks = fold->first[a + 1] - fold->first[a];
	bool alike = true;

	if (p->machine->node_topology[a] != p->machine->node_topology[b] ||
	    ranks != fold->first[b + 1] - fold->first[b] ||
	    (p->others && p->others[a] != p->others[b]))
		return false;
	for (int i = 0; i < ranks; i++) {
		count[p->place[fold->rank[fold->first[a] + i]]]++;
		count[p->place[fold->rank[fold->first[b] + i]]]--;
	}
	for (int i = 0; i < ranks; i++) {
		int *of_a = &count[p->place[fold->rank[fold->first[a] + i]]];
		int *of_b = &count[p->place[fold->rank[fold->first[b] + i]]];

		alike = alike && !*of_a && !*of_b;
		*of_a = *of_b = 0;
	}
	return alike;
}

/* Open addressing; a slot holds a class + 1, or 0. */
static int *fold_find_slot(const struct tmap_node_fold *fold, const struct tmap_placement *p, int n,
			   int *slot, size_t mask, int *count)
{
	size_t at = (size_t)node_hash(fold, p, n) & mask;

	while (slot[at] && !is_node_alike(fold, p, fold->example[slot[at] - 1], n, count))
		at = (at + 1) & mask;
	return &slot[at];
}

static void fold_nodes(struct tmap_node_fold *fold, const struct tmap_placement *p, int *slot,
		       size_t mask, int *count)
{
	for (int n = 0; n < p->machine->node_count; n++) {
		int *found;

		fold->class_of[n] = TMAP_NONE;
		if (fold->first[n] == fold->first[n + 1])
			continue;
		found = fold_find_slot(fold, p, n, slot, mask, count);
		if (!*found) {
			fold->example[fold->class_count++] = n;
			*found = fold->class_count;
		}
		fold->class_of[n] = *found - 1;
		fold->nodes[*found - 1]++;
	}
}

int tmap_node_fold_init(struct tmap_node_fold *fold, const struct tmap_placement *p,
			struct tmap_error *err)
{
	size_t nodes = (size_t)p->machine->node_count, slots = 16;
	struct tmap_node_fold made = { 0 };
	int *slot, *count;
	struct tmap_partition by_node;
	int status = -1;

	if (tmap_partition_init_nodes(&by_node, p->machine, err) < 0)
		return -1;
	while (slots < 2 * nodes)
		slots *= 2;
	slot = tmap_alloc(slots, sizeof *slot, err);
	count = tmap_alloc((size_t)p->place_count, sizeof *count, err);
	made.first = tmap_alloc_raw(nodes + 1, sizeof *made.first, err);
	made.rank = tmap_alloc_raw((size_t)p->size, sizeof *made.rank, err);
	made.class_of = tmap_alloc_raw(nodes, sizeof *made.class_of, err);
	made.example = tmap_alloc_raw(nodes, sizeof *made.example, err);
	made.nodes = tmap_alloc(nodes, sizeof *made.nodes, err);
	if (!slot || !count || !made.first || !made.rank || !made.class_of || !made.example ||
	    !made.nodes) {
		tmap_node_fold_fini(&made);
		goto out;
	}
	tmap_partition_sort(&by_node, p, made.first, made.rank);
	fold_nodes(&made, p, slot, slots - 1, count);
	*fold = made;
	status = 0;
out:
	tmap_partition_fini(&by_node);
	free(slot);
	free(count);
	return status;
}

void tmap_sample_fini(struct tmap_sample *sample)
{
	tmap_node_fold_fini(&sample->part_fold);
	tmap_placement_fini(&sample->part);
	*sample = (struct tmap_sample){ 0 };
}

/* The node before which the sample ends, and how many used ones there are up to there. */
static int sample_find_end(const struct tmap_node_fold *fold, int node_count, int most_ranks,
			   int *used)
{
	int end = 0, seen = 0;

	for (int n = 0; n < node_count; n++) {
		if (fold->first[n + 1] == fold->first[n])
			continue;
		seen++;
		if (seen > 2 && fold->first[n + 1] > most_ranks)
			break;
		if ((seen & (seen - 1)) == 0) {
			end = n + 1;
			*used = seen;
		}
	}
	return end;
}

int tmap_sample_count(const struct tmap_placement *p, const struct tmap_node_fold *fold,
		      int most_ranks, int *nodes)
{
	*nodes = 0;
	if (p->size <= most_ranks)
		return p->size;
	return fold->first[sample_find_end(fold, p->machine->node_count, most_ranks, nodes)];
}

static int sample_select(struct tmap_sample *sample, const struct tmap_placement *p, int end,
			 int size, struct tmap_error *err)
{
	int *place_of = tmap_alloc_raw((size_t)size, sizeof *place_of, err), count = 0, status;

	if (!place_of)
		return -1;
	for (int r = 0; r < p->size; r++)
		if (p->node[r] < end)
			place_of[count++] = r;
	status = tmap_placement_select(&sample->part, p, place_of, size, err);
	free(place_of);
	return status < 0 ? -1 : tmap_node_fold_init(&sample->part_fold, &sample->part, err);
}

int tmap_sample_init(struct tmap_sample *sample, const struct tmap_placement *p,
		     const struct tmap_node_fold *fold, int most_ranks, struct tmap_error *err)
{
	int end;

	*sample = (struct tmap_sample){ .placement = p, .fold = fold };
	if (p->size <= most_ranks)
		return 0;
	end = sample_find_end(fold, p->machine->node_count, most_ranks, &sample->nodes);
	if (sample_select(sample, p, end, fold->first[end], err) < 0) {
		tmap_sample_fini(sample);
		return -1;
	}
	sample->placement = &sample->part;
	sample->fold = &sample->part_fold;
	return 0;
}
