/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/cost/tree_cost.h"

#include "core/base/mem.h"

#include <stdlib.h>

enum { OTHER_NODE = 7 };

/* What an edge costs at each step of the metric. */
struct edge_cost {
	double serve_s; /* of the parent's time */
	double copy_s;  /* of the child's */
};

struct tree_timing {
	const struct tmap_tree *tree;
	const struct tmap_metric *process;
	struct edge_cost *edge; /* [step_count] */
	int *first, *child;     /* children of r in the order in which it serves them */
	double *arrival;        /* [size]: of the first chunk */
	double *period;         /* [size]: longest on the path from the root */
	int *queue;             /* [size]: parents before children */
};

int64_t tmap_chunk_count(int64_t bytes, int64_t chunk_bytes)
{
	if (chunk_bytes <= 0 || bytes <= chunk_bytes)
		return 1;
	return bytes / chunk_bytes + (bytes % chunk_bytes != 0);
}

static void timing_fini(struct tree_timing *timing)
{
	free(timing->edge);
	free(timing->first);
	free(timing->child);
	free(timing->arrival);
	free(timing->period);
	free(timing->queue);
}

static int timing_init(struct tree_timing *timing, const struct tmap_tree *tree,
		       const struct tmap_metric *process, struct tmap_error *err)
{
	size_t size = (size_t)tree->size;

	*timing = (struct tree_timing){ .tree = tree, .process = process };
	timing->edge = tmap_alloc((size_t)process->step_count, sizeof *timing->edge, err);
	timing->arrival = tmap_alloc(size, sizeof *timing->arrival, err);
	timing->period = tmap_alloc(size, sizeof *timing->period, err);
	timing->queue = tmap_alloc(size, sizeof *timing->queue, err);
	if (timing->edge && timing->arrival && timing->period && timing->queue &&
	    tmap_tree_children(tree, &timing->first, &timing->child, err) == 0)
		return 0;
	timing_fini(timing);
	return -1;
}

static void edges_cost(struct tree_timing *timing, const struct tmap_profile *profile,
		       int64_t bytes, int64_t chunks)
{
	double chunk = (double)bytes / (double)chunks;
	int64_t rounded = bytes / chunks + (bytes % chunks != 0);

	for (int s = 0; s < timing->process->step_count; s++) {
		double distance = timing->process->step[s].value;
		const struct tmap_profile_row *row = tmap_profile_find(profile, distance, rounded);
		bool leaves_node = distance >= OTHER_NODE;
		double copy = chunk * row->byte_s;

		timing->edge[s] = (struct edge_cost){
			.serve_s = row->latency_s + (leaves_node ? copy : 0),
			.copy_s = leaves_node ? 0 : copy,
		};
	}
}

static int edge_step(const struct tree_timing *timing, int rank)
{
	return tmap_metric_step_of(timing->process, rank, timing->tree->parent[rank]);
}

/* The farthest first; equally far ones keep their rising order. step[] is of children. */
static void timing_sort_by_distance(struct tree_timing *timing, const int *step, int *sorted)
{
	for (int r = 0; r < timing->tree->size; r++) {
		int begin = timing->first[r], end = timing->first[r + 1], at = begin;

		for (int s = timing->process->step_count - 1; s >= 0 && at < end; s--)
			for (int i = begin; i < end; i++)
				if (step[i] == s)
					sorted[at++] = timing->child[i];
	}
}

static int timing_sort_children(struct tree_timing *timing, struct tmap_error *err)
{
	const struct tmap_tree *tree = timing->tree;
	int edges = tree->size - 1;
	int *sorted, *step;

	if (tree->turn) {
		for (int r = 0; r < tree->size; r++)
			if (r != tree->root)
				timing->child[timing->first[tree->parent[r]] + tree->turn[r]] = r;
		return 0;
	}
	sorted = tmap_alloc((size_t)edges, sizeof *sorted, err);
	step = sorted ? tmap_alloc((size_t)edges, sizeof *step, err) : NULL;
	if (!step) {
		free(sorted);
		return -1;
	}
	for (int i = 0; i < edges; i++)
		step[i] = edge_step(timing, timing->child[i]);
	timing_sort_by_distance(timing, step, sorted);
	free(step);
	free(timing->child);
	timing->child = sorted;
	return 0;
}

static void children_serve(struct tree_timing *timing, int parent, double own_copy)
{
	int begin = timing->first[parent], end = timing->first[parent + 1];
	double at = timing->arrival[parent], period = own_copy;

	for (int i = begin; i < end; i++) {
		int child = timing->child[i];
		const struct edge_cost *edge = &timing->edge[edge_step(timing, child)];

		at += edge->serve_s;
		period += edge->serve_s;
		timing->arrival[child] = at + edge->copy_s;
		timing->period[child] = edge->copy_s;
	}
	if (period > timing->period[parent])
		timing->period[parent] = period;
}

