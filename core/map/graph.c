/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/map/graph.h"

#include "core/base/mem.h"
#include "core/pattern/rows.h"

#include <stdlib.h>

void tmap_graph_fini(struct tmap_graph *graph)
{
	free(graph->start);
	free(graph->peer);
	free(graph->weight);
	free(graph->size);
	*graph = (struct tmap_graph){ 0 };
}

static int graph_allocate(struct tmap_graph *graph, int count, int64_t edges,
			  struct tmap_error *err)
{
	*graph = (struct tmap_graph){ .count = count };
	graph->start = tmap_alloc((size_t)count + 1, sizeof *graph->start, err);
	graph->peer = tmap_alloc_raw((size_t)edges, sizeof *graph->peer, err);
	graph->weight = tmap_alloc_raw((size_t)edges, sizeof *graph->weight, err);
	graph->size = tmap_alloc_raw((size_t)count, sizeof *graph->size, err);
	if (graph->start && graph->peer && graph->weight && graph->size)
		return 0;
	tmap_graph_fini(graph);
	return -1;
}

int tmap_graph_init(struct tmap_graph *graph, const struct tmap_pattern *pattern, int count,
		    struct tmap_error *err)
{
	struct tmap_pattern_rows rows;
	int64_t next = 0;

	if (tmap_pattern_rows_init(&rows, pattern, NULL, true, err) < 0)
		return -1;
	if (graph_allocate(graph, count, pattern->entries, err) < 0) {
		tmap_pattern_rows_fini(&rows);
		return -1;
	}
	for (int r = 0; r < count; r++) {
		graph->start[r] = next;
		graph->size[r] = 1;
		if (r >= pattern->size || !tmap_pattern_rows_next(&rows))
			continue;
		for (int i = 0; i < rows.count; i++) {
			double weight = rows.sent[i] + rows.received[i];

			if (weight <= 0)
				continue;
			graph->peer[next] = rows.peer[i];
			graph->weight[next++] = weight;
		}
	}
	graph->start[count] = next;
	tmap_pattern_rows_fini(&rows);
	return 0;
}

/* The edges of the fine vertices member[0 .. count) become those of one coarse vertex. slot[]
 * is the place of the edge to another vertex in the row of coarse vertex @p at, if there is one. */
static int64_t coarse_add_vertex(struct tmap_graph *coarse, const struct tmap_graph *fine,
				 const int *of, const int *member, int count, int at, int64_t *slot)
{
	int64_t first = coarse->start[at], next = first;

	for (int k = 0; k < count; k++)
		for (int64_t i = fine->start[member[k]]; i < fine->start[member[k] + 1]; i++) {
			int to = of[fine->peer[i]];

			if (to == at)
				continue;
			if (slot[to] < first) {
				slot[to] = next;
				coarse->peer[next] = to;
				coarse->weight[next++] = fine->weight[i];
			} else {
				coarse->weight[slot[to]] += fine->weight[i];
			}
		}
	return next;
}

/* The vertices by the one that each is in: begin[c] .. begin[c + 1] of member[]. */
static void vertices_sort_by_coarse(const int *of, int vertices, int count, int *begin, int *member)
{
	for (int v = 0; v < vertices; v++)
		begin[of[v] + 1]++;
	for (int c = 0; c < count; c++)
		begin[c + 1] += begin[c];
	for (int v = 0; v < vertices; v++)
		member[begin[of[v]]++] = v;
	for (int c = count; c > 0; c--)
		begin[c] = begin[c - 1];
	begin[0] = 0;
}

int tmap_graph_contract(struct tmap_graph *coarse, const struct tmap_graph *fine, const int *of,
			int count, struct tmap_error *err)
{
	int *begin = tmap_alloc((size_t)count + 1, sizeof *begin, err);
	int *member = tmap_alloc_raw((size_t)fine->count, sizeof *member, err);
	int64_t *slot = tmap_alloc_raw((size_t)count, sizeof *slot, err);
	int status = -1;

	if (begin && member && slot)
		status = graph_allocate(coarse, count, fine->start[fine->count], err);
	if (status == 0) {
		vertices_sort_by_coarse(of, fine->count, count, begin, member);
		for (int c = 0; c < count; c++)
			slot[c] = -1;
		for (int c = 0; c < count; c++) {
			coarse->size[c] = 0;
			for (int k = begin[c]; k < begin[c + 1]; k++)
				coarse->size[c] += fine->size[member[k]];
			coarse->start[c + 1] = coarse_add_vertex(coarse, fine, of,
								 member + begin[c],
								 begin[c + 1] - begin[c], c, slot);
		}
	}
	free(begin);
	free(member);
	free(slot);
	return status;
}

int tmap_graph_extract(struct tmap_graph *part, const struct tmap_graph *whole, const int *list,
		       int count, int *name, struct tmap_error *err)
{
	int64_t edges = 0, next = 0;

	for (int k = 0; k < count; k++)
		edges += whole->start[list[k] + 1] - whole->start[list[k]];
	if (graph_allocate(part, count, edges, err) < 0)
		return -1;
	for (int k = 0; k < count; k++)
		name[list[k]] = k;
	for (int k = 0; k < count; k++) {
		part->size[k] = whole->size[list[k]];
		for (int64_t i = whole->start[list[k]]; i < whole->start[list[k] + 1]; i++) {
			int to = name[whole->peer[i]];

			if (to == TMAP_NONE)
				continue;
			part->peer[next] = to;
			part->weight[next++] = whole->weight[i];
		}
		part->start[k + 1] = next;
	}
	for (int k = 0; k < count; k++)
		name[list[k]] = TMAP_NONE;
	return 0;
}
