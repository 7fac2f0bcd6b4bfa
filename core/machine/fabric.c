/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/machine/fabric.h"

#include "core/base/mem.h"

#include <stdlib.h>
#include <string.h>

void tmap_fabric_fini(struct tmap_fabric *fabric)
{
	for (int s = 0; fabric->title && s < fabric->switches.count; s++)
		free(fabric->title[s]);
	tmap_names_fini(&fabric->switches);
	tmap_names_fini(&fabric->hosts);
	free(fabric->title);
	free(fabric->cable);
	free(fabric->port);
	*fabric = (struct tmap_fabric){ 0 };
}

int tmap_fabric_switch(struct tmap_fabric *fabric, const char *id, size_t id_length,
		       const char *title, size_t title_length, struct tmap_error *err)
{
	int known = fabric->switches.count, s;

	if (tmap_grow(&fabric->title, &fabric->title_capacity, (size_t)known + 1,
		      sizeof *fabric->title, err) < 0)
		return TMAP_NONE;
	s = tmap_names_intern(&fabric->switches, id, id_length, err);
	if (s == known)
		fabric->title[s] = NULL;
	if (s == TMAP_NONE || fabric->title[s] || !title || !title_length)
		return s;
	fabric->title[s] = tmap_strndup(title, title_length, err);
	return fabric->title[s] ? s : TMAP_NONE;
}

int tmap_fabric_cable(struct tmap_fabric *fabric, int a, int b, struct tmap_error *err)
{
	if (tmap_grow(&fabric->cable, &fabric->cable_capacity, (size_t)fabric->cables + 1,
		      sizeof *fabric->cable, err) < 0)
		return -1;
	fabric->cable[fabric->cables][0] = a;
	fabric->cable[fabric->cables++][1] = b;
	return 0;
}

int tmap_fabric_port(struct tmap_fabric *fabric, const char *host, size_t length, int under,
		     struct tmap_error *err)
{
	int index = tmap_names_intern_host(&fabric->hosts, host, length, err);

	if (index == TMAP_NONE ||
	    tmap_grow(&fabric->port, &fabric->port_capacity, (size_t)fabric->ports + 1,
		      sizeof *fabric->port, err) < 0)
		return -1;
	fabric->port[fabric->ports][0] = index;
	fabric->port[fabric->ports++][1] = under;
	return 0;
}

/* What reducing works on: elements are the switches, then the hosts. */
struct reduction {
	const struct tmap_fabric *fabric;
	bool *is_node; /* [hosts] */
	int *joined;   /* [elements]: union-find */
	int *rank;     /* [switches]; TMAP_NONE: no cable leads there, or another fabric */
	int *group;    /* [hosts]: switch of the network that a node is under so far */
	int *title_of; /* [elements]: best switch of a group so far, by its root */
	int *titles;   /* [elements]: how many of that rank a group has */
};

static int find_root(int *joined, int element)
{
	while (joined[element] != element) {
		joined[element] = joined[joined[element]];
		element = joined[element];
	}
	return element;
}

/* The smaller number stays the root, so that a group is named by its first switch. */
static void group_join(int *joined, int a, int b)
{
	a = find_root(joined, a);
	b = find_root(joined, b);
	if (a < b)
		joined[b] = a;
	else
		joined[a] = b;
}

static void groups_init(struct reduction *r)
{
	for (int e = 0; e < r->fabric->switches.count + r->fabric->hosts.count; e++)
		r->joined[e] = e;
}

/* Which hosts are nodes of the machine; all of those must be there. */
static int mark_nodes(struct reduction *r, struct tmap_machine *machine, struct tmap_error *err)
{
	int *host = tmap_network_match(&r->fabric->hosts, machine, err);

	for (int n = 0; host && n < machine->node_count; n++)
		r->is_node[host[n]] = true;
	free(host);
	return host ? 0 : -1;
}

static int by_host(const void *left, const void *right)
{
	const int *a = left, *b = right;

	return (a[0] > b[0]) - (a[0] < b[0]);
}

/* The ports host by host; [ports], the caller's to free. */
static int (*sort_ports(const struct tmap_fabric *fabric, struct tmap_error *err))[2]
{
	int(*port)[2] = tmap_alloc_raw((size_t)fabric->ports, sizeof *port, err);

	if (port && fabric->ports) {
		memcpy(port, fabric->port, (size_t)fabric->ports * sizeof *port);
		qsort(port, (size_t)fabric->ports, sizeof *port, by_host);
	}
	return port;
}

