/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/base/mem.h"
#include "core/machine/network.h"

#include <stdlib.h>

/* Who is above or below whom: of switch s those are end[first[s]] up to end[first[s + 1] - 1]. */
struct ends {
	int *first, *end;
};

static void ends_fini(struct ends *ends)
{
	free(ends->first);
	free(ends->end);
}

/* @p from: 0 for those above each switch, 1 for those below it. */
static int ends_init(struct ends *ends, const struct tmap_network *net, int from,
		     struct tmap_error *err)
{
	int count = net->switches.count;

	ends->first = tmap_alloc((size_t)count + 2, sizeof *ends->first, err);
	ends->end = tmap_alloc((size_t)count + (size_t)net->extras, sizeof *ends->end, err);
	if (!ends->first || !ends->end)
		return -1;
	for (int pass = 0; pass < 2; pass++) {
		/* the first pass counts two places on, the second fills one place on */
		for (int i = 0; i < count + net->extras; i++) {
			int link[2] = { i, i < count ? net->parent[i] : TMAP_NONE };

			if (i >= count) {
				link[0] = net->extra[i - count][0];
				link[1] = net->extra[i - count][1];
			}
			if (link[1] == TMAP_NONE)
				continue;
			if (pass == 0)
				ends->first[link[from] + 2]++;
			else
				ends->end[ends->first[link[from] + 1]++] = link[!from];
		}
		for (int s = 2; pass == 0 && s <= count; s++)
			ends->first[s] += ends->first[s - 1];
	}
	return 0;
}

/* What levels are made from. */
struct climb {
	struct tmap_network *net;
	struct ends above, below;
	int *order;      /* [switches]: each before those above it */
	int *height;     /* [switches] */
	bool *is_above;  /* [switches]: some node of the machine is below it */
	int *leaf;       /* [nodes]: the switch that a node hangs on */
	int *leaf_nodes; /* [switches]: nodes that hang on it */
	int *joined;     /* [switches]: union-find */
	int *title;      /* [switches]: by its root, the first of a group's highest switches */
	int *titles;     /* [switches]: by its root, how many of those there are */
	int *nodes;      /* [switches]: by its root, nodes of a group */
	int *most;       /* [switches]: by its root, the most nodes below one switch of the group */
	int *seen;       /* [switches]: the switch from which it was last seen */
	int *todo;       /* [switches] */
	int64_t steps;   /* that looking for common switches took */
	int loose;       /* groups without one */
};

static void climb_fini(struct climb *climb)
{
	ends_fini(&climb->above);
	ends_fini(&climb->below);
	free(climb->order);
	free(climb->height);
	free(climb->is_above);
	free(climb->leaf);
	free(climb->leaf_nodes);
	free(climb->joined);
	free(climb->title);
	free(climb->titles);
	free(climb->nodes);
	free(climb->most);
	free(climb->seen);
	free(climb->todo);
}

/* But for the leaves, which matching makes. */
static int climb_init(struct climb *climb, struct tmap_network *net, struct tmap_error *err)
{
	size_t count = (size_t)net->switches.count;
	int **const array[] = { &climb->order, &climb->height, &climb->leaf_nodes, &climb->joined,
				&climb->title, &climb->titles, &climb->nodes,      &climb->most,
				&climb->seen,  &climb->todo };

	climb->net = net;
	climb->is_above = tmap_alloc(count, sizeof *climb->is_above, err);
	if (!climb->is_above || ends_init(&climb->above, net, 0, err) < 0 ||
	    ends_init(&climb->below, net, 1, err) < 0)
		return -1;
	for (size_t i = 0; i < sizeof array / sizeof array[0]; i++) {
		*array[i] = tmap_alloc(count, sizeof **array[i], err);
		if (!*array[i])
			return -1;
	}
	return 0;
}

/* Switches that still wait for one below them: from any of these such ones lead down to a circle.
 * It is named by its first switch. */
