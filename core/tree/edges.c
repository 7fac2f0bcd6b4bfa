/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/tree/edges.h"

#include "core/base/mem.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct edge_counter {
	struct tmap_edge_count *rows;
	int count;
	size_t capacity;
};

/* First row whose distance is not below @p distance. */
static int counter_lower_bound(const struct edge_counter *counter, double distance)
{
	int low = 0, high = counter->count;

	while (low < high) {
		int middle = low + (high - low) / 2;

		if (counter->rows[middle].distance < distance)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static int counter_insert(struct edge_counter *counter, int at, double distance,
			  struct tmap_error *err)
{
	struct tmap_edge_count *row;

	if (tmap_grow(&counter->rows, &counter->capacity, (size_t)counter->count + 1,
		      sizeof *counter->rows, err) < 0)
		return -1;
	row = &counter->rows[at];
	memmove(row + 1, row, (size_t)(counter->count - at) * sizeof *row);
	*row = (struct tmap_edge_count){ .distance = distance };
	counter->count++;
	return 0;
}

static int counter_add(struct edge_counter *counter, const double *distance, int count, int skip,
		       struct tmap_error *err)
{
	int at = 0;

	for (int i = 0; i < count; i++) {
		if (i == skip)
			continue;
		if (at >= counter->count || counter->rows[at].distance != distance[i]) {
			at = counter_lower_bound(counter, distance[i]);
			if ((at == counter->count || counter->rows[at].distance != distance[i]) &&
			    counter_insert(counter, at, distance[i], err) < 0)
				return -1;
		}
		counter->rows[at].edges++;
	}
	return 0;
}

int tmap_edges_count(const double *distance, int count, int skip, struct tmap_edge_count **rows,
		     int *row_count, struct tmap_error *err)
{
	struct edge_counter counter = { 0 };

	if (tmap_grow(&counter.rows, &counter.capacity, 1, sizeof *counter.rows, err) < 0)
		return -1;
	if (counter_add(&counter, distance, count, skip, err) < 0) {
		free(counter.rows);
		return -1;
	}
	*rows = counter.rows;
	*row_count = counter.count;
	return 0;
}

double tmap_edges_weight(const struct tmap_edge_count *rows, int row_count)
{
	double weight = 0;

	for (int i = 0; i < row_count; i++)
		weight += rows[i].distance * (double)rows[i].edges;
	return weight;
}

int tmap_edges_merge(struct tmap_edge_count **rows, int *count, const struct tmap_edge_count *more,
		     int more_count, struct tmap_error *err)
{
	size_t room = (size_t)*count + (size_t)more_count;
	struct tmap_edge_count *merged = tmap_alloc(room, sizeof *merged, err);
	int found = 0;

	if (!merged)
		return -1;
	for (int a = 0, b = 0; a < *count || b < more_count;) {
		bool first = b == more_count ||
			(a < *count && (*rows)[a].distance <= more[b].distance);
		const struct tmap_edge_count *next = first ? &(*rows)[a++] : &more[b++];

		if (found && !(merged[found - 1].distance < next->distance))
			merged[found - 1].edges += next->edges;
		else
			merged[found++] = *next;
	}
	free(*rows);
	*rows = merged;
	*count = found;
	return 0;
}
