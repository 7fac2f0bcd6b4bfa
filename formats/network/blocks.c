/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/network/topology_conf.h"

#include "core/base/hostlist.h"
#include "core/base/mem.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static int parse_list(struct tmap_hostlist *list, const char *text, size_t length,
		      struct tmap_error *err)
{
	char *copy = tmap_strndup(text, length, err);
	int status = copy ? tmap_hostlist_parse(list, copy, err) : -1;

	free(copy);
	return status;
}

int tmap_network_hosts(struct tmap_network *net, const char *text, size_t length, int under,
		       struct tmap_error *err)
{
	struct tmap_hostlist list = TMAP_HOSTLIST_INIT;
	int status = parse_list(&list, text, length, err);

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

static int check_sizes(const int64_t *size, int size_count, struct tmap_error *err)
{
	for (int i = 1; i < size_count; i++)
		if (size[i] <= size[i - 1] || size[i] % size[0])
			return tmap_fail(err, TMAP_INPUT,
					 "block size %" PRId64 " does not follow %" PRId64
					 ": sizes rise "
					 "and are multiples of the first",
					 size[i], size[i - 1]);
	return 0;
}

int tmap_network_group_blocks(struct tmap_network *net, const int *block, int block_count,
			      const int64_t *size, int size_count, struct tmap_error *err)
{
	if (check_sizes(size, size_count, err) < 0)
		return -1;
	for (int i = 1; i < size_count; i++) {
		int64_t each = size[i] / size[0];

		for (int64_t first = 0; first < block_count; first += each) {
			int count = (int)(block_count - first < each ? block_count - first : each);
			int group = add_group(net, block + first, count, size[i], err);

			if (group == TMAP_NONE)
				return -1;
			for (int b = 0; b < count; b++) {
				int top = top_of(net, block[first + b]);

				if (top != group && tmap_network_link(net, top, group, err) < 0)
					return -1;
			}
		}
	}
	return 0;
}
