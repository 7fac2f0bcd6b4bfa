/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/support/literal.h"

#include <stdbool.h>
#include <stdlib.h>

/* Edges of one weight at the root come first, by the other end: that is u, made negative. */
struct edge {
	double weight;
	int u, v; /* u < v; at the root: u is the other end - p, v the root */
};

static int by_queue_order(const void *left, const void *right)
{
	const struct edge *a = left, *b = right;

	if (a->weight != b->weight)
		return a->weight < b->weight ? -1 : 1;
	if (a->u != b->u)
		return a->u < b->u ? -1 : 1;
	return (a->v > b->v) - (a->v < b->v);
}

/* The queue Q; root -1: no edge is at the root (Algorithm 2). */
static struct edge *sort_edges(const double *distance, int p, int root, size_t *count)
{
	struct edge *queue = malloc(((size_t)p * (size_t)(p - 1) / 2 + 1) * sizeof *queue);
	size_t n = 0;

	for (int u = 0; u < p; u++)
		for (int v = u + 1; v < p; v++) {
			double weight = distance[(size_t)u * (size_t)p + (size_t)v];

			if (u == root || v == root)
				queue[n++] = (struct edge){ weight, u + v - root - p, root };
			else
				queue[n++] = (struct edge){ weight, u, v };
		}
	qsort(queue, n, sizeof *queue, by_queue_order);
	*count = n;
	return queue;
}

/* MAKE-SET, FIND-SET and UNION by a label for each vertex. */
static int *make_sets(int p)
{
	int *set = malloc((size_t)p * sizeof *set);

	for (int v = 0; v < p; v++)
		set[v] = v;
	return set;
}

static void unite(int *set, int p, int u, int v)
{
	int from = set[u], to = set[v];

	for (int w = 0; w < p; w++)
		if (set[w] == from)
			set[w] = to;
}

/* Hang every vertex that is not rooted yet under its rooted neighbour. */
static void root_tree(const struct edge *taken, int count, int root, int p, int *parent)
{
	bool *rooted = calloc((size_t)p, sizeof *rooted), grew = true;

	parent[root] = -1;
	rooted[root] = true;
	while (grew) {
		grew = false;
		for (int i = 0; i < count; i++) {
			int u = taken[i].u, v = taken[i].v;

			if (rooted[u] == rooted[v])
				continue;
			parent[rooted[u] ? v : u] = rooted[u] ? u : v;
			rooted[u] = rooted[v] = grew = true;
		}
	}
	free(rooted);
}

void literal_tree(const double *distance, int p, int root, int *parent)
{
	size_t count;
	int taken = 0, *set = make_sets(p);
	struct edge *queue = sort_edges(distance, p, root, &count);

	for (size_t i = 0; i < count && taken < p - 1; i++) {
		struct edge edge = queue[i];

		edge.u += edge.u < 0 ? p : 0;
		if (set[edge.u] == set[edge.v])
			continue;
		unite(set, p, edge.u, edge.v);
		queue[taken++] = edge;
	}
	root_tree(queue, taken, root, p, parent);
	free(queue);
	free(set);
}

/* The other end of the first edge at @p vertex that does not lead to @p came; -1: none. */
static int other_end(const struct edge *ring, int p, int vertex, int came)
{
	for (int i = 0; i < p; i++) {
		int other = ring[i].u == vertex ? ring[i].v : ring[i].u;

		if ((ring[i].u == vertex || ring[i].v == vertex) && other != came)
			return other;
	}
	return -1;
}

/* The closed ring, from its p edges. */
static void walk_ring(const struct edge *ring, int p, int *order)
{
	int one = other_end(ring, p, 0, -1), two = other_end(ring, p, 0, one);

	order[0] = 0;
	if (p > 1)
		order[1] = two >= 0 && two < one ? two : one;
	for (int n = 2; n < p; n++)
		order[n] = other_end(ring, p, order[n - 1], order[n - 2]);
}

void literal_ring(const double *distance, int p, int *order)
{
	size_t count;
	int taken = 0, *set = make_sets(p), *degree = calloc((size_t)p, sizeof *degree);
	struct edge *queue = sort_edges(distance, p, -1, &count);
	struct edge close = { 0, -1, -1 };

	for (size_t i = 0; i < count && taken < p - 1; i++) {
		struct edge edge = queue[i];

		if (set[edge.u] == set[edge.v] || degree[edge.u] == 2 || degree[edge.v] == 2)
			continue;
		unite(set, p, edge.u, edge.v);
		degree[edge.u]++;
		degree[edge.v]++;
		queue[taken++] = edge;
	}
	for (int v = 0; v < p; v++)
		if (degree[v] < 2) {
			close.u = close.u < 0 ? v : close.u;
			close.v = v;
		}
	queue[taken] = close;
	walk_ring(queue, p, order);
	free(queue);
	free(degree);
	free(set);
}