/* *root: of the fabric that reaches most nodes, the first of equals. Every node has a port, so
 * there is one. reached[] and last[] are all zero. */
static int choose_fabric(struct reduction *r, int *reached, int *last, int *root,
			 struct tmap_error *err)
{
	const struct tmap_fabric *fabric = r->fabric;
	int(*port)[2] = sort_ports(fabric, err);

	if (!port)
		return -1;
	*root = TMAP_NONE;
	groups_init(r);
	for (int i = 0; i < fabric->cables; i++)
		group_join(r->joined, fabric->cable[i][0], fabric->cable[i][1]);
	for (int i = 0; i < fabric->ports; i++) {
		int host = port[i][0], at = find_root(r->joined, port[i][1]);

		if (!r->is_node[host] || last[at] == host + 1)
			continue;
		last[at] = host + 1;
		reached[at]++;
	}
	for (int s = 0; s < fabric->switches.count; s++)
		if (reached[s] && (*root == TMAP_NONE || reached[s] > reached[*root]))
			*root = s;
	free(port);
	return 0;
}

/* Breadth first from the leaves, a rank at a time; returns the highest rank. */
static int rank_switches(struct reduction *r, int root)
{
	const struct tmap_fabric *fabric = r->fabric;
	int rank = 0;
	bool grew = true;

	for (int s = 0; s < fabric->switches.count; s++)
		r->rank[s] = TMAP_NONE;
	for (int i = 0; i < fabric->ports; i++)
		if (r->is_node[fabric->port[i][0]] &&
		    find_root(r->joined, fabric->port[i][1]) == root)
			r->rank[fabric->port[i][1]] = 0;
	while (grew) {
		grew = false;
		for (int i = 0; i < fabric->cables; i++)
			for (int end = 0; end < 2; end++) {
				int from = fabric->cable[i][end], to = fabric->cable[i][!end];

				if (r->rank[from] != rank || r->rank[to] != TMAP_NONE)
					continue;
				r->rank[to] = rank + 1;
				grew = true;
			}
		rank += grew;
	}
	return rank;
}

/* What people call a switch; its identity where they call several so, or none. */
static const char *switch_title(const struct reduction *r, int s, const struct tmap_names *titles,
				const int *uses)
{
	const char *text = r->fabric->title[s];

	if (!text || uses[tmap_names_find(titles, text, strlen(text))] > 1)
		return r->fabric->switches.name[s];
	return text;
}

/* Titles by number, and how many switches have each. */
static int count_titles(const struct reduction *r, struct tmap_names *titles, int *uses,
			struct tmap_error *err)
{
	for (int s = 0; s < r->fabric->switches.count; s++) {
		const char *text = r->fabric->title[s];
		int number = text ? tmap_names_intern(titles, text, strlen(text), err) : 0;

		if (number == TMAP_NONE)
			return -1;
		if (text)
			uses[number]++;
	}
	return 0;
}

/* For each group the first of its highest switches, and how many there are. */
static void find_titles(struct reduction *r, int tier)
{
	const struct tmap_fabric *fabric = r->fabric;

	for (int e = 0; e < fabric->switches.count + fabric->hosts.count; e++) {
		r->title_of[e] = TMAP_NONE;
		r->titles[e] = 0;
	}
	for (int s = 0; s < fabric->switches.count; s++) {
		int root = find_root(r->joined, s), best;

		if (r->rank[s] == TMAP_NONE || r->rank[s] > tier)
			continue;
		best = r->title_of[root];
		if (best == TMAP_NONE || r->rank[s] > r->rank[best]) {
			r->title_of[root] = s;
			r->titles[root] = 0;
		}
		r->titles[root] += r->rank[s] == r->rank[r->title_of[root]];
	}
}

/* The switch of the network that a group becomes; the same as that of the tier below if the group
 * is. */
static int add_group(const struct reduction *r, struct tmap_network *net, int root,
		     const char *text, struct tmap_error *err)
{
	char *name = r->titles[root] > 1 ? tmap_format(err, "%s +%d", text, r->titles[root] - 1) :
					   tmap_strdup(text, err);
	int group;

	if (!name)
		return TMAP_NONE;
	group = tmap_network_switch(net, name, strlen(name), err);
	free(name);
	return group;
}

