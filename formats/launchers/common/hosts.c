/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/launchers/common/hosts.h"

#include "core/base/mem.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* The nodes by full and by short name; a short name that several nodes have is nobody's. */
struct directory {
	struct tmap_names full, brief;
	int *node_of_full, *node_of_brief;
};

enum { SEVERAL = -2 };

static bool is_address(const char *name)
{
	return strchr(name, ':') || name[strspn(name, "0123456789.")] == '\0';
}

size_t tmap_host_short_length(const char *name)
{
	return is_address(name) ? strlen(name) : strcspn(name, ".");
}

static void directory_fini(struct directory *dir)
{
	tmap_names_fini(&dir->full);
	tmap_names_fini(&dir->brief);
	free(dir->node_of_full);
	free(dir->node_of_brief);
}

static int directory_add(struct directory *dir, const char *name, int node, struct tmap_error *err)
{
	int full = tmap_names_intern(&dir->full, name, strlen(name), err), before, brief;

	if (full == TMAP_NONE)
		return -1;
	dir->node_of_full[full] = node;
	before = dir->brief.count;
	brief = tmap_names_intern(&dir->brief, name, tmap_host_short_length(name), err);
	if (brief == TMAP_NONE)
		return -1;
	dir->node_of_brief[brief] = brief == before ? node : SEVERAL;
	return 0;
}

static int directory_init(struct directory *dir, const struct tmap_machine *machine,
			  struct tmap_error *err)
{
	size_t nodes = (size_t)machine->node_count;

	dir->node_of_full = tmap_alloc(nodes, sizeof *dir->node_of_full, err);
	dir->node_of_brief = tmap_alloc(nodes, sizeof *dir->node_of_brief, err);
	if (!dir->node_of_full || !dir->node_of_brief)
		return -1;
	for (int n = 0; n < machine->node_count; n++)
		if (directory_add(dir, machine->node_name[n], n, err) < 0)
			return -1;
	return 0;
}

/* Two full names that differ are different hosts, whatever their short forms. */
static int directory_find(const struct directory *dir, const struct tmap_machine *machine,
			  const char *name)
{
	size_t length = strlen(name), brief = tmap_host_short_length(name);
	int found = tmap_names_find(&dir->full, name, length);

	if (found != TMAP_NONE)
		return dir->node_of_full[found];
	found = tmap_names_find(&dir->brief, name, brief);
	if (found == TMAP_NONE)
		return TMAP_NONE;
	found = dir->node_of_brief[found];
	if (found >= 0 && brief < length && strlen(machine->node_name[found]) > brief)
		return TMAP_NONE;
	return found;
}

static int find_relative(const char *name, const struct tmap_machine *machine, int *node,
			 struct tmap_error *err)
{
	char *end;
	long number = strtol(name + 2, &end, 10);

	if (*end || end == name + 2 || number < 0 || number >= machine->node_count)
		return tmap_fail(err, TMAP_INPUT, "host '%s': the nodes are +n0 to +n%d", name,
				 machine->node_count - 1);
	*node = (int)number;
	return 0;
}

static bool is_relative(const char *name)
{
	return name[0] == '+' && name[1] == 'n';
}

/* How many of the names are nodes, and one that is none. */
static int find_all(struct tmap_hosts *hosts, const struct tmap_names *names,
		    const struct tmap_machine *machine, const struct directory *dir, int *known,
		    int *stranger, int *culprit, struct tmap_error *err)
{
	*known = 0;
	*stranger = TMAP_NONE;
	for (int i = 0; i < names->count; i++) {
		const char *name = names->name[i];

		*culprit = i;
		if (is_relative(name)) {
			if (find_relative(name, machine, &hosts->node[i], err) < 0)
				return -1;
			continue;
		}
		hosts->node[i] = directory_find(dir, machine, name);
		if (hosts->node[i] == SEVERAL)
			return tmap_fail(err, TMAP_INPUT,
					 "host '%s' could be several nodes: write its full name",
					 name);
		*known += hosts->node[i] != TMAP_NONE;
		if (hosts->node[i] == TMAP_NONE && *stranger == TMAP_NONE)
			*stranger = i;
	}
	*culprit = TMAP_NONE;
	return 0;
}

