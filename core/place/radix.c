/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/place/radix.h"

#include "core/base/mem.h"
#include "core/base/string.h"
#include "core/machine/level_order.h"
#include "core/place/usable.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS_MOST = 16 };

/* One level of the order. */
struct digit {
	int depth;    /* outermost first, in the list of all levels of the machine */
	int outer;    /* the next outer level of the order; TMAP_NONE: the job */
	int *of_node; /* [nodes] number of a node, or of the first object of a node */
	int **of_cpu; /* [topologies][cpus] added to it; NULL for tiers and node */
};

/* An order. The machine's levels are its tiers, the node, and the levels inside nodes. */
struct radix {
	const struct tmap_machine *machine;
	struct tmap_usable cpus;        /* cores, or PUs where the order names these */
	struct tmap_level_order inside; /* its level 0 is the node */
	int count;
	struct digit digit[DIGITS_MOST]; /* fastest first */
};

/* The level inside nodes at a depth. */
static const struct tmap_level_kind *radix_kind(const struct radix *x, int depth)
{
	return &x->inside.kind[depth - x->machine->tier_count];
}

static void radix_find_outer(struct radix *x)
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
static int node_switch(const struct radix *x, int depth, int node)
{
	const struct tmap_tier *tier = &x->machine->tier[x->machine->tier_count - 1 - depth];

	return tier->switch_of[node] != TMAP_NONE ? tier->switch_of[node] :
						    tier->switch_count + node;
}

/* The object of the outer level that a node lies in: a switch, or the job. */
static int outer_object(const struct radix *x, const struct digit *d, int node)
{
	return d->outer == TMAP_NONE ? 0 : node_switch(x, x->digit[d->outer].depth, node);
}

static size_t key_count(const struct radix *x)
{
	size_t most = 1;

	for (int t = 0; t < x->machine->tier_count; t++)
		if ((size_t)x->machine->tier[t].switch_count > most)
			most = (size_t)x->machine->tier[t].switch_count;
	return most + (size_t)x->machine->node_count;
}

/* Numbers of the objects of one node, in of_cpu; how many there are is returned. */
static int digit_number_cpus(const struct radix *x, const struct digit *d, int topology,
			     int *number, struct tmap_error *err)
{
	const struct tmap_topology *topo = &x->machine->topology[topology];
	const struct tmap_usable_kind *cpus = &x->cpus.kind[topology];
	bool inside = d->outer != TMAP_NONE && x->digit[d->outer].depth > x->machine->tier_count;
	int *seen = tmap_alloc((size_t)topo->object_count + 1, 2 * sizeof *seen, err), *next;
	int most = 0;

	if (!seen)
		return -1;
	next = seen + topo->object_count + 1;
	for (int s = 0; s < cpus->count; s++) {
		int at = tmap_level_object(topo, *radix_kind(x, d->depth), cpus->object[s]) + 1;
		int around = inside ? 1 +
				tmap_level_object(topo, *radix_kind(x, x->digit[d->outer].depth),
						  cpus->object[s]) :
				      0;

		if (!seen[at])
			seen[at] = ++next[around];
		number[s] = seen[at] - 1;
		most = seen[at] > most ? seen[at] : most;
	}
	free(seen);
	return most;
}

static int digit_number_inside(const struct radix *x, struct digit *d, int *counts,
			       struct tmap_error *err)
{
	size_t kinds = (size_t)x->machine->topology_count;

	d->of_cpu = tmap_alloc(kinds, sizeof *d->of_cpu, err);
	if (!d->of_cpu)
		return -1;
	for (size_t t = 0; t < kinds; t++) {
		d->of_cpu[t] = tmap_alloc((size_t)x->cpus.kind[t].count, sizeof **d->of_cpu, err);
		if (!d->of_cpu[t])
			return -1;
		counts[t] = digit_number_cpus(x, d, (int)t, d->of_cpu[t], err);
		if (counts[t] < 0)
			return -1;
	}
	return 0;
}

/* Numbers of nodes or switches, or of the first object of each node where objects are
 * counted over several nodes. */
static void digit_number_nodes(const struct radix *x, struct digit *d, const int *counts, int *seen,
			       int *next)
{
	int tiers = x->machine->tier_count;

	for (int n = 0; n < x->machine->node_count; n++) {
		int around, at;

		if (d->outer != TMAP_NONE && x->digit[d->outer].depth >= tiers)
			continue; /* counted within the node: from 0 */
		around = outer_object(x, d, n);
		if (d->depth > tiers) {
			d->of_node[n] = next[around];
			next[around] += counts[x->machine->node_topology[n]];
			continue;
		}
		at = d->depth == tiers ? n : node_switch(x, d->depth, n);
		if (!seen[at])
			seen[at] = ++next[around];
		d->of_node[n] = seen[at] - 1;
	}
}

