/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/machine/network.h"

#include "core/base/mem.h"
#include "core/base/string.h"

#include <stdlib.h>
#include <string.h>

void tmap_network_fini(struct tmap_network *net)
{
	tmap_names_fini(&net->switches);
	tmap_names_fini(&net->hosts);
	free(net->parent);
	free(net->line);
	free(net->leaf);
	*net = (struct tmap_network){ 0 };
}

/* The number of a name, with room for what hangs on it; *is_new: it was added. */
static int network_intern(struct tmap_names *names, int **of, size_t *capacity, const char *name,
			  size_t length, struct tmap_error *err)
{
	int known = names->count, index;

	if (tmap_grow(of, capacity, (size_t)known + 1, sizeof **of, err) < 0)
		return TMAP_NONE;
	index = tmap_names_intern(names, name, length, err);
	if (index == known)
		(*of)[index] = TMAP_NONE;
	return index;
}

int tmap_network_switch(struct tmap_network *net, const char *name, size_t length,
			struct tmap_error *err)
{
	int known = net->switches.count, s;

	if (length == 0)
		return tmap_fail(err, TMAP_INPUT, "a switch has no name");
	if (tmap_grow(&net->line, &net->line_capacity, (size_t)known + 1, sizeof *net->line, err) <
	    0)
		return TMAP_NONE;
	s = network_intern(&net->switches, &net->parent, &net->parent_capacity, name, length, err);
	if (s == known)
		net->line[s] = 0;
	return s;
}

int tmap_network_describe(struct tmap_network *net, const char *name, size_t length, int line,
			  struct tmap_error *err)
{
	int s = tmap_network_switch(net, name, length, err);

	if (s == TMAP_NONE)
		return TMAP_NONE;
	if (net->line[s])
		return tmap_fail(err, TMAP_INPUT, "line %d describes '%s' already", net->line[s],
				 net->switches.name[s]);
	net->line[s] = line;
	return s;
}

int tmap_network_check_described(const struct tmap_network *net, struct tmap_error *err)
{
	if (!net->switches.count)
		return tmap_fail(err, TMAP_INPUT, "there are no switches and no blocks");
	for (int s = 0; s < net->switches.count; s++)
		if (!net->line[s])
			return tmap_fail(err, TMAP_INPUT,
					 "'%s' is under '%s', but no line describes it",
					 net->switches.name[s], net->switches.name[net->parent[s]]);
	return 0;
}

int tmap_network_link(struct tmap_network *net, int child, int parent, struct tmap_error *err)
{
	char **name = net->switches.name;

	if (net->parent[child] != TMAP_NONE && net->parent[child] != parent)
		return tmap_fail(
			err, TMAP_INPUT,
			"switch '%s' is under '%s' and under '%s': in a tree it is under one "
			"(describe equal top switches as one)",
			name[child], name[net->parent[child]], name[parent]);
	net->parent[child] = parent;
	return 0;
}

int tmap_network_host(struct tmap_network *net, const char *name, size_t length, int under,
		      struct tmap_error *err)
{
	int host;

	if (length == 0)
		return tmap_fail(err, TMAP_INPUT, "a node under '%s' has no name",
				 net->switches.name[under]);
	host = network_intern(&net->hosts, &net->leaf, &net->leaf_capacity, name, length, err);
	if (host == TMAP_NONE)
		return -1;
	if (net->leaf[host] == under)
		return tmap_fail(err, TMAP_INPUT, "node '%s' is twice under '%s'",
				 net->hosts.name[host], net->switches.name[under]);
	if (net->leaf[host] != TMAP_NONE)
		return tmap_fail(err, TMAP_INPUT, "node '%s' is under '%s' and under '%s'",
				 net->hosts.name[host], net->switches.name[net->leaf[host]],
				 net->switches.name[under]);
	net->leaf[host] = under;
	return 0;
}

/* Children before parents: the order in which heights are known. What is on a circle never
 * comes and is missing from the count that is returned. */
static int order_upwards(const struct tmap_network *net, int *order, int *below)
{
	int count = net->switches.count, head = 0, tail = 0;

	for (int s = 0; s < count; s++)
		if (net->parent[s] != TMAP_NONE)
			below[net->parent[s]]++;
	for (int s = 0; s < count; s++)
		if (below[s] == 0)
			order[tail++] = s;
	while (head < tail) {
		int up = net->parent[order[head++]];

		if (up != TMAP_NONE && --below[up] == 0)
			order[tail++] = up;
	}
	return tail;
}

/* A circle has nothing above it, so a switch that still waits for a child is on one. */
static int fail_circle(const struct tmap_network *net, const int *below, struct tmap_error *err)
{
	int s = 0;

	while (below[s] == 0)
		s++;
	return tmap_fail(err, TMAP_INPUT, "switch '%s' is under '%s', which is below it",
			 net->switches.name[s], net->switches.name[net->parent[s]]);
}

/* [switches]: the height of each, the caller's to free. */
static int *find_heights(const struct tmap_network *net, struct tmap_error *err)
{
	size_t count = (size_t)net->switches.count;
	int *height = tmap_alloc(count, sizeof *height, err);
	int *order = tmap_alloc(count, sizeof *order, err);
	int *below = tmap_alloc(count, sizeof *below, err);
	int done = 0, status = -1;

	if (height && order && below) {
		done = order_upwards(net, order, below);
		status = done < net->switches.count ? fail_circle(net, below, err) : 0;
	}
	for (int i = 0; status == 0 && i < done; i++) {
		int s = order[i], up = net->parent[s];

		if (up != TMAP_NONE && height[up] <= height[s])
			height[up] = height[s] + 1;
	}
	free(order);
	free(below);
	if (status == 0)
		return height;
	free(height);
	return NULL;
}