/* "[HOST]", "<node>", "nodeXX": what people write in place of a name that is none of others'
 * business, and perhaps of several. */
static bool is_masked(const char *name)
{
	return name[strcspn(name, "[]<>{}*?#")] || strstr(name, "XX") || strstr(name, "xxx");
}

/* As many names as nodes: then each is one of them. */
static int check_masked(const struct tmap_names *names, const struct tmap_machine *machine,
			int *culprit, struct tmap_error *err)
{
	int masked = TMAP_NONE, count = 0;

	for (int i = names->count - 1; i >= 0; i--) {
		count += !is_relative(names->name[i]);
		masked = !is_relative(names->name[i]) && is_masked(names->name[i]) ? i : masked;
	}
	if (masked == TMAP_NONE || count >= machine->node_count)
		return 0;
	*culprit = masked;
	return tmap_fail(
		err, TMAP_INPUT,
		"host '%s' stands for another name, and perhaps for several of the machine's %d "
		"node%s: write names in its place, or describe one node",
		names->name[masked], machine->node_count, machine->node_count == 1 ? "" : "s");
}

static int take_names(struct tmap_hosts *hosts, const struct tmap_names *names,
		      const struct tmap_machine *machine, int *culprit, struct tmap_error *err)
{
	int next = 0;

	hosts->rename = tmap_alloc((size_t)machine->node_count, sizeof *hosts->rename, err);
	if (!hosts->rename)
		return -1;
	for (int n = 0; n < machine->node_count; n++)
		hosts->rename[n] = machine->node_name[n];
	for (int i = 0; i < names->count; i++) {
		if (is_relative(names->name[i]))
			continue;
		if (next == machine->node_count) {
			*culprit = i;
			return tmap_fail(
				err, TMAP_INPUT,
				"host '%s' is one too many: the machine has %d node%s and none "
				"of these names",
				names->name[i], machine->node_count,
				machine->node_count == 1 ? "" : "s");
		}
		hosts->node[i] = next;
		if (!is_masked(names->name[i]))
			hosts->rename[next] = names->name[i];
		else if (!hosts->masked)
			hosts->masked = names->name[i];
		next++;
	}
	return 0;
}

int tmap_hosts_init(struct tmap_hosts *hosts, const struct tmap_names *names,
		    const struct tmap_machine *machine, int *culprit, struct tmap_error *err)
{
	struct tmap_hosts made = { 0 };
	struct directory dir = { 0 };
	int known = 0, stranger = TMAP_NONE, status = -1;

	*culprit = TMAP_NONE;
	made.node = tmap_alloc((size_t)names->count, sizeof *made.node, err);
	if (made.node && directory_init(&dir, machine, err) == 0)
		status = find_all(&made, names, machine, &dir, &known, &stranger, culprit, err);
	if (status == 0 && stranger != TMAP_NONE && known) {
		*culprit = stranger;
		status = tmap_fail(err, TMAP_INPUT,
				   "host '%s' is not a node of the machine, though others are",
				   names->name[stranger]);
	} else if (status == 0 && stranger != TMAP_NONE) {
		status = check_masked(names, machine, culprit, err);
		if (status == 0)
			status = take_names(&made, names, machine, culprit, err);
	}
	directory_fini(&dir);
	if (status < 0)
		tmap_hosts_fini(&made);
	else
		*hosts = made;
	return status;
}

int tmap_hosts_rename(const struct tmap_hosts *hosts, struct tmap_machine *machine,
		      struct tmap_error *err)
{
	if (!hosts->rename)
		return 0;
	return tmap_machine_rename(machine, hosts->rename, machine->node_count, err);
}

void tmap_hosts_fini(struct tmap_hosts *hosts)
{
	free(hosts->node);
	free(hosts->rename); /* the names are borrowed */
	*hosts = (struct tmap_hosts){ 0 };
}
