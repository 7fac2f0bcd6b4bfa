/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/machine/machine_spec.h"

#include "core/base/mem.h"
#include "core/base/names.h"
#include "formats/machine/hwloc.h"
#include "formats/machine/machine_line.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One operand, read. */
struct kind {
	struct tmap_topology topology;
	int nodes;
	char *host; /* the recorded HostName, where it may be used; else NULL */
};

static void kind_fini(struct kind *kind)
{
	tmap_topology_fini(&kind->topology);
	free(kind->host);
}

/* What launchers' files can hold, and not one of the names n0, n1, ... of other nodes. */
static bool is_usable_name(const char *name)
{
	for (const char *c = name; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr("._-", *c))
			return false;
	if (!name[0])
		return false;
	return name[0] != 'n' || !name[1] || name[1 + strspn(name + 1, "0123456789")];
}

/* "[COUNT*]FILE": *path = the file. */
static int split_count(const char *spec, int *count, const char **path, struct tmap_error *err)
{
	size_t digits = strspn(spec, "0123456789");
	long long number = 0;

	*count = 1;
	*path = spec;
	if (digits == 0 || spec[digits] != '*')
		return 0;
	for (size_t i = 0; i < digits && number <= TMAP_MOST_NODES; i++)
		number = number * 10 + (spec[i] - '0');
	if (number < 1 || number > TMAP_MOST_NODES)
		return tmap_fail_in_spec(err, TMAP_INPUT, "not a machine", spec, 0,
					 "a machine has 1 to %d nodes", TMAP_MOST_NODES);
	*count = (int)number;
	*path = spec + digits + 1;
	return 0;
}

static bool ends_in_xml(const char *path)
{
	size_t length = strlen(path);

	return length > 4 && strcasecmp(path + length - 4, ".xml") == 0;
}

static int read_file(struct kind *kind, const char *spec, bool with_io, struct tmap_error *err)
{
	const char *path;

	if (split_count(spec, &kind->nodes, &path, err) < 0)
		return -1;
	if (!ends_in_xml(path) && access(path, F_OK) < 0) {
		tmap_fail(err, TMAP_INPUT,
			  "neither a file nor a line such as 'node:4 package:2 core:8'");
		return tmap_at(err, spec, 0);
	}
	if ((with_io ? tmap_hwloc_read_xml_io : tmap_hwloc_read_xml)(&kind->topology, &kind->host,
								     path, err) < 0)
		return -1;
	if (kind->host && (kind->nodes > 1 || !is_usable_name(kind->host))) {
		free(kind->host);
		kind->host = NULL;
	}
	return 0;
}

static int read_kind(struct kind *kind, const char *spec, bool with_io, struct tmap_error *err)
{
	if (tmap_machine_line_is(spec) || (strchr(spec, ':') && strchr(spec, ' ')))
		return tmap_machine_line_parse(&kind->topology, &kind->nodes, spec, err);
	return read_file(kind, spec, with_io, err);
}

/* The names that were taken are kept in @p taken. */
static int add_nodes(struct tmap_machine *machine, struct kind *kind, struct tmap_names *taken,
		     struct tmap_error *err)
{
	int topology = tmap_machine_add_topology_take(machine, &kind->topology, err);

	if (topology == TMAP_NONE)
		return -1;
	if (kind->nodes > TMAP_MOST_NODES - machine->node_count)
		return tmap_fail(err, TMAP_INPUT, "the most nodes of a job are %d",
				 TMAP_MOST_NODES);
	if (kind->host && tmap_names_find(taken, kind->host, strlen(kind->host)) == TMAP_NONE) {
		if (tmap_names_intern(taken, kind->host, strlen(kind->host), err) == TMAP_NONE)
			return -1;
		return tmap_machine_add_node(machine, kind->host, topology, err);
	}
	for (int i = 0; i < kind->nodes; i++) {
		char name[16];

		snprintf(name, sizeof name, "n%d", machine->node_count);
		if (tmap_machine_add_node(machine, name, topology, err) < 0)
			return -1;
	}
	return 0;
}

static struct tmap_machine *read_specs(const char *const *spec, size_t count, bool with_io,
				       struct tmap_error *err)
{
	struct tmap_machine *machine = tmap_machine_new(err);
	struct tmap_names taken = { 0 };
	int rc = machine ? 0 : -1;

	for (size_t i = 0; i < count && rc == 0; i++) {
		struct kind kind = { 0 };

		if (read_kind(&kind, spec[i], with_io, err) < 0 ||
		    add_nodes(machine, &kind, &taken, err) < 0)
			rc = -1;
		kind_fini(&kind);
	}
	if (rc == 0)
		rc = tmap_machine_check_names(machine, err);
	tmap_names_fini(&taken);
	if (rc == 0)
		return machine;
	tmap_machine_free(machine);
	return NULL;
}

struct tmap_machine *tmap_machine_read_specs(const char *const *spec, size_t count,
					     struct tmap_error *err)
{
	return read_specs(spec, count, false, err);
}

struct tmap_machine *tmap_machine_read_specs_io(const char *const *spec, size_t count,
						struct tmap_error *err)
{
	return read_specs(spec, count, true, err);
}