static int add_tier(struct reduction *r, struct tmap_network *net, const struct tmap_names *titles,
		    const int *uses, int tier, struct tmap_error *err)
{
	const struct tmap_fabric *fabric = r->fabric;

	find_titles(r, tier);
	for (int h = 0; h < fabric->hosts.count; h++) {
		int root = find_root(r->joined, fabric->switches.count + h), group;

		if (!r->is_node[h] || r->title_of[root] == TMAP_NONE)
			continue;
		group = add_group(r, net, root, switch_title(r, r->title_of[root], titles, uses),
				  err);
		if (group == TMAP_NONE)
			return -1;
		if (tier == 0 &&
		    tmap_network_host(net, fabric->hosts.name[h], strlen(fabric->hosts.name[h]),
				      group, err) < 0)
			return -1;
		if (tier > 0 && group != r->group[h] &&
		    tmap_network_link(net, r->group[h], group, err) < 0)
			return -1;
		r->group[h] = group;
	}
	return 0;
}

static bool is_one_group(const struct reduction *r)
{
	int group = TMAP_NONE;

	for (int h = 0; h < r->fabric->hosts.count; h++) {
		if (!r->is_node[h])
			continue;
		if (group != TMAP_NONE && r->group[h] != group)
			return false;
		group = r->group[h];
	}
	return true;
}

static int add_tiers(struct reduction *r, struct tmap_network *net, const struct tmap_names *titles,
		     const int *uses, int root, struct tmap_error *err)
{
	const struct tmap_fabric *fabric = r->fabric;
	int top = rank_switches(r, root);

	groups_init(r);
	for (int i = 0; i < fabric->ports; i++)
		if (r->is_node[fabric->port[i][0]] && r->rank[fabric->port[i][1]] != TMAP_NONE)
			group_join(r->joined, fabric->port[i][1],
				   fabric->switches.count + fabric->port[i][0]);
	if (add_tier(r, net, titles, uses, 0, err) < 0)
		return -1;
	/* even where all switches have nodes, cables between them make one more tier */
	for (int tier = 1; tier <= (top ? top : 1) && !is_one_group(r); tier++) {
		for (int i = 0; i < fabric->cables; i++) {
			int a = fabric->cable[i][0], b = fabric->cable[i][1];

			if (r->rank[a] != TMAP_NONE && r->rank[a] <= tier && r->rank[b] <= tier)
				group_join(r->joined, a, b);
		}
		if (add_tier(r, net, titles, uses, tier, err) < 0)
			return -1;
	}
	return 0;
}

int tmap_fabric_reduce(const struct tmap_fabric *fabric, struct tmap_machine *machine,
		       struct tmap_network *net, struct tmap_error *err)
{
	size_t switches = (size_t)fabric->switches.count, hosts = (size_t)fabric->hosts.count;
	struct reduction r = { .fabric = fabric };
	struct tmap_names titles = { 0 };
	int *uses = tmap_alloc(switches, sizeof *uses, err);
	int status = -1, root;

	r.is_node = tmap_alloc(hosts, sizeof *r.is_node, err);
	r.joined = tmap_alloc(switches + hosts, sizeof *r.joined, err);
	r.rank = tmap_alloc(switches, sizeof *r.rank, err);
	r.group = tmap_alloc(hosts, sizeof *r.group, err);
	r.title_of = tmap_alloc(switches + hosts, sizeof *r.title_of, err);
	r.titles = tmap_alloc(switches + hosts, sizeof *r.titles, err);
	if (!uses || !r.is_node || !r.joined || !r.rank || !r.group || !r.title_of || !r.titles ||
	    count_titles(&r, &titles, uses, err) < 0)
		goto out;
	if (mark_nodes(&r, machine, err) < 0 ||
	    choose_fabric(&r, r.title_of, r.titles, &root, err) < 0)
		goto out;
	status = add_tiers(&r, net, &titles, uses, root, err);
out:
	tmap_names_fini(&titles);
	free(uses);
	free(r.is_node);
	free(r.joined);
	free(r.rank);
	free(r.group);
	free(r.title_of);
	free(r.titles);
	return status;
}