static int find_host(const struct tmap_names *hosts, const char *name)
{
	size_t length = strlen(name), bare = strcspn(name, ".");
	int host = tmap_names_find(hosts, name, length);

	return host == TMAP_NONE && bare && bare < length ? tmap_names_find(hosts, name, bare) :
							    host;
}

static void fail_missing(const struct tmap_names *hosts, const struct tmap_machine *machine,
			 const int *host, int missing, struct tmap_error *err)
{
	struct tmap_str list = TMAP_STR_INIT;
	int named = 0;

	for (int n = 0; n < machine->node_count && named < 4; n++)
		if (host[n] == TMAP_NONE)
			tmap_str_addf(&list, "%s'%s'", named++ ? ", " : "", machine->node_name[n]);
	if (named < missing)
		tmap_str_add(&list, ", ...");
	if (missing < machine->node_count || !hosts->count)
		tmap_fail(err, TMAP_INPUT, "the network does not have %d of the %d nodes: %s",
			  missing, machine->node_count, list.failed ? "" : list.text);
	else
		tmap_fail(err, TMAP_INPUT,
			  "the network has none of the %d nodes (%s); its %d hosts "
			  "begin with '%s'",
			  missing, list.failed ? "" : list.text, hosts->count, hosts->name[0]);
	tmap_str_fini(&list);
}

int *tmap_network_match(const struct tmap_names *hosts, struct tmap_machine *machine,
			struct tmap_error *err)
{
	int count = machine->node_count, missing = 0;
	int *host = tmap_alloc((size_t)count, sizeof *host, err);

	for (int n = 0; host && n < count; n++) {
		host[n] = find_host(hosts, machine->node_name[n]);
		missing += host[n] == TMAP_NONE;
	}
	if (!host || !missing)
		return host;
	if (missing == count && hosts->count == count) {
		for (int n = 0; n < count; n++)
			host[n] = n;
		if (tmap_machine_rename(machine, hosts->name, count, err) == 0)
			return host;
	} else {
		fail_missing(hosts, machine, host, missing, err);
	}
	free(host);
	return NULL;
}

/* The switches of a tier, numbered by their first node, and their names. */
static int fill_tier(struct tmap_tier *tier, const struct tmap_network *net, int node_count,
		     struct tmap_error *err)
{
	int *number = tmap_alloc((size_t)net->switches.count, sizeof *number, err);
	int status = number ? 0 : -1;

	tier->switch_name = tmap_alloc((size_t)node_count, sizeof *tier->switch_name, err);
	for (int n = 0; tier->switch_name && status == 0 && n < node_count; n++) {
		int s = tier->switch_of[n];

		if (s == TMAP_NONE)
			continue;
		if (!number[s]) {
			char *name = tmap_strdup(net->switches.name[s], err);

			if (!name) {
				status = -1;
				break;
			}
			tier->switch_name[tier->switch_count++] = name;
			number[s] = tier->switch_count;
		}
		tier->switch_of[n] = number[s] - 1;
	}
	free(number);
	return tier->switch_name ? status : -1;
}

/* @p at: the highest switch found so far above each node; it climbs on to height @p tier. */
static int add_tier(const struct tmap_network *net, struct tmap_machine *machine, const int *height,
		    int *at, int tier, struct tmap_error *err)
{
	struct tmap_tier made = { 0 };
	int status = -1;

	made.name = tmap_format(err, "switch%d", tier + 1);
	made.switch_of = tmap_alloc_raw((size_t)machine->node_count, sizeof *made.switch_of, err);
	if (!made.name || !made.switch_of)
		goto out;
	for (int n = 0; n < machine->node_count; n++) {
		int up = net->parent[at[n]];

		while (height[at[n]] < tier && up != TMAP_NONE && height[up] <= tier) {
			at[n] = up;
			up = net->parent[up];
		}
		made.switch_of[n] = height[at[n]] <= tier ? at[n] : TMAP_NONE;
	}
	if (fill_tier(&made, net, machine->node_count, err) == 0)
		status = tmap_machine_add_tier_take(machine, &made, err);
out:
	tmap_tier_fini(&made);
	return status;
}

static int most_height(const struct tmap_network *net, const int *height, const int *leaf,
		       int node_count)
{
	int most = 0;

	for (int n = 0; n < node_count; n++)
		for (int s = leaf[n]; s != TMAP_NONE; s = net->parent[s])
			if (height[s] > most)
				most = height[s];
	return most;
}

int tmap_network_apply(const struct tmap_network *net, struct tmap_machine *machine,
		       struct tmap_error *err)
{
	int *height, *at = NULL;
	int status = -1, top;

	if (machine->tier_count)
		return tmap_fail(err, TMAP_INPUT, "the machine has a network already");
	height = find_heights(net, err);
	if (height)
		at = tmap_network_match(&net->hosts, machine, err);
	if (at) {
		for (int n = 0; n < machine->node_count; n++)
			at[n] = net->leaf[at[n]];
		top = most_height(net, height, at, machine->node_count);
		status = 0;
		for (int tier = 0; tier <= top && status == 0; tier++)
			status = add_tier(net, machine, height, at, tier, err);
	}
	free(height);
	free(at);
	return status;
}