static int fail_circle(const struct climb *climb, const int *waits, struct tmap_error *err)
{
	const struct tmap_network *net = climb->net;
	int s = 0, first = 0, above = 0;

	while (!waits[s])
		s++;
	for (int step = -net->switches.count; step <= net->switches.count; step++) {
		int i = climb->below.first[s], child;

		while (!waits[climb->below.end[i]])
			i++;
		child = climb->below.end[i];
		if (step == 0)
			first = child;
		if (step >= 0 && child <= first) {
			first = child;
			above = s;
		}
		s = child;
	}
	return tmap_fail_at(err, TMAP_INPUT, net->line[above], 0,
			    "switch '%s' is under '%s', which is below it",
			    net->switches.name[first], net->switches.name[above]);
}

/* The order and the heights, where they are to be counted. */
static int climb_order(struct climb *climb, struct tmap_error *err)
{
	const struct tmap_network *net = climb->net;
	int count = net->switches.count, head = 0, tail = 0;
	int *waits = tmap_alloc((size_t)count, sizeof *waits, err), status = 0;

	if (!waits)
		return -1;
	for (int s = 0; s < count; s++) {
		waits[s] = climb->below.first[s + 1] - climb->below.first[s];
		if (!waits[s])
			climb->order[tail++] = s;
	}
	while (head < tail) {
		int s = climb->order[head++];

		if (net->height[s] != TMAP_NONE)
			climb->height[s] = net->height[s];
		for (int i = climb->above.first[s]; i < climb->above.first[s + 1]; i++) {
			int up = climb->above.end[i];

			if (climb->height[up] <= climb->height[s])
				climb->height[up] = climb->height[s] + 1;
			if (--waits[up] == 0)
				climb->order[tail++] = up;
		}
	}
	if (tail < count)
		status = fail_circle(climb, waits, err);
	free(waits);
	for (int s = 0; s < count && status == 0; s++)
		if (climb->height[s] >= TMAP_NETWORK_MOST_LEVELS)
			status = tmap_fail_at(err, TMAP_INPUT, net->line[s], 0,
					      "switch '%s' is at level %d, but levels end at %d",
					      net->switches.name[s], climb->height[s],
					      TMAP_NETWORK_MOST_LEVELS - 1);
	return status;
}

/* The nodes' leaves, and what is above them; returns the most height of that. */
static int climb_mark(struct climb *climb, int node_count)
{
	int top = 0;

	for (int n = 0; n < node_count; n++) {
		climb->leaf[n] = climb->net->leaf[climb->leaf[n]];
		climb->leaf_nodes[climb->leaf[n]]++;
		climb->is_above[climb->leaf[n]] = true;
	}
	for (int i = 0; i < climb->net->switches.count; i++) {
		int s = climb->order[i];

		if (!climb->is_above[s])
			continue;
		if (climb->height[s] > top)
			top = climb->height[s];
		for (int j = climb->above.first[s]; j < climb->above.first[s + 1]; j++)
			climb->is_above[climb->above.end[j]] = true;
	}
	return top;
}

static int find_root(int *joined, int s)
{
	while (joined[s] != s) {
		joined[s] = joined[joined[s]];
		s = joined[s];
	}
	return s;
}

static void groups_init(struct climb *climb)
{
	for (int s = 0; s < climb->net->switches.count; s++) {
		climb->joined[s] = climb->title[s] = s;
		climb->titles[s] = 1;
		climb->nodes[s] = climb->most[s] = climb->leaf_nodes[s];
		climb->seen[s] = TMAP_NONE;
	}
}

static void group_join(struct climb *climb, int a, int b)
{
	int height_a, height_b;

	a = find_root(climb->joined, a);
	b = find_root(climb->joined, b);
	if (a == b)
		return;
	height_a = climb->height[climb->title[a]];
	height_b = climb->height[climb->title[b]];
	climb->joined[b] = a;
	climb->nodes[a] += climb->nodes[b];
	if (climb->most[b] > climb->most[a])
		climb->most[a] = climb->most[b];
	if (height_a == height_b)
		climb->titles[a] += climb->titles[b];
	else if (height_b > height_a)
		climb->titles[a] = climb->titles[b];
	if (height_b > height_a || (height_b == height_a && climb->title[b] < climb->title[a]))
		climb->title[a] = climb->title[b];
}