/* From the root down: a child has its own copy as its period, then its path's longest. */
static void timing_run(struct tree_timing *timing)
{
	const struct tmap_tree *tree = timing->tree;
	int filled = 0;

	timing->queue[filled++] = tree->root;
	for (int at = 0; at < filled; at++) {
		int rank = timing->queue[at];
		double own_copy = timing->period[rank];

		children_serve(timing, rank, own_copy);
		if (rank != tree->root && timing->period[tree->parent[rank]] > timing->period[rank])
			timing->period[rank] = timing->period[tree->parent[rank]];
		for (int i = timing->first[rank]; i < timing->first[rank + 1]; i++)
			timing->queue[filled++] = timing->child[i];
	}
}

static void cost_set_end(struct tmap_tree_cost *cost, const struct tree_timing *timing)
{
	cost->last = timing->tree->root;
	for (int r = 0; r < timing->tree->size; r++) {
		double end = timing->arrival[r] + (double)(cost->chunks - 1) * timing->period[r];

		if (end > cost->path_s) {
			cost->path_s = end;
			cost->last = r;
		}
	}
}

static int accesses_busiest(struct tmap_tree_cost *cost, const struct tree_timing *timing,
			    const struct tmap_profile *profile, int64_t bytes,
			    struct tmap_error *err)
{
	struct tmap_accesses accesses;
	int64_t most = 0;

	if (tmap_accesses_of_tree(&accesses, timing->tree, timing->process->placement, err) < 0)
		return -1;
	for (int i = 0; i < accesses.count; i++)
		if (accesses.row[i].reads + accesses.row[i].writes > most)
			most = accesses.row[i].reads + accesses.row[i].writes;
	tmap_accesses_fini(&accesses);
	cost->controller_s = (double)most * (double)bytes * profile->memory_byte_s;
	return 0;
}

static int adapter_busiest(struct tmap_tree_cost *cost, const struct tree_timing *timing,
			   const struct tmap_profile *profile, int64_t bytes,
			   struct tmap_error *err)
{
	const struct tmap_placement *p = timing->process->placement;
	int64_t *messages = tmap_alloc((size_t)p->machine->node_count, sizeof *messages, err);
	int64_t most = 0;

	if (!messages)
		return -1;
	for (int r = 0; r < timing->tree->size; r++) {
		int parent = timing->tree->parent[r];

		if (r == timing->tree->root || p->node[r] == p->node[parent])
			continue;
		if (++messages[p->node[parent]] > most)
			most = messages[p->node[parent]];
	}
	free(messages);
	cost->adapter_s = (double)most * (double)bytes * profile->adapter_byte_s;
	return 0;
}

static int cost_set_in_flight(struct tmap_tree_cost *cost, const struct tmap_tree *tree,
			      struct tmap_error *err)
{
	int *depth = tmap_tree_depths(tree, err);

	if (!depth)
		return -1;
	for (int r = 0; r < tree->size; r++)
		if (depth[r] > cost->in_flight)
			cost->in_flight = depth[r];
	if (cost->chunks < cost->in_flight)
		cost->in_flight = cost->chunks;
	free(depth);
	return 0;
}

static double cost_max(double a, double b)
{
	return a > b ? a : b;
}

int tmap_tree_cost(struct tmap_tree_cost *cost, const struct tmap_tree *tree,
		   const struct tmap_metric *process, const struct tmap_profile *profile,
		   int64_t bytes, int64_t chunk_bytes, struct tmap_error *err)
{
	struct tmap_tree_cost made = { .chunks = tmap_chunk_count(bytes, chunk_bytes) };
	struct tree_timing timing;
	int status;

	if (bytes < 0 || chunk_bytes < 0)
		return tmap_fail(err, TMAP_INPUT, "a message or a chunk has no fewer than 0 bytes");
	if (timing_init(&timing, tree, process, err) < 0)
		return -1;
	edges_cost(&timing, profile, bytes, made.chunks);
	status = timing_sort_children(&timing, err);
	if (status == 0) {
		timing_run(&timing);
		cost_set_end(&made, &timing);
		status = cost_set_in_flight(&made, tree, err);
	}
	if (status == 0)
		status = accesses_busiest(&made, &timing, profile, bytes, err);
	if (status == 0)
		status = adapter_busiest(&made, &timing, profile, bytes, err);
	timing_fini(&timing);
	if (status < 0)
		return -1;
	made.seconds = cost_max(made.path_s, cost_max(made.controller_s, made.adapter_s));
	*cost = made;
	return 0;
}
