/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/machine/order.h"

#include "core/base/mem.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

/* Nodes are visited in rank order: one that comes again after another has been left is not
 * one interval. */
static bool is_consecutive(const struct tmap_placement *p, bool *left)
{
	for (int r = 1; r < p->size; r++) {
		if (p->node[r] == p->node[r - 1])
			continue;
		left[p->node[r - 1]] = true;
		if (left[p->node[r]])
			return false;
	}
	return true;
}

/* Is rank r on node floor(r/k) mod N, the nodes being numbered by their smallest rank? */
static bool is_plane(const struct tmap_placement *p, const int *node_at, int nodes, int k)
{
	int at = 0, run = 0;

	for (int r = 0; r < p->size; r++) {
		if (p->node[r] != node_at[at])
			return false;
		if (++run == k) {
			run = 0;
			at = at + 1 == nodes ? 0 : at + 1;
		}
	}
	return true;
}

static int first_run(const struct tmap_placement *p)
{
	int k = 1;

	while (k < p->size && p->node[k] == p->node[0])
		k++;
	return k;
}

static int order_count_nodes(struct tmap_order *order, const int *ranks, int node_count,
			     struct tmap_error *err)
{
	int *nodes;

	order->ranks_min = INT_MAX;
	for (int n = 0; n < node_count; n++) {
		if (!ranks[n])
			continue;
		if (ranks[n] < order->ranks_min)
			order->ranks_min = ranks[n];
		if (ranks[n] > order->ranks_max)
			order->ranks_max = ranks[n];
	}
	order->regular = order->ranks_min == order->ranks_max;
	nodes = tmap_alloc((size_t)order->ranks_max + 1, sizeof *nodes, err);
	if (!nodes)
		return -1;
	for (int n = 0; n < node_count; n++)
		nodes[ranks[n]]++;
	order->ranks_usual = order->ranks_max;
	for (int r = order->ranks_max; r > 0; r--)
		if (nodes[r] > nodes[order->ranks_usual])
			order->ranks_usual = r;
	free(nodes);
	return 0;
}

static void name_order(struct tmap_order *order, const struct tmap_placement *p, const int *node_at)
{
	int k = first_run(p);

	order->kind = TMAP_ORDER_OTHER;
	if (order->consecutive) {
		order->kind = TMAP_ORDER_BLOCK;
	} else if (is_plane(p, node_at, order->used_nodes, k)) {
		order->kind = k == 1 ? TMAP_ORDER_CYCLIC : TMAP_ORDER_PLANE;
		order->plane = k == 1 ? 0 : k;
	}
}

int tmap_order_find(struct tmap_order *order, const struct tmap_placement *p,
		    struct tmap_error *err)
{
	size_t nodes = (size_t)p->machine->node_count;
	struct tmap_order found = { 0 };
	int *ranks = tmap_alloc(nodes, sizeof *ranks, err);
	int *node_at = tmap_alloc(nodes, sizeof *node_at, err);
	bool *left = tmap_alloc(nodes, sizeof *left, err);
	int status = -1;

	if (!ranks || !node_at || !left)
		goto out;
	for (int r = 0; r < p->size; r++)
		if (ranks[p->node[r]]++ == 0)
			node_at[found.used_nodes++] = p->node[r];
	if (order_count_nodes(&found, ranks, p->machine->node_count, err) < 0)
		goto out;
	found.consecutive = is_consecutive(p, left);
	name_order(&found, p, node_at);
	*order = found;
	status = 0;
out:
	free(ranks);
	free(node_at);
	free(left);
	return status;
}

struct spot {
	int node, object, rank;
};

static int compare_spots(const void *a, const void *b)
{
	const struct spot *x = a, *y = b;

	if (x->node != y->node)
		return x->node < y->node ? -1 : 1;
	if (x->object != y->object)
		return x->object < y->object ? -1 : 1;
	return (x->rank > y->rank) - (x->rank < y->rank);
}

int *tmap_order_by_place(const struct tmap_placement *p, struct tmap_error *err)
{
	struct spot *spot = tmap_alloc_raw((size_t)p->size, sizeof *spot, err);
	int *rank = spot ? tmap_alloc_raw((size_t)p->size, sizeof *rank, err) : NULL;

	if (rank) {
		for (int r = 0; r < p->size; r++)
			spot[r] = (struct spot){ p->node[r], tmap_placement_object(p, r), r };
		qsort(spot, (size_t)p->size, sizeof *spot, compare_spots);
		for (int i = 0; i < p->size; i++)
			rank[i] = spot[i].rank;
	}
	free(spot);
	return rank;
}

char *tmap_order_print(const struct tmap_order *order, char text[TMAP_ORDER_ROOM])
{
	static const char *const name[] = { "block", "cyclic", "plane", "other" };

	if (order->kind == TMAP_ORDER_PLANE)
		snprintf(text, TMAP_ORDER_ROOM, "plane(%d)", order->plane);
	else
		snprintf(text, TMAP_ORDER_ROOM, "%s", name[order->kind]);
	return text;
}