/* Nodes below a switch. */
static int count_below(struct climb *climb, int top)
{
	int nodes = 0, todo = 0;

	climb->todo[todo++] = top;
	climb->seen[top] = top;
	while (todo) {
		int s = climb->todo[--todo];

		nodes += climb->leaf_nodes[s];
		for (int i = climb->below.first[s]; i < climb->below.first[s + 1]; i++) {
			int child = climb->below.end[i];

			climb->steps++;
			if (!climb->is_above[child] || climb->seen[child] == top)
				continue;
			climb->seen[child] = top;
			climb->todo[todo++] = child;
		}
	}
	return nodes;
}

/* "c0 +1": a group by its highest switches. */
static char *group_name(const struct climb *climb, int root, struct tmap_error *err)
{
	const char *name = climb->net->switches.name[climb->title[root]];

	return climb->titles[root] > 1 ? tmap_format(err, "%s +%d", name, climb->titles[root] - 1) :
					 tmap_strdup(name, err);
}

/* Beyond this, groups of switches that are under several count as without a common one. */
#define MOST_STEPS 100000000

/* In a tree a switch that joins others is above all of them. @p joins: the switches of this tier */
static void mark_uncommon(struct climb *climb, const int *joins, int count, int tier)
{
	for (int i = 0; i < count; i++) {
		int root = find_root(climb->joined, joins[i]), below;

		if (climb->most[root] == climb->nodes[root] || climb->steps > MOST_STEPS)
			continue;
		below = count_below(climb, joins[i]);
		if (below > climb->most[root])
			climb->most[root] = below;
	}
	for (int i = 0; i < count; i++) {
		int root = find_root(climb->joined, joins[i]);
		struct tmap_error err;
		char *name;

		if (climb->most[root] == climb->nodes[root] || climb->title[root] != joins[i])
			continue;
		if (climb->loose++)
			continue;
		name = group_name(climb, root, &err);
		tmap_str_addf(&climb->net->note,
			      "the %d nodes under '%s' (switch%d) have no common switch: switches "
			      "above the same leaf count as one",
			      climb->nodes[root], name ? name : "", tier + 1);
		climb->net->note.failed = climb->net->note.failed || !name;
		free(name);
	}
}

/* The groups of a tier, numbered by their first node, and their names. */
static int tier_fill(struct tmap_tier *tier, struct climb *climb, int node_count, int height,
		     struct tmap_error *err)
{
	int *number = tmap_alloc((size_t)climb->net->switches.count, sizeof *number, err);
	int status = number ? 0 : -1;

	for (int n = 0; n < node_count && status == 0; n++) {
		int root = find_root(climb->joined, climb->leaf[n]);

		tier->switch_of[n] = TMAP_NONE;
		if (climb->height[climb->leaf[n]] > height)
			continue;
		if (!number[root]) {
			char *name = group_name(climb, root, err);

			if (!name) {
				status = -1;
				break;
			}
			tier->switch_name[tier->switch_count++] = name;
			number[root] = tier->switch_count;
		}
		tier->switch_of[n] = number[root] - 1;
	}
	free(number);
	return status;
}

static int tier_add(struct climb *climb, struct tmap_machine *machine, int height,
		    struct tmap_error *err)
{
	size_t nodes = (size_t)machine->node_count;
	struct tmap_tier tier = { 0 };
	int status = -1;

	tier.name = tmap_format(err, "switch%d", height + 1);
	tier.switch_of = tmap_alloc_raw(nodes, sizeof *tier.switch_of, err);
	tier.switch_name = tmap_alloc(nodes, sizeof *tier.switch_name, err);
	if (tier.name && tier.switch_of && tier.switch_name &&
	    tier_fill(&tier, climb, machine->node_count, height, err) == 0)
		status = tmap_machine_add_tier_take(machine, &tier, err);
	tmap_tier_fini(&tier);
	return status;
}