static int digit_number(struct radix *x, struct digit *d, struct tmap_error *err)
{
	size_t keys = key_count(x);
	int *work = tmap_alloc(keys, 2 * sizeof *work, err);
	int *counts = tmap_alloc((size_t)x->machine->topology_count, sizeof *counts, err);
	int rc = -1;

	d->of_node = tmap_alloc((size_t)x->machine->node_count, sizeof *d->of_node, err);
	if (work && counts && d->of_node &&
	    (d->depth <= x->machine->tier_count || digit_number_inside(x, d, counts, err) == 0)) {
		digit_number_nodes(x, d, counts, work, work + keys);
		rc = 0;
	}
	free(work);
	free(counts);
	return rc;
}

/* The number of a cpu at a level. O(1). */
static int digit_of_cpu(const struct radix *x, const struct digit *d, int node, int cpu)
{
	int number = d->of_node[node];

	if (d->of_cpu)
		number += d->of_cpu[x->machine->node_topology[node]][cpu - x->cpus.first[node]];
	return number;
}

/* Number the objects of all levels, each within the next outer one of the order. */
static int radix_number(struct radix *x, struct tmap_error *err)
{
	radix_find_outer(x);
	for (int i = 0; i < x->count; i++)
		if (digit_number(x, &x->digit[i], err) < 0)
			return -1;
	return 0;
}

static void radix_fini(struct radix *x)
{
	for (int i = 0; i < x->count; i++) {
		for (int t = 0; x->digit[i].of_cpu && t < x->machine->topology_count; t++)
			free(x->digit[i].of_cpu[t]);
		free(x->digit[i].of_cpu);
		free(x->digit[i].of_node);
	}
	tmap_usable_fini(&x->cpus);
	tmap_level_order_fini(&x->inside);
}

/* Name of the level at @p depth, into @p text. */
static const char *level_name(const struct radix *x, int depth, char text[32])
{
	const struct tmap_level_kind *kind;

	if (depth < x->machine->tier_count)
		return x->machine->tier[x->machine->tier_count - 1 - depth].name;
	kind = radix_kind(x, depth);
	snprintf(text, 32, kind->nest ? "%s%d" : "%s", tmap_type_name(kind->type), kind->nest + 1);
	return text;
}

static int depth_count(const struct radix *x)
{
	return x->machine->tier_count + x->inside.count;
}

/* By its name, or by a launcher's word for it. */
static bool is_level_called(const char *word, size_t length, const char *name)
{
	int type = tmap_type_word_find(TMAP_ORDER_WORDS, word, length);

	if (type != TMAP_NONE)
		return strcmp(tmap_type_name((enum tmap_type)type), name) == 0;
	return strlen(name) == length && strncmp(word, name, length) == 0;
}

static int level_refuse(const struct radix *x, const char *word, size_t length,
			struct tmap_error *err)
{
	struct tmap_str names = TMAP_STR_INIT;
	char text[32], *list;

	for (int depth = 0; depth < depth_count(x); depth++)
		tmap_str_addf(&names, "%s%s", depth ? ", " : "", level_name(x, depth, text));
	list = tmap_str_take(&names, err);
	if (!list)
		return -1;
	tmap_fail(err, length ? TMAP_INPUT : TMAP_USAGE,
		  "the machine has no level '%.*s' (it has: %s)", (int)(length < 40 ? length : 40),
		  word, list);
	free(list);
	return -1;
}

static int radix_add_digit(struct radix *x, int depth, struct tmap_error *err)
{
	char text[32];

	for (int i = 0; i < x->count; i++)
		if (x->digit[i].depth == depth)
			return tmap_fail(err, TMAP_USAGE, "level '%s' is named twice",
					 level_name(x, depth, text));
	if (x->count == DIGITS_MOST)
		return tmap_fail(err, TMAP_USAGE, "more than %d levels", DIGITS_MOST);
	x->digit[x->count++] = (struct digit){ .depth = depth };
	return 0;
}

static int level_find(const struct radix *x, const char *word, size_t length)
{
	char text[32];

	for (int depth = 0; depth < depth_count(x); depth++)
		if (is_level_called(word, length, level_name(x, depth, text)))
			return depth;
	return TMAP_NONE;
}

static int level_find_type(const struct radix *x, enum tmap_type type)
{
	return level_find(x, tmap_type_name(type), strlen(tmap_type_name(type)));
}

