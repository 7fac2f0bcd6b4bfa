#include "formats/network/topology_conf.h"

#include "core/base/hostlist.h"
#include "core/base/mem.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static int parse_list(struct tm_hostlist *list, const char *text, size_t length,
		      struct tm_error *err)
{
	char *copy = tm_strndup(text, length, err);
	int status = copy ? tm_hostlist_parse(list, copy, err) : -1;

	free(copy);
	return status;
}

int tm_network_hosts(struct tm_network *net, const char *text, size_t length, int under,
		     struct tm_error *err)
{
	struct tm_hostlist list = TM_HOSTLIST_INIT;
	int status = parse_list(&list, text, length, err);

	for (size_t i = 0; i < list.count && status == 0; i++) {
		const char *name = tm_hostlist_name(&list, i);

		status = tm_network_host(net, name, strlen(name), under, err);
	}
	tm_hostlist_fini(&list);
	return status;
}

int tm_network_children(struct tm_network *net, const char *text, size_t length, int parent,
			struct tm_error *err)
{
	struct tm_hostlist list = TM_HOSTLIST_INIT;
	int status = parse_list(&list, text, length, err);

	for (size_t i = 0; i < list.count && status == 0; i++) {
		const char *name = tm_hostlist_name(&list, i);
		int child = tm_network_switch(net, name, strlen(name), err);

		status = child == TM_NONE ? -1 : tm_network_link(net, child, parent, err);
	}
	tm_hostlist_fini(&list);
	return status;
}

/* "b[1-4]/120": the blocks of a group and what it is made for; the switch, or TM_NONE. */
static int add_group(struct tm_network *net, const int *block, int count, int64_t size,
		     struct tm_error *err)
{
	struct tm_hostlist list = TM_HOSTLIST_INIT;
	struct tm_str str = TM_STR_INIT;
	int group = TM_NONE;
	char *name;

	for (int i = 0; i < count; i++)
		if (tm_hostlist_add(&list, net->switches.name[block[i]], err) < 0)
			goto out;
	tm_hostlist_print(&list, &str);
	tm_str_addf(&str, "/%" PRId64, size);
	name = tm_str_take(&str, err);
	if (name)
		group = tm_network_switch(net, name, strlen(name), err);
	free(name);
out:
	tm_hostlist_fini(&list);
	return group;
}

static int top_of(const struct tm_network *net, int s)
{
	while (net->parent[s] != TM_NONE)
		s = net->parent[s];
	return s;
}

static int check_sizes(const int64_t *size, int size_count, struct tm_error *err)
{
	for (int i = 1; i < size_count; i++)
		if (size[i] <= size[i - 1] || size[i] % size[0])
			return tm_fail(err, TM_INPUT,
				       "block size %" PRId64 " does not follow %" PRId64 ": sizes rise "
				       "and are multiples of the first", size[i], size[i - 1]);
	return 0;
}

int tm_network_group_blocks(struct tm_network *net, const int *block, int block_count,
			    const int64_t *size, int size_count, struct tm_error *err)
{
	if (check_sizes(size, size_count, err) < 0)
		return -1;
	for (int i = 1; i < size_count; i++) {
		int64_t each = size[i] / size[0];

		for (int64_t first = 0; first < block_count; first += each) {
			int count = (int)(block_count - first < each ? block_count - first : each);
			int group = add_group(net, block + first, count, size[i], err);

			if (group == TM_NONE)
				return -1;
			for (int b = 0; b < count; b++) {
				int top = top_of(net, block[first + b]);

				if (top != group && tm_network_link(net, top, group, err) < 0)
					return -1;
			}
		}
	}
	return 0;
}
