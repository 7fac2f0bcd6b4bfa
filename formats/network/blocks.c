/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/network/topology_conf.h"

#include "core/base/hostlist.h"
#include "core/base/mem.h"
#include "formats/base/lines.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* "a,,b," as "a,b": Slurm passes over names that are empty, but not within brackets. */
static void drop_empty(char *list)
{
	char *to = list;
	bool is_within = false;

	for (const char *at = list; *at; at++) {
		is_within = *at == '[' || (is_within && *at != ']');
		if (*at != ',' || is_within || (to > list && to[-1] != ','))
			*to++ = *at;
	}
	if (to > list && to[-1] == ',')
		to--;
	*to = '\0';
}

static int parse_list(struct tmap_hostlist *list, const char *text, size_t length,
		      struct tmap_error *err)
{
	char *copy = tmap_strndup(text, length, err);
	int status = copy ? 0 : -1;

	if (copy)
		drop_empty(copy);
	if (copy && *copy)
		status = tmap_hostlist_parse(list, copy, err);

	free(copy);
	return status;
}

int tmap_network_hosts(struct tmap_network *net, const char *text, size_t length, int under,
		       struct tmap_error *err)
{
	struct tmap_hostlist list = TMAP_HOSTLIST_INIT;
	int status;

	if (tmap_keyword_is(text, length, "ALL"))
		return tmap_network_every(net, under, err);
	status = parse_list(&list, text, length, err);
	for (size_t i = 0; i < list.count && status == 0; i++) {
		const char *name = tmap_hostlist_name(&list, i);

		status = tmap_network_host(net, name, strlen(name), under, err);
	}
	tmap_hostlist_fini(&list);
	return status;
}

int tmap_network_children(struct tmap_network *net, const char *text, size_t length, int parent,
			  struct tmap_error *err)
{
	struct tmap_hostlist list = TMAP_HOSTLIST_INIT;
	int status = parse_list(&list, text, length, err);

	for (size_t i = 0; i < list.count && status == 0; i++) {
		const char *name = tmap_hostlist_name(&list, i);
		int child = tmap_network_switch(net, name, strlen(name), err);

		status = child == TMAP_NONE ? -1 : tmap_network_link(net, child, parent, err);
	}
	tmap_hostlist_fini(&list);
	return status;
}

/* "b[1-4]/120": the blocks of a group and what it is made for; the switch, or TMAP_NONE. */
static int add_group(struct tmap_network *net, const int *block, int count, int64_t size,
		     struct tmap_error *err)
{
	struct tmap_hostlist list = TMAP_HOSTLIST_INIT;
	struct tmap_str str = TMAP_STR_INIT;
	int group = TMAP_NONE;
	char *name;

	for (int i = 0; i < count; i++)
		if (tmap_hostlist_add(&list, net->switches.name[block[i]], err) < 0)
			goto out;
	tmap_hostlist_print(&list, &str);
	tmap_str_addf(&str, "/%" PRId64, size);
	name = tmap_str_take(&str, err);
	if (name)
		group = tmap_network_switch(net, name, strlen(name), err);
	free(name);
out:
	tmap_hostlist_fini(&list);
	return group;
}

static int top_of(const struct tmap_network *net, int s)
{
	while (net->parent[s] != TMAP_NONE)
		s = net->parent[s];
	return s;
}

/* The levels of Slurm's blocks: bit l is set where 2^l of them make a group. */
enum { MOST_LEVELS = 16, DEFAULT_LEVELS = 0x1f };

/* Nodes of the first block that has any. */
static int count_first(int64_t *base, const struct tmap_network *net, const int *block,
		       int block_count, struct tmap_error *err)
{
	int *nodes = tmap_alloc((size_t)net->switches.count, sizeof *nodes, err);

	if (!nodes)
		return -1;
	for (int h = 0; h < net->hosts.count; h++)
		nodes[net->leaf[h]]++;
	*base = 0;
	for (int b = 0; b < block_count && *base == 0; b++)
		*base = nodes[block[b]];
	free(nodes);
	return 0;
}

/* *levels, and how many nodes the smallest blocks are made for. Without sizes Slurm takes those
 * of the first block, and five levels. */
static int find_levels(const struct tmap_network *net, const int *block, int block_count,
		       const struct tmap_block_size *size, int size_count, unsigned *levels,
		       int64_t *base, struct tmap_error *err)
{
	*levels = size_count ? 0 : DEFAULT_LEVELS;
	if (!size_count)
		return count_first(base, net, block, block_count, err);
	*base = size[0].size;
	for (int i = 0; i < size_count; i++) {
		int level = 0;

		while (level < MOST_LEVELS && size[i].size != *base << level)
			level++;
		if (level == MOST_LEVELS)
			return tmap_fail_at(err, TMAP_INPUT, size[i].line, 0,
					    "block size %" PRId64
					    " is not 1, 2, 4, ... or %d times "
					    "the first, %" PRId64,
					    size[i].size, 1 << (MOST_LEVELS - 1), *base);
		*levels |= 1U << level;
	}
	return 0;
}

int tmap_network_group_blocks(struct tmap_network *net, const int *block, int block_count,
			      const struct tmap_block_size *size, int size_count,
			      struct tmap_error *err)
{
	unsigned levels;
	int64_t base;
	int below = 1; /* blocks of a group of the level below */

	if (find_levels(net, block, block_count, size, size_count, &levels, &base, err) < 0)
		return -1;
	for (int level = 1; level < MOST_LEVELS && below < block_count; level++) {
		int each = 1 << level;

		if (!(levels >> level & 1))
			continue;
		for (int first = 0; first < block_count; first += each) {
			int count = block_count - first < each ? block_count - first : each;
			int group;

			/* the last blocks may be one group below already, or one block */
			if (count < each && count <= below)
				continue;
			group = add_group(net, block + first, count, base * each, err);
			if (group == TMAP_NONE)
				return -1;
			for (int b = 0; b < count; b++) {
				int top = top_of(net, block[first + b]);

				if (top != group && tmap_network_link(net, top, group, err) < 0)
					return -1;
			}
		}
		below = each;
	}
	return 0;
}
