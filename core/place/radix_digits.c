#include "core/place/radix_digits.h"

#include "core/base/mem.h"

#include <stdlib.h>

const struct tm_level_kind *tm_radix_kind(const struct tm_radix *x, int depth)
{
	return &x->inside.kind[depth - x->machine->tier_count];
}

static void find_outer(struct tm_radix *x)
{
	for (int i = 0; i < x->count; i++) {
		x->digit[i].outer = TM_NONE;
		for (int k = 0; k < x->count; k++)
			if (x->digit[k].depth < x->digit[i].depth &&
			    (x->digit[i].outer == TM_NONE ||
			     x->digit[k].depth > x->digit[x->digit[i].outer].depth))
				x->digit[i].outer = k;
	}
}

/* The switch above a node at a tier; a node of its own where it is not known. */
static int switch_of(const struct tm_radix *x, int depth, int node)
{
	const struct tm_tier *tier = &x->machine->tier[x->machine->tier_count - 1 - depth];

	return tier->switch_of[node] != TM_NONE ? tier->switch_of[node] :
						  tier->switch_count + node;
}

/* The object of the outer level that a node lies in: a switch, or the job. */
static int outer_of(const struct tm_radix *x, const struct tm_radix_digit *d, int node)
{
	return d->outer == TM_NONE ? 0 : switch_of(x, x->digit[d->outer].depth, node);
}

static size_t key_count(const struct tm_radix *x)
{
	size_t most = 1;

	for (int t = 0; t < x->machine->tier_count; t++)
		if ((size_t)x->machine->tier[t].switch_count > most)
			most = (size_t)x->machine->tier[t].switch_count;
	return most + (size_t)x->machine->node_count;
}

/* Numbers of the objects of one node, in of_seat; how many there are is returned. */
static int number_seats(const struct tm_radix *x, const struct tm_radix_digit *d, int topology,
			int *number, struct tm_error *err)
{
	const struct tm_topology *topo = &x->machine->topology[topology];
	const struct tm_seat_kind *seats = &x->seats.kind[topology];
	bool inside = d->outer != TM_NONE && x->digit[d->outer].depth > x->machine->tier_count;
	int *seen = tm_alloc((size_t)topo->object_count + 1, 2 * sizeof *seen, err), *next;
	int most = 0;

	if (!seen)
		return -1;
	next = seen + topo->object_count + 1;
	for (int s = 0; s < seats->count; s++) {
		int at = tm_level_object(topo, *tm_radix_kind(x, d->depth), seats->object[s]) + 1;
		int around = inside ? 1 + tm_level_object(topo, *tm_radix_kind(x,
				      x->digit[d->outer].depth), seats->object[s]) : 0;

		if (!seen[at])
			seen[at] = ++next[around];
		number[s] = seen[at] - 1;
		most = seen[at] > most ? seen[at] : most;
	}
	free(seen);
	return most;
}

static int number_inside(const struct tm_radix *x, struct tm_radix_digit *d, int *counts,
			 struct tm_error *err)
{
	size_t kinds = (size_t)x->machine->topology_count;

	d->of_seat = tm_alloc(kinds, sizeof *d->of_seat, err);
	if (!d->of_seat)
		return -1;
	for (size_t t = 0; t < kinds; t++) {
		d->of_seat[t] = tm_alloc((size_t)x->seats.kind[t].count, sizeof **d->of_seat, err);
		if (!d->of_seat[t])
			return -1;
		counts[t] = number_seats(x, d, (int)t, d->of_seat[t], err);
		if (counts[t] < 0)
			return -1;
	}
	return 0;
}

/* Numbers of nodes or switches, or of the first object of each node where objects are
 * counted over several nodes. */
static void number_nodes(const struct tm_radix *x, struct tm_radix_digit *d, const int *counts,
			 int *seen, int *next)
{
	int tiers = x->machine->tier_count;

	for (int n = 0; n < x->machine->node_count; n++) {
		int around, at;

		if (d->outer != TM_NONE && x->digit[d->outer].depth >= tiers)
			continue;        /* counted within the node: from 0 */
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

static int number_level(struct tm_radix *x, struct tm_radix_digit *d, struct tm_error *err)
{
	size_t keys = key_count(x);
	int *work = tm_alloc(keys, 2 * sizeof *work, err);
	int *counts = tm_alloc((size_t)x->machine->topology_count, sizeof *counts, err);
	int rc = -1;

	d->of_node = tm_alloc((size_t)x->machine->node_count, sizeof *d->of_node, err);
	if (work && counts && d->of_node &&
	    (d->depth <= x->machine->tier_count || number_inside(x, d, counts, err) == 0)) {
		number_nodes(x, d, counts, work, work + keys);
		rc = 0;
	}
	free(work);
	free(counts);
	return rc;
}

int tm_radix_number_of(const struct tm_radix *x, const struct tm_radix_digit *d, int node,
		       int seat)
{
	int number = d->of_node[node];

	if (d->of_seat)
		number += d->of_seat[x->machine->node_topology[node]]
				    [seat - x->seats.first[node]];
	return number;
}

int tm_radix_number(struct tm_radix *x, struct tm_error *err)
{
	find_outer(x);
	for (int i = 0; i < x->count; i++)
		if (number_level(x, &x->digit[i], err) < 0)
			return -1;
	return 0;
}

void tm_radix_fini(struct tm_radix *x)
{
	for (int i = 0; i < x->count; i++) {
		for (int t = 0; x->digit[i].of_seat && t < x->machine->topology_count; t++)
			free(x->digit[i].of_seat[t]);
		free(x->digit[i].of_seat);
		free(x->digit[i].of_node);
	}
	tm_seats_fini(&x->seats);
	tm_level_order_fini(&x->inside);
}
