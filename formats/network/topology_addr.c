/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/network/topology_addr.h"

#include "core/base/hostlist.h"
#include "core/base/mem.h"
#include "core/base/units.h"
#include "formats/network/torus.h"

#include <stdlib.h>
#include <string.h>

struct part {
	const char *text;
	size_t length;
};

/* The part of a text up to the next dot outside of brackets, or to the end; *at moves behind it,
 * and is NULL behind the last. */
static bool next_part(struct part *part, const char **at, const char *end)
{
	const char *c = *at;
	int depth = 0;

	if (!c)
		return false;
	for (; c < end && (*c != '.' || depth > 0); c++)
		depth += (*c == '[') - (*c == ']');
	*part = (struct part){ *at, (size_t)(c - *at) };
	*at = c < end ? c + 1 : NULL;
	return true;
}

static bool part_is(struct part part, const char *word)
{
	return part.length == strlen(word) && strncmp(part.text, word, part.length) == 0;
}

static bool has_switches(const struct tmap_topology_addr *node)
{
	return *node->addr && strcmp(node->pattern, "node") != 0;
}

bool tmap_topology_addr_is(const struct tmap_topology_addr *node, int count)
{
	for (int n = 0; n < count; n++)
		if (has_switches(&node[n]))
			return true;
	return false;
}

/* Where an address goes on with its node, whose name may have dots of its own; NULL: nowhere. */
static const char *switches_end(const struct tmap_topology_addr *node)
{
	size_t whole = strlen(node->addr), name = strlen(node->name);

	if (name && whole > name && node->addr[whole - name - 1] == '.' &&
	    strcmp(node->addr + whole - name, node->name) == 0)
		return node->addr + whole - name - 1;
	return strrchr(node->addr, '.');
}

/* An address without its node, in as many parts as the pattern has before its "node". */
static int split(struct part *parts, int *count, const struct tmap_topology_addr *node,
		 struct tmap_error *err)
{
	const char *pattern = node->pattern, *at = node->addr;
	const char *end = switches_end(node);
	struct part part;
	int wanted = 0;

	while (next_part(&part, &pattern, node->pattern + strlen(node->pattern))) {
		if (part_is(part, "node") != !pattern)
			return tmap_fail(err, TMAP_INPUT,
					 "the pattern '%.100s' does not end in its only 'node'",
					 node->pattern);
		wanted += pattern != NULL;
	}
	if (wanted > TMAP_NETWORK_MOST_LEVELS)
		return tmap_fail(err, TMAP_INPUT, "the pattern has %d levels, but levels end at %d",
				 wanted, TMAP_NETWORK_MOST_LEVELS - 1);
	for (*count = 0; end && *count < wanted && next_part(&part, &at, end); (*count)++)
		parts[*count] = part;
	if (!end || *count < wanted || at)
		return tmap_fail(err, TMAP_INPUT, "'%.100s' does not have the parts of '%.100s'",
				 node->addr, node->pattern);
	return 0;
}

/* The switches of a part, at their height. */
static int switches_add(struct tmap_network *net, struct part part, int height,
			struct tmap_hostlist *list, struct tmap_error *err)
{
	char *text = tmap_strndup(part.text, part.length, err);
	int status = text ? tmap_hostlist_parse(list, text, err) : -1;

	free(text);
	for (size_t i = 0; i < list->count && status == 0; i++) {
		const char *name = tmap_hostlist_name(list, i);
		int s = tmap_network_switch(net, name, strlen(name), err);

		if (s == TMAP_NONE)
			return -1;
		if (net->height[s] != TMAP_NONE && net->height[s] != height)
			return tmap_fail(err, TMAP_INPUT,
					 "switch '%s' is at level %d and at level %d", name,
					 net->height[s], height);
		net->height[s] = height;
	}
	return status;
}

static int switch_of(const struct tmap_network *net, const struct tmap_hostlist *list, size_t i)
{
	const char *name = tmap_hostlist_name(list, i);

	return tmap_names_find(&net->switches, name, strlen(name));
}

/* "core[1-2].leaf3": the lowest switch is the node's, and those of the other levels are above it.
 * Which are above which of several leaves is not told: nodes with one are asked first. */
static int tree_add(struct tmap_network *net, const char *host, const struct part *parts, int count,
		    bool only_single, struct tmap_error *err)
{
	struct tmap_hostlist list[TMAP_NETWORK_MOST_LEVELS] = { TMAP_HOSTLIST_INIT };
	int lowest = TMAP_NONE, status = 0, leaf = TMAP_NONE;
	bool is_known = false;

	for (int p = 0; p < count && status == 0; p++) {
		if (!parts[p].length)
			continue;
		status = switches_add(net, parts[p], count - 1 - p, &list[p], err);
		lowest = p;
	}
	if (status == 0 && lowest == TMAP_NONE)
		status = tmap_fail(err, TMAP_INPUT, "the address names no switch");
	if (status == 0 && (list[lowest].count == 1) == only_single) {
		leaf = switch_of(net, &list[lowest], 0);
		is_known = net->parent[leaf] != TMAP_NONE;
		for (size_t i = 0; i < list[lowest].count && status == 0; i++)
			status = tmap_network_host(net, host, strlen(host),
						   switch_of(net, &list[lowest], i), err);
	}
	for (int p = 0; p < lowest && leaf != TMAP_NONE && !is_known; p++)
		for (size_t i = 0; i < list[p].count && status == 0; i++)
			status = tmap_network_link(net, leaf, switch_of(net, &list[p], i), err);
	for (int p = 0; p < count; p++)
		tmap_hostlist_fini(&list[p]);
	return status;
}

