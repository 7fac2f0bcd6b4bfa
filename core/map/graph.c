/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/map/graph.h"

#include "core/base/hash.h"
#include "core/base/mem.h"
#include "core/pattern/rows.h"

#include <stdlib.h>
#include <string.h>

enum {
	LIKE_MOST = 1 << 12, /* rows of a grid that are kept once, */
	LIKE_DEGREE = 64,    /* of no more neighbours */
	SLOTS = 2 * LIKE_MOST,
};

void tmap_graph_fini(struct tmap_graph *graph)
{
	free(graph->like);
	free(graph->start);
	free(graph->peer);
	free(graph->weight);
	free(graph->size);
	*graph = (struct tmap_graph){ 0 };
}

/* Room for so many edges of so many rows, each of its own vertex. */
static int graph_allocate(struct tmap_graph *graph, int count, int64_t edges,
			  struct tmap_error *err)
{
	*graph = (struct tmap_graph){ .count = count };
	graph->start = tmap_alloc((size_t)count + 1, sizeof *graph->start, err);
	graph->peer = tmap_alloc_raw((size_t)edges, sizeof *graph->peer, err);
	graph->weight = tmap_alloc_raw((size_t)edges, sizeof *graph->weight, err);
	if (graph->start && graph->peer && graph->weight)
		return 0;
	tmap_graph_fini(graph);
	return -1;
}

static int graph_allocate_sizes(struct tmap_graph *graph, struct tmap_error *err)
{
	graph->size = tmap_alloc_raw((size_t)graph->count, sizeof *graph->size, err);
	if (graph->size)
		return 0;
	tmap_graph_fini(graph);
	return -1;
}

/* The entries of a row that have bytes, as edges from @p next on, with peers beyond @p vertex. Returns where
 * they end. */
static int64_t row_write(struct tmap_graph *graph, int64_t next,
			 const struct tmap_pattern_rows *rows, int vertex)
{
	for (int i = 0; i < rows->count; i++) {
		double weight = rows->sent[i] + rows->received[i];

		if (weight <= 0)
			continue;
		graph->peer[next] = rows->peer[i] - vertex;
		graph->weight[next++] = weight;
	}
	return next;
}

static bool row_is_same(const struct tmap_graph *graph, int row, int64_t begin, int64_t end)
{
	int64_t first = graph->start[row];
	size_t count = (size_t)(end - begin);

	return graph->start[row + 1] - first == end - begin &&
		memcmp(graph->peer + first, graph->peer + begin, count * sizeof *graph->peer) ==
		0 &&
		memcmp(graph->weight + first, graph->weight + begin,
		       count * sizeof *graph->weight) == 0;
}

/* Rows that were met, by their edges. */
struct met_rows {
	int count;
	int slot[SLOTS]; /* 1 + row; 0: free */
};

/* The number of the row begin .. end - 1, which is kept if it is new; TMAP_NONE: there are too many. */
static int row_find(struct met_rows *met, struct tmap_graph *graph, int64_t end)
{
	int64_t begin = graph->start[met->count];
	uint64_t hash = tmap_hash_ints(graph->peer + begin, (int)(end - begin));
	size_t i = (size_t)(hash & (SLOTS - 1));

	for (; met->slot[i]; i = (i + 1) & (SLOTS - 1))
		if (row_is_same(graph, met->slot[i] - 1, begin, end))
			return met->slot[i] - 1;
	if (met->count == LIKE_MOST)
		return TMAP_NONE;
	met->slot[i] = ++met->count;
	graph->start[met->count] = end;
	return met->count - 1;
}

/* The rows of a grid, each once. 1: there are too many. */
static int graph_fill_grid(struct tmap_graph *graph, struct tmap_pattern_rows *rows,
			   struct met_rows *met)
{
	while (tmap_pattern_rows_next(rows)) {
		int64_t end = row_write(graph, graph->start[met->count], rows, rows->rank);
		int row = row_find(met, graph, end);

		if (row == TMAP_NONE)
			return 1;
		graph->like[rows->rank] = (uint16_t)row;
		graph->edges += graph->start[row + 1] - graph->start[row];
	}
	if (rows->pattern->size < graph->count) {
		int none = row_find(met, graph, graph->start[met->count]);

		if (none == TMAP_NONE)
			return 1;
		for (int v = rows->pattern->size; v < graph->count; v++)
			graph->like[v] = (uint16_t)none;
	}
	return 0;
}