/* Tier after tier; @p joins: the switches by their heights, those of height h from first[h] on. */
static int tiers_add(struct climb *climb, struct tmap_machine *machine, const int *joins,
		     const int *first, int top, struct tmap_error *err)
{
	int status = 0;

	groups_init(climb);
	for (int height = 0; height <= top && status == 0; height++) {
		const int *join = joins + first[height];
		int count = first[height + 1] - first[height];

		for (int i = 0; i < count; i++)
			for (int j = climb->below.first[join[i]];
			     j < climb->below.first[join[i] + 1]; j++)
				if (climb->is_above[climb->below.end[j]])
					group_join(climb, join[i], climb->below.end[j]);
		if (climb->net->extras)
			mark_uncommon(climb, join, count, height);
		status = tier_add(climb, machine, height, err);
	}
	return status;
}

static int levels_add(struct climb *climb, struct tmap_machine *machine, struct tmap_error *err)
{
	int count = climb->net->switches.count, top = climb_mark(climb, machine->node_count);
	int first[TMAP_NETWORK_MOST_LEVELS + 2] = { 0 };
	int *joins = tmap_alloc((size_t)count, sizeof *joins, err);
	int status;

	if (!joins)
		return -1;
	for (int s = 0; s < count; s++)
		if (climb->is_above[s])
			first[climb->height[s] + 2]++;
	for (int h = 2; h <= top + 1; h++)
		first[h] += first[h - 1];
	for (int s = 0; s < count; s++)
		if (climb->is_above[s])
			joins[first[climb->height[s] + 1]++] = s;
	status = tiers_add(climb, machine, joins, first, top, err);
	if (climb->loose > 1)
		tmap_str_addf(&climb->net->note, " (and %d more such groups)", climb->loose - 1);
	if (climb->loose)
		tmap_str_addc(&climb->net->note, '\n');
	free(joins);
	return status;
}

static void note_repeated(struct tmap_network *net)
{
	int host = net->repeat[0], more = net->repeated - 1;

	if (!net->repeated)
		return;
	if (net->leaf[host] == net->repeat[1])
		tmap_str_addf(&net->note, "node '%s' is twice under '%s'", net->hosts.name[host],
			      net->switches.name[net->repeat[1]]);
	else
		tmap_str_addf(&net->note,
			      "node '%s' is under '%s' and under '%s': the first counts",
			      net->hosts.name[host], net->switches.name[net->leaf[host]],
			      net->switches.name[net->repeat[1]]);
	if (more)
		tmap_str_addf(&net->note, " (and %d more)", more);
	tmap_str_addc(&net->note, '\n');
}

/* Where the nodes are, if all of them are in the one torus; host[node]. */
static int torus_apply(const struct tmap_network *net, struct tmap_machine *machine,
		       const int *host, struct tmap_error *err)
{
	int *place;

	if (net->toruses != 1 || !net->place)
		return 0;
	place = tmap_alloc_raw((size_t)machine->node_count, sizeof *place, err);
	if (!place)
		return -1;
	for (int n = 0; n < machine->node_count; n++) {
		bool is_there = (size_t)host[n] < net->place_capacity &&
			net->place[host[n]] != TMAP_NONE;

		if (!is_there) {
			free(place);
			return 0;
		}
		place[n] = net->place[host[n]];
	}
	if (tmap_machine_set_torus_take(machine, net->dim, place, err) == 0)
		return 0;
	free(place);
	return -1;
}

int tmap_network_apply(struct tmap_network *net, struct tmap_machine *machine,
		       struct tmap_error *err)
{
	struct climb climb = { 0 };
	int status = -1;

	if (machine->tier_count)
		return tmap_fail(err, TMAP_INPUT, "the machine has a network already");
	if (net->is_flat)
		return 0;
	note_repeated(net);
	if (climb_init(&climb, net, err) == 0 && climb_order(&climb, err) == 0 &&
	    tmap_network_add_nodes(net, machine, err) == 0)
		climb.leaf = tmap_network_match(&net->hosts, machine, err);
	if (climb.leaf && torus_apply(net, machine, climb.leaf, err) == 0)
		status = levels_add(&climb, machine, err);
	climb_fini(&climb);
	return status;
}