static int radix_parse(struct radix *x, const char *order, bool *pus, struct tmap_error *err)
{
	bool has_cpus = false;
	int core;

	for (const char *word = order;;) {
		size_t length = strcspn(word, ",");
		int depth = level_find(x, word, length);

		if (depth == TMAP_NONE)
			return level_refuse(x, word, length, err);
		if (radix_add_digit(x, depth, err) < 0)
			return -1;
		if (depth > x->machine->tier_count && radix_kind(x, depth)->type >= TMAP_CORE) {
			has_cpus = true;
			*pus |= radix_kind(x, depth)->type == TMAP_PU;
		}
		if (!word[length])
			break;
		word += length + 1;
	}
	core = level_find_type(x, TMAP_CORE);
	return has_cpus ?
		0 :
		radix_add_digit(x, core != TMAP_NONE ? core : level_find_type(x, TMAP_PU), err);
}

/* One stable pass of a radix sort: from[] sorted by the numbers of one level. */
static int cpus_sort(const struct radix *x, const struct digit *d, const int *node_of,
		     const int *from, int *to, struct tmap_error *err)
{
	int most = 0, *start;

	for (int i = 0; i < x->cpus.count; i++) {
		int number = digit_of_cpu(x, d, node_of[i], i);

		most = number > most ? number : most;
	}
	start = tmap_alloc((size_t)most + 2, sizeof *start, err);
	if (!start)
		return -1;
	for (int i = 0; i < x->cpus.count; i++)
		start[digit_of_cpu(x, d, node_of[i], i) + 1]++;
	for (int i = 0; i < most; i++)
		start[i + 1] += start[i];
	for (int i = 0; i < x->cpus.count; i++)
		to[start[digit_of_cpu(x, d, node_of[from[i]], from[i])]++] = from[i];
	free(start);
	return 0;
}

static int ranks_place(struct radix *x, struct tmap_placement *p, const int *cpu,
		       const int *node_of, struct tmap_error *err)
{
	for (int r = 0; r < p->size; r++) {
		int node = node_of[cpu[r]];

		if (tmap_usable_take(&x->cpus, p, r, node, cpu[r] - x->cpus.first[node], err) < 0)
			return -1;
	}
	return 0;
}

/* Sorts the cpus and gives them to the ranks. */
static int radix_fill(struct radix *x, struct tmap_placement *p, struct tmap_error *err)
{
	size_t count = (size_t)x->cpus.count;
	int *cpu = tmap_alloc_raw(count, sizeof *cpu, err);
	int *other = tmap_alloc_raw(count, sizeof *other, err);
	int *node_of = tmap_alloc_raw(count, sizeof *node_of, err);
	int rc = cpu && other && node_of ? 0 : -1;

	for (int n = 0; rc == 0 && n < x->machine->node_count; n++)
		for (int i = x->cpus.first[n]; i < x->cpus.first[n + 1]; i++) {
			cpu[i] = i;
			node_of[i] = n;
		}
	for (int i = 0; rc == 0 && i < x->count; i++) {
		int *held = cpu;

		rc = cpus_sort(x, &x->digit[i], node_of, cpu, other, err);
		cpu = other;
		other = held;
	}
	if (rc == 0)
		rc = ranks_place(x, p, cpu, node_of, err);
	free(cpu);
	free(other);
	free(node_of);
	return rc;
}

static int radix_init(struct radix *x, const char *order, int ranks, struct tmap_error *err)
{
	bool pus = false;

	if (tmap_level_order_init(&x->inside, x->machine->topology, x->machine->topology_count,
				  err) < 0)
		return -1;
	if (radix_parse(x, order, &pus, err) < 0 ||
	    tmap_usable_init(&x->cpus, x->machine, pus ? TMAP_PU : TMAP_CORE, err) < 0)
		return -1;
	if (ranks > x->cpus.count)
		return tmap_fail(err, TMAP_INPUT, "%d ranks do not fit on the %d %s of %d node%s",
				 ranks, x->cpus.count, pus ? "PUs" : "cores",
				 x->machine->node_count, x->machine->node_count == 1 ? "" : "s");
	return radix_number(x, err);
}

int tmap_radix_place(struct tmap_placement *p, struct tmap_machine *machine, const char *order,
		     int ranks, struct tmap_error *err)
{
	struct radix x = { .machine = machine };
	struct tmap_placement made;
	int rc = -1;

	if (radix_init(&x, order, ranks, err) == 0 &&
	    tmap_placement_init(&made, machine, ranks == TMAP_NONE ? x.cpus.count : ranks, err) ==
		    0) {
		rc = radix_fill(&x, &made, err);
		if (rc == 0)
			*p = made;
		else
			tmap_placement_fini(&made);
	}
	radix_fini(&x);
	return rc;
}