static int graph_init_grid(struct tmap_graph *graph, const struct tmap_pattern *pattern, int count,
			   struct tmap_error *err)
{
	int64_t longest = 2 * (int64_t)pattern->grid->degree;
	int64_t most = pattern->size < LIKE_MOST ? pattern->size + 1 : LIKE_MOST + 1;
	struct tmap_pattern_rows rows = { 0 };
	struct met_rows *met = tmap_alloc(1, sizeof *met, err);
	int status = -1;

	if (met && graph_allocate(graph, LIKE_MOST, most * longest, err) == 0) {
		graph->count = count;
		graph->like = tmap_alloc_raw((size_t)count, sizeof *graph->like, err);
		if (graph->like && tmap_pattern_rows_init(&rows, pattern, NULL, true, err) == 0)
			status = graph_fill_grid(graph, &rows, met);
	}
	tmap_pattern_rows_fini(&rows);
	free(met);
	if (status != 0)
		tmap_graph_fini(graph);
	return status;
}

int tmap_graph_init(struct tmap_graph *graph, const struct tmap_pattern *pattern, int count,
		    struct tmap_error *err)
{
	struct tmap_pattern_rows rows;
	int64_t next = 0;
	int status = pattern->grid && pattern->grid->degree <= LIKE_DEGREE ?
		graph_init_grid(graph, pattern, count, err) :
		1;

	if (status <= 0)
		return status;
	if (tmap_pattern_rows_init(&rows, pattern, NULL, true, err) < 0)
		return -1;
	if (graph_allocate(graph, count, pattern->entries, err) < 0) {
		tmap_pattern_rows_fini(&rows);
		return -1;
	}
	for (int r = 0; r < count; r++) {
		graph->start[r] = next;
		if (r < pattern->size && tmap_pattern_rows_next(&rows))
			next = row_write(graph, next, &rows, 0);
	}
	graph->start[count] = graph->edges = next;
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
		for (int64_t i = tmap_graph_begin(fine, member[k]);
		     i < tmap_graph_end(fine, member[k]); i++) {
			int to = of[tmap_graph_peer(fine, member[k], i)];

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
		status = graph_allocate(coarse, count, fine->edges, err);
	if (status == 0)
		status = graph_allocate_sizes(coarse, err);
	if (status == 0) {
		vertices_sort_by_coarse(of, fine->count, count, begin, member);
		for (int c = 0; c < count; c++)
			slot[c] = -1;
		for (int c = 0; c < count; c++) {
			coarse->size[c] = 0;
			for (int k = begin[c]; k < begin[c + 1]; k++)
				coarse->size[c] += tmap_graph_size(fine, member[k]);
			coarse->start[c + 1] = coarse_add_vertex(coarse, fine, of,
								 member + begin[c],
								 begin[c + 1] - begin[c], c, slot);
		}
		coarse->edges = coarse->start[count];
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
		edges += tmap_graph_degree(whole, list[k]);
	if (graph_allocate(part, count, edges, err) < 0 || graph_allocate_sizes(part, err) < 0)
		return -1;
	for (int k = 0; k < count; k++)
		name[list[k]] = k;
	for (int k = 0; k < count; k++) {
		part->size[k] = tmap_graph_size(whole, list[k]);
		for (int64_t i = tmap_graph_begin(whole, list[k]);
		     i < tmap_graph_end(whole, list[k]); i++) {
			int to = name[tmap_graph_peer(whole, list[k], i)];

			if (to == TMAP_NONE)
				continue;
			part->peer[next] = to;
			part->weight[next++] = whole->weight[i];
		}
		part->start[k + 1] = next;
	}
	part->edges = next;
	for (int k = 0; k < count; k++)
		name[list[k]] = TMAP_NONE;
	return 0;
}
