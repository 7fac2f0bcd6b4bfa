#include "core/machine/network.h"

#include "core/base/mem.h"
#include "core/base/string.h"

#include <stdlib.h>
#include <string.h>

void tm_network_fini(struct tm_network *net)
{
	tm_names_fini(&net->switches);
	tm_names_fini(&net->hosts);
	free(net->parent);
	free(net->line);
	free(net->leaf);
	*net = (struct tm_network){ 0 };
}

/* The number of a name, with room for what hangs on it; *is_new says whether it was added. */
static int intern(struct tm_names *names, int **of, size_t *capacity, const char *name,
		  size_t length, struct tm_error *err)
{
	int known = names->count, index;

	if (tm_grow(of, capacity, (size_t)known + 1, sizeof **of, err) < 0)
		return TM_NONE;
	index = tm_names_intern(names, name, length, err);
	if (index == known)
		(*of)[index] = TM_NONE;
	return index;
}

int tm_network_switch(struct tm_network *net, const char *name, size_t length,
		      struct tm_error *err)
{
	int known = net->switches.count, s;

	if (length == 0)
		return tm_fail(err, TM_INPUT, "a switch has no name");
	if (tm_grow(&net->line, &net->line_capacity, (size_t)known + 1, sizeof *net->line,
		    err) < 0)
		return TM_NONE;
	s = intern(&net->switches, &net->parent, &net->parent_capacity, name, length, err);
	if (s == known)
		net->line[s] = 0;
	return s;
}

int tm_network_describe(struct tm_network *net, const char *name, size_t length, int line,
			struct tm_error *err)
{
	int s = tm_network_switch(net, name, length, err);

	if (s == TM_NONE)
		return TM_NONE;
	if (net->line[s])
		return tm_fail(err, TM_INPUT, "line %d describes '%s' already", net->line[s],
			       net->switches.name[s]);
	net->line[s] = line;
	return s;
}

int tm_network_check_described(const struct tm_network *net, struct tm_error *err)
{
	if (!net->switches.count)
		return tm_fail(err, TM_INPUT, "there are no switches and no blocks");
	for (int s = 0; s < net->switches.count; s++)
		if (!net->line[s])
			return tm_fail(err, TM_INPUT, "'%s' is under '%s', but no line describes it",
				       net->switches.name[s],
				       net->switches.name[net->parent[s]]);
	return 0;
}

int tm_network_link(struct tm_network *net, int child, int parent, struct tm_error *err)
{
	char **name = net->switches.name;

	if (net->parent[child] != TM_NONE && net->parent[child] != parent)
		return tm_fail(err, TM_INPUT,
			       "switch '%s' is under '%s' and under '%s': in a tree it is under one "
			       "(describe equal top switches as one)", name[child],
			       name[net->parent[child]], name[parent]);
	net->parent[child] = parent;
	return 0;
}

int tm_network_host(struct tm_network *net, const char *name, size_t length, int under,
		    struct tm_error *err)
{
	int host;

	if (length == 0)
		return tm_fail(err, TM_INPUT, "a node under '%s' has no name",
			       net->switches.name[under]);
	host = intern(&net->hosts, &net->leaf, &net->leaf_capacity, name, length, err);
	if (host == TM_NONE)
		return -1;
	if (net->leaf[host] == under)
		return tm_fail(err, TM_INPUT, "node '%s' is twice under '%s'",
			       net->hosts.name[host], net->switches.name[under]);
	if (net->leaf[host] != TM_NONE)
		return tm_fail(err, TM_INPUT, "node '%s' is under '%s' and under '%s'",
			       net->hosts.name[host], net->switches.name[net->leaf[host]],
			       net->switches.name[under]);
	net->leaf[host] = under;
	return 0;
}

/* Children before parents: the order in which heights are known. What is on a circle never
 * comes and is missing from the count that is returned. */
static int order_upwards(const struct tm_network *net, int *order, int *below)
{
	int count = net->switches.count, head = 0, tail = 0;

	for (int s = 0; s < count; s++)
		if (net->parent[s] != TM_NONE)
			below[net->parent[s]]++;
	for (int s = 0; s < count; s++)
		if (below[s] == 0)
			order[tail++] = s;
	while (head < tail) {
		int up = net->parent[order[head++]];

		if (up != TM_NONE && --below[up] == 0)
			order[tail++] = up;
	}
	return tail;
}

/* A circle has nothing above it, so whoever still waits for a child is on one. */
static int fail_circle(const struct tm_network *net, const int *below, struct tm_error *err)
{
	int s = 0;

	while (below[s] == 0)
		s++;
	return tm_fail(err, TM_INPUT, "switch '%s' is under '%s', which is below it",
		       net->switches.name[s], net->switches.name[net->parent[s]]);
}

