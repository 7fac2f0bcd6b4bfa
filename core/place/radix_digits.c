#include "core/place/radix_digits.h"

#include "core/base/mem.h"

#include <stdlib.h>

const struct tmap_level_kind *tmap_radix_kind(const struct tmap_radix *x, int depth)
{
	return &x->inside.kind[depth - x->machine->tier_count];
}

static void find_outer(struct tmap_radix *x)
{
	for (int i = 0; i < x->count; i++) {
		x->digit[i].outer = TMAP_NONE;
		for (int k = 0; k < x->count; k++)
			if (x->digit[k].depth < x->digit[i].depth &&
			    (x->digit[i].outer == TMAP_NONE ||
			     x->digit[k].depth > x->digit[x->digit[i].outer].depth))
				x->digit[i].outer = k;
	}
}

/* The switch above a node at a tier; a node of its own where it is not known. */
static int switch_of(const struct tmap_radix *x, int depth, int node)
{
	const struct tmap_tier *tier = &x->machine->tier[x->machine->tier_count - 1 - depth];

	return tier->switch_of[node] != TMAP_NONE ? tier->switch_of[node] :
						    tier->switch_count + node;
}

/* The object of the outer level that a node lies in: a switch, or the job. */
static int outer_of(const struct tmap_radix *x, const struct tmap_radix_digit *d, int node)
{
	return d->outer == TMAP_NONE ? 0 : switch_of(x, x->digit[d->outer].depth, node);
}

static size_t key_count(const struct tmap_radix *x)
{
	size_t most = 1;

	for (int t = 0; t < x->machine->tier_count; t++)
		if ((size_t)x->machine->tier[t].switch_count > most)
			most = (size_t)x->machine->tier[t].switch_count;
	return most + (size_t)x->machine->node_count;
}

/* Numbers of the objects of one node, in of_object; how many there are is returned. */
static int number_objects(const struct tmap_radix *x, const struct tmap_radix_digit *d,
			  int topology, int *number, struct tmap_error *err)
{
	const struct tmap_topology *topo = &x->machine->topology[topology];
	const struct tmap_usable_kind *objects = &x->usable.kind[topology];
	bool inside = d->outer != TMAP_NONE && x->digit[d->outer].depth > x->machine->tier_count;
	int *seen = tmap_alloc((size_t)topo->object_count + 1, 2 * sizeof *seen, err), *next;
	int most = 0;

	if (!seen)
		return -1;
	next = seen + topo->object_count + 1;
	for (int s = 0; s < objects->count; s++) {
		int at =
			tmap_level_object(topo, *tmap_radix_kind(x, d->depth), objects->object[s]) +
			1;
		int around = inside ? 1 +
				tmap_level_object(topo,
						  *tmap_radix_kind(x, x->digit[d->outer].depth),
						  objects->object[s]) :
				      0;

		if (!seen[at])
			seen[at] = ++next[around];
		number[s] = seen[at] - 1;
		most = seen[at] > most ? seen[at] : most;
	}
	free(seen);
	return most;
}

static int number_inside(const struct tmap_radix *x, struct tmap_radix_digit *d, int *counts,
			 struct tmap_error *err)
{
	size_t kinds = (size_t)x->machine->topology_count;

	d->of_object = tmap_alloc(kinds, sizeof *d->of_object, err);
	if (!d->of_object)
		return -1;
	for (size_t t = 0; t < kinds; t++) {
		d->of_object[t] =
			tmap_alloc((size_t)x->usable.kind[t].count, sizeof **d->of_object, err);
		if (!d->of_object[t])
			return -1;
		counts[t] = number_objects(x, d, (int)t, d->of_object[t], err);
		if (counts[t] < 0)
			return -1;
	}
	return 0;
}

/* Numbers of nodes or switches, or of the first object of each node where objects are
 * counted over several nodes. */
static void number_nodes(const struct tmap_radix *x, struct tmap_radix_digit *d, const int *counts,
			 int *seen, int *next)
{
	int tiers = x->machine->tier_count;

	for (int n = 0; n < x->machine->node_count; n++) {
		int around, at;

		if (d->outer != TMAP_NONE && x->digit[d->outer].depth >= tiers)
			continue; /* counted within the node: from 0 */
		around = outer_of(x, d, n);
		if (d->depth > tiers) {
			d->of_node[n] = next[around];
			next[around] += counts[x->machine->node_topology[n]];
			continue;
		}
		at = d->depth == tiers ? n : switch_of(x, d->depth, n);
		if (!seen[at])
			seen[at] = ++next[around];
		d->of_node[n] = seen[at] - 1;
	}
}

static int number_level(struct tmap_radix *x, struct tmap_radix_digit *d, struct tmap_error *err)
{
	size_t keys = key_count(x);
	int *work = tmap_alloc(keys, 2 * sizeof *work, err);
	int *counts = tmap_alloc((size_t)x->machine->topology_count, sizeof *counts, err);
	int rc = -1;

	d->of_node = tmap_alloc((size_t)x->machine->node_count, sizeof *d->of_node, err);
	if (work && counts && d->of_node &&
	    (d->depth <= x->machine->tier_count || number_inside(x, d, counts, err) == 0)) {
		number_nodes(x, d, counts, work, work + keys);
		rc = 0;
	}
	free(work);
	free(counts);
	return rc;
}

int tmap_radix_number_of(const struct tmap_radix *x, const struct tmap_radix_digit *d, int node,
			 int object)
{
	int number = d->of_node[node];

	if (d->of_object)
		number += d->of_object[x->machine->node_topology[node]]
				      [object - x->usable.first[node]];
	return number;
}

int tmap_radix_number(struct tmap_radix *x, struct tmap_error *err)
{
	find_outer(x);
	for (int i = 0; i < x->count; i++)
		if (number_level(x, &x->digit[i], err) < 0)
			return -1;
	return 0;
}

void tmap_radix_fini(struct tmap_radix *x)
{
	for (int i = 0; i < x->count; i++) {
		for (int t = 0; x->digit[i].of_object && t < x->machine->topology_count; t++)
			free(x->digit[i].of_object[t]);
		free(x->digit[i].of_object);
		free(x->digit[i].of_node);
	}
	tmap_usable_fini(&x->usable);
	tmap_level_order_fini(&x->inside);
}
