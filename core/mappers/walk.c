/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/mappers/walk.h"

#include "core/base/mem.h"

#include <stdlib.h>

static int nodes_by_switch(const void *left, const void *right, void *data)
{
	const struct tmap_machine *machine = data;
	int a = *(const int *)left, b = *(const int *)right;

	for (int t = machine->tier_count - 1; t >= 0; t--) {
		const int *switch_of = machine->tier[t].switch_of;

		if (switch_of[a] != switch_of[b])
			return switch_of[a] < switch_of[b] ? -1 : 1;
	}
	return a - b;
}

static int ranks_by_object(const void *left, const void *right, void *data)
{
	const struct tmap_placement *p = data;
	int a = *(const int *)left, b = *(const int *)right;
	int difference = tmap_placement_object(p, a) - tmap_placement_object(p, b);

	return difference ? difference : a - b;
}

/* Where the ranks of each node begin, the nodes taken in the order of the walk. */
static int *nodes_first_place(const struct tmap_placement *p, struct tmap_error *err)
{
	int nodes = p->machine->node_count, next = 0;
	int *order = tmap_alloc_raw((size_t)nodes, sizeof *order, err);
	int *start = order ? tmap_placement_count_ranks(p, err) : NULL;

	if (start) {
		for (int n = 0; n < nodes; n++)
			order[n] = n;
		qsort_r(order, (size_t)nodes, sizeof *order, nodes_by_switch, p->machine);
		for (int i = 0; i < nodes; i++) {
			int ranks = start[order[i]];

			start[order[i]] = next;
			next += ranks;
		}
	}
	free(order);
	return start;
}

int tmap_walk(int *place_of, const struct tmap_placement *p, struct tmap_error *err)
{
	int *start = nodes_first_place(p, err);
	int first = 0;

	if (!start)
		return -1;
	for (int r = 0; r < p->size; r++)
		place_of[start[p->node[r]]++] = r;
	free(start);
	while (first < p->size) {
		int end = first + 1;

		while (end < p->size && p->node[place_of[end]] == p->node[place_of[first]])
			end++;
		qsort_r(place_of + first, (size_t)(end - first), sizeof *place_of, ranks_by_object,
			(void *)p);
		first = end;
	}
	return 0;
}