/* What stands behind the last @p count colons of a part, which is cut there. */
static int cut_numbers(struct part *part, int64_t *number, int count, struct tmap_error *err)
{
	size_t whole = part->length;

	for (int i = count - 1; i >= 0; i--) {
		size_t end = part->length, digits;
		char *text;
		int status;

		while (part->length && part->text[part->length - 1] != ':')
			part->length--;
		digits = end - part->length;
		if (!part->length)
			return tmap_fail(err, TMAP_INPUT,
					 "'%.*s' has fewer than %d numbers behind "
					 "colons",
					 (int)(whole < 100 ? whole : 100), part->text, count);
		text = tmap_strndup(part->text + part->length, digits, err);
		status = text ?
			tmap_units_parse_int(text, 0, TMAP_TORUS_MOST_SIZE, &number[i], err) :
			-1;
		free(text);
		if (status < 0)
			return -1;
		part->length--;
	}
	return 0;
}

/* "b4": the one switch of a node. */
static int unit_add(struct tmap_network *net, const char *host, struct part part,
		    struct tmap_error *err)
{
	int s = tmap_network_switch(net, part.text, part.length, err);

	return s == TMAP_NONE ? -1 : tmap_network_host(net, host, strlen(host), s, err);
}

/* "pod1:2:3:1" */
static int torus_add(struct tmap_network *net, const char *host, struct part part,
		     struct tmap_error *err)
{
	int64_t at[3];
	int torus, line;

	if (cut_numbers(&part, at, 3, err) < 0)
		return -1;
	torus = tmap_network_switch(net, part.text, part.length, err);
	line = torus == TMAP_NONE ? TMAP_NONE :
				    tmap_torus_line(net, torus, (int)at[1], (int)at[2], err);
	tmap_torus_note(net);
	return line == TMAP_NONE ? -1 : tmap_network_host(net, host, strlen(host), line, err);
}

static int ring_add(struct tmap_network *net, const char *host, struct part part,
		    struct tmap_error *err)
{
	int64_t position;

	tmap_ring_note(net);
	return cut_numbers(&part, &position, 1, err) < 0 ? -1 : unit_add(net, host, part, err);
}

/* The patterns of one part before the node. */
static const struct {
	const char *pattern;
	int (*add)(struct tmap_network *net, const char *host, struct part part,
		   struct tmap_error *err);
} units[] = {
	{ "block.node", unit_add },
	{ "ring:position.node", ring_add },
	{ "torus:x:y:z.node", torus_add },
};

static int node_add(struct tmap_network *net, const struct tmap_topology_addr *node,
		    bool only_single, struct tmap_error *err)
{
	struct part parts[TMAP_NETWORK_MOST_LEVELS], part;
	const char *pattern = node->pattern;
	int count;

	if (split(parts, &count, node, err) < 0)
		return -1;
	for (size_t u = 0; u < sizeof units / sizeof units[0]; u++)
		if (strcmp(node->pattern, units[u].pattern) == 0)
			return only_single ? units[u].add(net, node->host, parts[0], err) : 0;
	while (next_part(&part, &pattern, node->pattern + strlen(node->pattern)))
		if (pattern && !part_is(part, "switch"))
			return tmap_fail(err, TMAP_INPUT,
					 "the pattern '%.100s' has other parts than switches",
					 node->pattern);
	return tree_add(net, node->host, parts, count, only_single, err);
}

/* Every node has an address, and its own. */
static int check_own(const struct tmap_topology_addr *node, int count, struct tmap_error *err)
{
	struct tmap_names known = { 0 };
	int status = 0;

	for (int n = 0; n < count && status == 0; n++) {
		int i = tmap_names_intern(&known, node[n].addr, strlen(node[n].addr), err);

		if (i == TMAP_NONE)
			status = -1;
		else if (!has_switches(&node[n]))
			status = tmap_fail(err, TMAP_INPUT,
					   "node '%.100s' has none, but others have", node[n].host);
		else if (i != n)
			status = tmap_fail(
				err, TMAP_INPUT,
				"nodes '%.100s' and '%.100s' have the same address, '%.100s'",
				node[i].host, node[n].host, node[n].addr);
	}
	tmap_names_fini(&known);
	return status;
}

int tmap_topology_addr_read(struct tmap_network *net, const struct tmap_topology_addr *node,
			    int count, struct tmap_error *err)
{
	if (check_own(node, count, err) < 0)
		return -1;
	for (int only_single = 1; only_single >= 0; only_single--)
		for (int n = 0; n < count; n++)
			if (node_add(net, &node[n], only_single, err) < 0)
				return tmap_wrap(err, "node '%.100s'", node[n].host);
	return 0;
}
