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
	free(net->height);
	free(net->extra);
	free(net->leaf);
	free(net->place);
	tmap_str_fini(&net->note);
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
		    0 ||
	    tmap_grow(&net->height, &net->height_capacity, (size_t)known + 1, sizeof *net->height,
		      err) < 0)
		return TMAP_NONE;
	s = network_intern(&net->switches, &net->parent, &net->parent_capacity, name, length, err);
	if (s == known) {
		net->line[s] = 0;
		net->height[s] = TMAP_NONE;
	}
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
			return tmap_fail_at(err, TMAP_INPUT, net->line[net->parent[s]], 0,
					    "'%s' is under '%s', but no line describes it",
					    net->switches.name[s],
					    net->switches.name[net->parent[s]]);
	return 0;
}

int tmap_network_link(struct tmap_network *net, int child, int parent, struct tmap_error *err)
{
	if (child == parent)
		return tmap_fail(err, TMAP_INPUT, "switch '%s' is under itself",
				 net->switches.name[child]);
	if (net->parent[child] == TMAP_NONE)
		net->parent[child] = parent;
	if (net->parent[child] == parent)
		return 0;
	if (net->extras == TMAP_NETWORK_MOST_LINKS)
		return tmap_fail(err, TMAP_INPUT,
				 "more than %d times is a switch under another than its first",
				 TMAP_NETWORK_MOST_LINKS);
	if (tmap_grow(&net->extra, &net->extra_capacity, (size_t)net->extras + 1,
		      sizeof *net->extra, err) < 0)
		return -1;
	net->extra[net->extras][0] = child;
	net->extra[net->extras++][1] = parent;
	return 0;
}

int tmap_network_host(struct tmap_network *net, const char *name, size_t length, int under,
		      struct tmap_error *err)
{
	int host;

	if (length == 0)
		return tmap_fail(err, TMAP_INPUT, "a node under '%s' has no name",
				 net->switches.name[under]);
	if (tmap_host_name_check(name, length, err) < 0)
		return -1;
	host = network_intern(&net->hosts, &net->leaf, &net->leaf_capacity, name, length, err);
	if (host == TMAP_NONE)
		return -1;
	if (net->leaf[host] == TMAP_NONE) {
		net->leaf[host] = under;
		return 0;
	}
	if (net->repeated == TMAP_NETWORK_MOST_LINKS)
		return tmap_fail(err, TMAP_INPUT,
				 "more than %d times is a node under a switch again",
				 TMAP_NETWORK_MOST_LINKS);
	if (!net->repeated++) {
		net->repeat[0] = host;
		net->repeat[1] = under;
	}
	return 0;
}

void tmap_network_torus(struct tmap_network *net, const int dim[TMAP_TORUS_DIMENSIONS])
{
	net->toruses++;
	memcpy(net->dim, dim, sizeof net->dim);
}

int tmap_network_place(struct tmap_network *net, const char *name, size_t length, int place,
		       struct tmap_error *err)
{
	size_t before = net->place_capacity;
	int host = tmap_names_find(&net->hosts, name, length);

	if (tmap_grow(&net->place, &net->place_capacity, (size_t)net->hosts.count,
		      sizeof *net->place, err) < 0)
		return -1;
	for (size_t i = before; i < net->place_capacity; i++)
		net->place[i] = TMAP_NONE;
	net->place[host] = place;
	return 0;
}

int tmap_network_every(struct tmap_network *net, int under, struct tmap_error *err)
{
	if (net->every)
		return tmap_fail(err, TMAP_INPUT, "all nodes are under '%s' and under '%s'",
				 net->switches.name[net->every - 1], net->switches.name[under]);
	net->every = 1 + under;
	return 0;
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
		tmap_fail(err, TMAP_INPUT, "the network does not have %d of the %d node%s: %s",
			  missing, machine->node_count, machine->node_count == 1 ? "" : "s",
			  list.failed ? "" : list.text);
	else
		tmap_fail(err, TMAP_INPUT,
			  "the network has none of the %d node%s (%s); its %d host%s begin%s with "
			  "'%s'",
			  missing, missing == 1 ? "" : "s", list.failed ? "" : list.text,
			  hosts->count, hosts->count == 1 ? "" : "s", hosts->count == 1 ? "s" : "",
			  hosts->name[0]);
	tmap_str_fini(&list);
}

int tmap_network_add_nodes(struct tmap_network *net, const struct tmap_machine *machine,
			   struct tmap_error *err)
{
	for (int n = 0; net->every && n < machine->node_count; n++) {
		const char *name = machine->node_name[n];

		if (find_host(&net->hosts, name) == TMAP_NONE &&
		    tmap_network_host(net, name, strlen(name), net->every - 1, err) < 0)
			return -1;
	}
	return 0;
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
