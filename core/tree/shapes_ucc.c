/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/tree/shapes.h"

#include "core/base/mem.h"

#include <limits.h>
#include <stdlib.h>

/* What UCC knows of a rank's place: its package and NUMA node, if it is bound to one of each. */
struct site {
	int package, numa; /* unknown ones last */
};

/* The object's logical index at a level; a node without such objects, or with one, is one. */
static int site_index(const struct tmap_topology *topo, int object, enum tmap_type type)
{
	int at = tmap_topology_ancestor(topo, object, type);

	if (at != TMAP_NONE)
		return topo->object[at].logical;
	return tmap_topology_count(topo, type) <= 1 ? 0 : INT_MAX;
}

static int site_compare(const struct site *a, const struct site *b)
{
	if (a->package != b->package)
		return a->package < b->package ? -1 : 1;
	return (a->numa > b->numa) - (a->numa < b->numa);
}

static struct site *sites_new(const struct tmap_placement *p, struct tmap_error *err)
{
	struct site *site = tmap_alloc((size_t)p->place_count, sizeof *site, err);

	for (int i = 0; site && i < p->place_count; i++) {
		const struct tmap_place *place = &p->places[i];
		const struct tmap_topology *topo = &p->machine->topology[place->topology];

		site[i].package = site_index(topo, place->object, TMAP_PACKAGE);
		site[i].numa = site_index(topo, place->object, TMAP_NUMA);
	}
	return site;
}

/* UCC leaves ranks alone that stand node by node, by rising site in each. */
static bool ranks_are_ordered(const struct tmap_placement *p, const struct site *site, bool *seen)
{
	for (int r = 1; r < p->size; r++) {
		if (p->node[r] != p->node[r - 1]) {
			seen[p->node[r - 1]] = true;
			if (seen[p->node[r]])
				return false;
		} else if (site_compare(&site[p->place[r - 1]], &site[p->place[r]]) > 0) {
			return false;
		}
	}
	return true;
}

struct sorted_place {
	const struct site *site;
	int place;
};

static int sites_rising(const void *left, const void *right)
{
	const struct sorted_place *a = left, *b = right;

	return site_compare(a->site, b->site);
}

/* Places numbered by their sites; equal sites have one number. NULL with *err set. */
static int *sites_number(const struct tmap_placement *p, const struct site *site, int *count,
			 struct tmap_error *err)
{
	struct sorted_place *sorted = tmap_alloc((size_t)p->place_count, sizeof *sorted, err);
	int *number = tmap_alloc((size_t)p->place_count, sizeof *number, err);

	if (sorted && number) {
		for (int i = 0; i < p->place_count; i++)
			sorted[i] = (struct sorted_place){ &site[i], i };
		qsort(sorted, (size_t)p->place_count, sizeof *sorted, sites_rising);
		*count = 0;
		for (int i = 0; i < p->place_count; i++) {
			*count += !i || sites_rising(&sorted[i - 1], &sorted[i]);
			number[sorted[i].place] = *count - 1;
		}
	}
	if (!sorted) {
		free(number);
		number = NULL;
	}
	free(sorted);
	return number;
}

/* One pass of a stable counting sort of from[] into to[] by key[at[rank]], below count. */
static int ranks_sort_pass(int *to, const int *from, int size, const int *at, const int *key,
			   int count, struct tmap_error *err)
{
	int *next = tmap_alloc((size_t)count + 1, sizeof *next, err);

	if (!next)
		return -1;
	for (int i = 0; i < size; i++)
		next[(key ? key[at[i]] : at[i]) + 1]++;
	for (int k = 0; k < count; k++)
		next[k + 1] += next[k];
	for (int i = 0; i < size; i++) {
		int k = key ? key[at[from[i]]] : at[from[i]];

		to[next[k]++] = from[i];
	}
	free(next);
	return 0;
}

static int ranks_sort(int *order, const struct tmap_placement *p, const struct site *site,
		      struct tmap_error *err)
{
	int count = 0, status = -1;
	int *number = sites_number(p, site, &count, err);
	int *by_number = tmap_alloc((size_t)p->size, sizeof *by_number, err);

	if (number && by_number &&
	    ranks_sort_pass(by_number, order, p->size, p->place, number, count, err) == 0)
		status = ranks_sort_pass(order, by_number, p->size, p->node, NULL,
					 p->machine->node_count, err);
	free(number);
	free(by_number);
	return status;
}

int tmap_shape_ucc_order(int *order, const struct tmap_placement *placement, int size,
			 struct tmap_error *err)
{
	struct site *site = sites_new(placement, err);
	bool *seen = tmap_alloc((size_t)placement->machine->node_count, sizeof *seen, err);
	int status = site && seen ? 0 : -1;

	for (int rank = 0; rank < size; rank++)
		order[rank] = rank;
	if (status == 0 && !ranks_are_ordered(placement, site, seen))
		status = ranks_sort(order, placement, site, err);
	free(site);
	free(seen);
	return status;
}