/* [switches]: the height of each, the caller's to free. */
static int *find_heights(const struct tm_network *net, struct tm_error *err)
{
	size_t count = (size_t)net->switches.count;
	int *height = tm_alloc(count, sizeof *height, err);
	int *order = tm_alloc(count, sizeof *order, err);
	int *below = tm_alloc(count, sizeof *below, err);
	int done = 0, status = -1;

	if (height && order && below) {
		done = order_upwards(net, order, below);
		status = done < net->switches.count ? fail_circle(net, below, err) : 0;
	}
	for (int i = 0; status == 0 && i < done; i++) {
		int s = order[i], up = net->parent[s];

		if (up != TM_NONE && height[up] <= height[s])
			height[up] = height[s] + 1;
	}
	free(order);
	free(below);
	if (status == 0)
		return height;
	free(height);
	return NULL;
}

static int find_host(const struct tm_names *hosts, const char *name)
{
	size_t length = strlen(name), bare = strcspn(name, ".");
	int host = tm_names_find(hosts, name, length);

	return host == TM_NONE && bare && bare < length ? tm_names_find(hosts, name, bare) : host;
}

static void fail_missing(const struct tm_names *hosts, const struct tm_machine *machine,
			 const int *host, int missing, struct tm_error *err)
{
	struct tm_str list = TM_STR_INIT;
	int named = 0;

	for (int n = 0; n < machine->node_count && named < 4; n++)
		if (host[n] == TM_NONE)
			tm_str_addf(&list, "%s'%s'", named++ ? ", " : "", machine->node_name[n]);
	if (named < missing)
		tm_str_add(&list, ", ...");
	if (missing < machine->node_count || !hosts->count)
		tm_fail(err, TM_INPUT, "the network does not have %d of the %d nodes: %s", missing,
			machine->node_count, list.failed ? "" : list.text);
	else
		tm_fail(err, TM_INPUT, "the network has none of the %d nodes (%s); its %d hosts "
			"begin with '%s'", missing, list.failed ? "" : list.text, hosts->count,
			hosts->name[0]);
	tm_str_fini(&list);
}

int *tm_network_match(const struct tm_names *hosts, struct tm_machine *machine,
		      struct tm_error *err)
{
	int count = machine->node_count, missing = 0;
	int *host = tm_alloc((size_t)count, sizeof *host, err);

	for (int n = 0; host && n < count; n++) {
		host[n] = find_host(hosts, machine->node_name[n]);
		missing += host[n] == TM_NONE;
	}
	if (!host || !missing)
		return host;
	if (missing == count && hosts->count == count) {
		for (int n = 0; n < count; n++)
			host[n] = n;
		if (tm_machine_rename(machine, hosts->name, count, err) == 0)
			return host;
	} else {
		fail_missing(hosts, machine, host, missing, err);
	}
	free(host);
	return NULL;
}

/* The switches of a tier, numbered by their first node, and their names. */
static int fill_tier(struct tm_tier *tier, const struct tm_network *net, int node_count,
		     struct tm_error *err)
{
	int *number = tm_alloc((size_t)net->switches.count, sizeof *number, err);
	int status = number ? 0 : -1;

	tier->switch_name = tm_alloc((size_t)node_count, sizeof *tier->switch_name, err);
	for (int n = 0; tier->switch_name && status == 0 && n < node_count; n++) {
		int s = tier->switch_of[n];

		if (s == TM_NONE)
			continue;
		if (!number[s]) {
			char *name = tm_strdup(net->switches.name[s], err);

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
static int add_tier(const struct tm_network *net, struct tm_machine *machine, const int *height,
		    int *at, int tier, struct tm_error *err)
{
	struct tm_tier made = { 0 };
	int status = -1;

	made.name = tm_format(err, "switch%d", tier + 1);
	made.switch_of = tm_alloc_raw((size_t)machine->node_count, sizeof *made.switch_of, err);
	if (!made.name || !made.switch_of)
		goto out;
	for (int n = 0; n < machine->node_count; n++) {
		int up = net->parent[at[n]];

		while (height[at[n]] < tier && up != TM_NONE && height[up] <= tier) {
			at[n] = up;
			up = net->parent[up];
		}
		made.switch_of[n] = height[at[n]] <= tier ? at[n] : TM_NONE;
	}
	if (fill_tier(&made, net, machine->node_count, err) == 0)
		status = tm_machine_add_tier_take(machine, &made, err);
out:
	tm_tier_fini(&made);
	return status;
}

static int most_height(const struct tm_network *net, const int *height, const int *leaf,
		       int node_count)
{
	int most = 0;

	for (int n = 0; n < node_count; n++)
		for (int s = leaf[n]; s != TM_NONE; s = net->parent[s])
			if (height[s] > most)
				most = height[s];
	return most;
}

int tm_network_apply(const struct tm_network *net, struct tm_machine *machine,
		     struct tm_error *err)
{
	int *height, *at = NULL;
	int status = -1, top;

	if (machine->tier_count)
		return tm_fail(err, TM_INPUT, "the machine has a network already");
	height = find_heights(net, err);
	if (height)
		at = tm_network_match(&net->hosts, machine, err);
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
