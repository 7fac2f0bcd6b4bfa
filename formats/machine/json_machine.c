/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/machine/json_machine.h"

#include "core/base/hostlist.h"
#include "core/base/mem.h"
#include "formats/machine/json_system.h"
#include "formats/machine/json_topology.h"

#include <stdlib.h>
#include <string.h>

/* The nodes of each switch, switch by switch: those of s are node[first[s]] up to
 * node[first[s + 1] - 1]. */
static int sort_by_switch(const struct tmap_tier *tier, int node_count, int **first, int **node,
			  struct tmap_error *err)
{
	int *start = tmap_alloc((size_t)tier->switch_count + 2, sizeof *start, err);
	int *sorted = tmap_alloc_raw((size_t)node_count, sizeof *sorted, err);

	if (!start || !sorted) {
		free(start);
		free(sorted);
		return -1;
	}
	for (int n = 0; n < node_count; n++)
		if (tier->switch_of[n] != TMAP_NONE)
			start[tier->switch_of[n] + 2]++;
	for (int s = 2; s <= tier->switch_count; s++)
		start[s] += start[s - 1];
	for (int n = 0; n < node_count; n++)
		if (tier->switch_of[n] != TMAP_NONE)
			sorted[start[tier->switch_of[n] + 1]++] = n;
	*first = start;
	*node = sorted;
	return 0;
}

static int put_tier(struct tmap_json_writer *w, const struct tmap_tier *tier, int node_count,
		    struct tmap_error *err)
{
	int *first, *node;
	int status = 0;

	if (sort_by_switch(tier, node_count, &first, &node, err) < 0)
		return -1;
	tmap_json_open(w, NULL, '{');
	tmap_json_put_string(w, "name", tier->name);
	tmap_json_open(w, "switches", '[');
	for (int s = 0; s < tier->switch_count && status == 0; s++) {
		tmap_json_open_line(w, NULL, '{');
		tmap_json_put_string(w, "name", tier->switch_name[s]);
		status = tmap_json_put_list(w, "nodes", node + first[s], first[s + 1] - first[s],
					    err);
		tmap_json_close(w);
	}
	tmap_json_close(w);
	tmap_json_close(w);
	free(first);
	free(node);
	return status;
}

static int put_torus(struct tmap_json_writer *w, const struct tmap_machine *machine,
		     struct tmap_error *err)
{
	const struct tmap_torus *torus = &machine->torus;
	int status;

	if (!torus->place)
		return 0;
	tmap_json_open_line(w, "torus", '{');
	tmap_json_put_ints(w, "dims", torus->dim, TMAP_TORUS_DIMENSIONS);
	status = tmap_json_put_list(w, "places", torus->place, machine->node_count, err);
	tmap_json_close(w);
	return status;
}

static int put_network(struct tmap_json_writer *w, const struct tmap_machine *machine,
		       struct tmap_error *err)
{
	int status = 0;

	if (!machine->tier_count)
		return 0;
	tmap_json_open(w, "network", '{');
	tmap_json_open(w, "levels", '[');
	for (int t = machine->tier_count - 1; t >= 0 && status == 0; t--)
		status = put_tier(w, &machine->tier[t], machine->node_count, err);
	tmap_json_close(w);
	if (status == 0)
		status = put_torus(w, machine, err);
	tmap_json_close(w);
	return status;
}

/* A host list says any name that has none of its own signs and is not too long. */
static bool is_plain(const char *name)
{
	return *name && strlen(name) <= 255 && !strpbrk(name, ",[] \t\r\n");
}

static int put_host_list(struct tmap_json_writer *w, char *const *name, int count,
			 struct tmap_error *err)
{
	struct tmap_hostlist list = TMAP_HOSTLIST_INIT;
	struct tmap_str text = TMAP_STR_INIT;
	char *names = NULL;
	int status = 0;

	for (int i = 0; i < count && status == 0; i++)
		status = tmap_hostlist_add(&list, name[i], err);
	if (status == 0) {
		tmap_hostlist_print(&list, &text);
		names = tmap_str_take(&text, err);
	}
	if (names)
		tmap_json_put_string(w, "names", names);
	free(names);
	tmap_hostlist_fini(&list);
	return names ? 0 : -1;
}

static int put_names(struct tmap_json_writer *w, char *const *name, int count,
		     struct tmap_error *err)
{
	int plain = 0;

	while (plain < count && is_plain(name[plain]))
		plain++;
	if (plain == count)
		return put_host_list(w, name, count, err);
	tmap_json_open(w, "names", '[');
	for (int i = 0; i < count; i++)
		tmap_json_put_string(w, NULL, name[i]);
	tmap_json_close(w);
	return 0;
}

static bool nodes_are_alike(const struct tmap_machine *machine, int a, int b)
{
	return machine->node_topology[a] == machine->node_topology[b] &&
		(!machine->node_system || machine->node_system[a] == machine->node_system[b]);
}

static int put_nodes(struct tmap_json_writer *w, const struct tmap_machine *machine,
		     struct tmap_error *err)
{
	int status = 0;

	tmap_json_open(w, "nodes", '[');
	for (int n = 0, end; n < machine->node_count && status == 0; n = end) {
		for (end = n + 1; end < machine->node_count; end++)
			if (!nodes_are_alike(machine, end, n))
				break;
		tmap_json_open_line(w, NULL, '{');
		status = put_names(w, machine->node_name + n, end - n, err);
		tmap_json_put_int(w, "topology", machine->node_topology[n]);
		if (tmap_machine_system(machine, n))
			tmap_json_put_int(w, "system", machine->node_system[n]);
		tmap_json_close(w);
	}
	tmap_json_close(w);
	return status;
}

int tmap_json_put_machine(struct tmap_json_writer *w, const struct tmap_machine *machine,
			  struct tmap_error *err)
{
	int status = 0;

	tmap_json_open(w, "topologies", '[');
	for (int t = 0; t < machine->topology_count && status == 0; t++)
		status = tmap_json_put_topology(w, NULL, &machine->topology[t], err);
	tmap_json_close(w);
	if (status < 0 || tmap_json_put_systems(w, machine, err) < 0 ||
	    put_network(w, machine, err) < 0)
		return -1;
	return put_nodes(w, machine, err);
}

static int *get_topologies(const struct tmap_json *in, struct tmap_machine *machine, int *count,
			   struct tmap_error *err)
{
	struct tmap_json array, element;
	struct tmap_topology topo;
	int *topology_of;

	if (tmap_json_get(in, "topologies", TMAP_JSON_ARRAY, &array, err) < 0)
		return NULL;
	*count = tmap_json_count(&array);
	topology_of = tmap_alloc_raw((size_t)*count, sizeof *topology_of, err);
	for (int i = 0; topology_of && i < *count; i++) {
		if (tmap_json_element(&array, i, TMAP_JSON_OBJECT, &element, err) < 0 ||
		    tmap_json_get_topology(&element, &topo, err) < 0)
			goto refused;
		topology_of[i] = tmap_machine_add_topology_take(machine, &topo, err);
		if (topology_of[i] == TMAP_NONE) {
			tmap_topology_fini(&topo);
			goto refused;
		}
	}
	return topology_of;
refused:
	free(topology_of);
	return NULL;
}

static int add_node(struct tmap_machine *machine, const char *name, int topology,
		    const struct tmap_json *at, struct tmap_error *err)
{
	if (machine->node_count == TMAP_JSON_MOST_NODES)
		return tmap_json_fail(at, err, "there are more than %d nodes",
				      TMAP_JSON_MOST_NODES);
	if (!*name)
		return tmap_json_fail(at, err, "a node's name is empty");
	return tmap_machine_add_node(machine, name, topology, err);
}

static int add_host_list(struct tmap_machine *machine, const struct tmap_json *names, int topology,
			 struct tmap_error *err)
{
	struct tmap_hostlist list = TMAP_HOSTLIST_INIT;
	int status = 0;

	if (tmap_hostlist_parse(&list, tmap_json_string(names), err) < 0)
		return tmap_json_wrap(names, err);
	for (size_t i = 0; i < list.count && status == 0; i++)
		status = add_node(machine, tmap_hostlist_name(&list, i), topology, names, err);
	tmap_hostlist_fini(&list);
	return status;
}

static int add_name_array(struct tmap_machine *machine, const struct tmap_json *names, int topology,
			  struct tmap_error *err)
{
	struct tmap_json name;

	for (int i = 0; i < tmap_json_count(names); i++)
		if (tmap_json_element(names, i, TMAP_JSON_STRING, &name, err) < 0 ||
		    add_node(machine, tmap_json_string(&name), topology, &name, err) < 0)
			return -1;
	return 0;
}

/* end[i]: the nodes up to element i of the array. */
static int get_systems(const struct tmap_json *in, const struct tmap_json *array,
		       struct tmap_machine *machine, const int *end, struct tmap_error *err)
{
	struct tmap_json element, found;
	int count, *number = tmap_json_get_systems(in, machine, &count, err);
	int status = number ? 0 : -1;

	for (int i = 0, n = 0, system; i < tmap_json_count(array) && status == 0; n = end[i++]) {
		if (tmap_json_element(array, i, TMAP_JSON_OBJECT, &element, err) < 0 ||
		    tmap_json_find(&element, "system", TMAP_JSON_ANY, &found, err) < 0)
			status = -1;
		if (status < 0 || !found.value)
			continue;
		status = tmap_json_get_index(&element, "system", count, "systems", &system, err);
		for (; n < end[i] && status == 0; n++)
			status = tmap_machine_set_system(machine, n, number[system], err);
	}
	free(number);
	return status;
}

static int add_nodes(const struct tmap_json *array, struct tmap_machine *machine,
		     const int *topology_of, int topology_count, int *end, struct tmap_error *err)
{
	struct tmap_json element, names;
	int topology;

	for (int i = 0; i < tmap_json_count(array); i++) {
		if (tmap_json_element(array, i, TMAP_JSON_OBJECT, &element, err) < 0 ||
		    tmap_json_get(&element, "names", TMAP_JSON_ANY, &names, err) < 0 ||
		    tmap_json_get_index(&element, "topology", topology_count, "topologies",
					&topology, err) < 0)
			return -1;
		topology = topology_of[topology];
		if (tmap_json_is(&names, TMAP_JSON_ARRAY)) {
			if (add_name_array(machine, &names, topology, err) < 0)
				return -1;
		} else if (!tmap_json_is(&names, TMAP_JSON_STRING)) {
			return tmap_json_fail_type(&names, "a host list", err);
		} else if (add_host_list(machine, &names, topology, err) < 0) {
			return -1;
		}
		end[i] = machine->node_count;
	}
	return tmap_machine_check_names(machine, err) < 0 ? tmap_json_wrap(array, err) : 0;
}

static int get_nodes(const struct tmap_json *in, struct tmap_machine *machine,
		     const int *topology_of, int topology_count, struct tmap_error *err)
{
	struct tmap_json array;
	int *end, status = -1;

	if (tmap_json_get(in, "nodes", TMAP_JSON_ARRAY, &array, err) < 0)
		return -1;
	end = tmap_alloc_raw((size_t)tmap_json_count(&array), sizeof *end, err);
	if (end && add_nodes(&array, machine, topology_of, topology_count, end, err) == 0)
		status = get_systems(in, &array, machine, end, err);
	free(end);
	return status;
}

static int get_switch(const struct tmap_json *in, struct tmap_tier *tier, int node_count,
		      struct tmap_error *err)
{
	struct tmap_json list;
	const char *name;
	int count, *node, status = 0;

	if (tmap_json_get_string(in, "name", &name, err) < 0 ||
	    tmap_json_get(in, "nodes", TMAP_JSON_ANY, &list, err) < 0)
		return -1;
	count = tmap_json_list_length(&list, err);
	if (count < 0)
		return -1;
	if (count > node_count)
		return tmap_json_fail(&list, err,
				      "%d nodes are under this switch, but there are %d", count,
				      node_count);
	node = tmap_json_list(&list, count, 0, node_count - 1, err);
	tier->switch_name[tier->switch_count] = node ? tmap_strdup(name, err) : NULL;
	if (!node || !tier->switch_name[tier->switch_count]) {
		free(node);
		return -1;
	}
	for (int i = 0; i < count && status == 0; i++) {
		int *above = &tier->switch_of[node[i]];

		if (*above == TMAP_NONE)
			*above = tier->switch_count;
		else if (*above == tier->switch_count)
			status = tmap_json_fail(&list, err, "node %d stands there twice", node[i]);
		else
			status = tmap_json_fail(&list, err, "node %d is also under '%.64s'",
						node[i], tier->switch_name[*above]);
	}
	tier->switch_count++;
	free(node);
	return status;
}

static int get_tier(const struct tmap_json *in, struct tmap_tier *tier, int node_count,
		    struct tmap_error *err)
{
	struct tmap_json switches, element;
	const char *name;

	if (tmap_json_get_string(in, "name", &name, err) < 0 ||
	    tmap_json_get(in, "switches", TMAP_JSON_ARRAY, &switches, err) < 0)
		return -1;
	tier->name = tmap_strdup(name, err);
	tier->switch_name =
		tmap_alloc((size_t)tmap_json_count(&switches), sizeof *tier->switch_name, err);
	tier->switch_of = tmap_alloc_raw((size_t)node_count, sizeof *tier->switch_of, err);
	if (!tier->name || !tier->switch_name || !tier->switch_of)
		return -1;
	for (int n = 0; n < node_count; n++)
		tier->switch_of[n] = TMAP_NONE;
	for (int s = 0; s < tmap_json_count(&switches); s++)
		if (tmap_json_element(&switches, s, TMAP_JSON_OBJECT, &element, err) < 0 ||
		    get_switch(&element, tier, node_count, err) < 0)
			return -1;
	return 0;
}

static int get_torus(const struct tmap_json *network, struct tmap_machine *machine,
		     struct tmap_error *err)
{
	struct tmap_json torus, dims, list, element;
	int dim[TMAP_TORUS_DIMENSIONS], *place, count;
	int64_t number;

	if (tmap_json_find(network, "torus", TMAP_JSON_OBJECT, &torus, err) < 0)
		return -1;
	if (!torus.value)
		return 0;
	if (tmap_json_get(&torus, "dims", TMAP_JSON_ARRAY, &dims, err) < 0 ||
	    tmap_json_get(&torus, "places", TMAP_JSON_ANY, &list, err) < 0)
		return -1;
	if (tmap_json_count(&dims) != TMAP_TORUS_DIMENSIONS)
		return tmap_json_fail(&dims, err, "a torus has %d dimensions, not %d",
				      TMAP_TORUS_DIMENSIONS, tmap_json_count(&dims));
	for (int d = 0; d < TMAP_TORUS_DIMENSIONS; d++) {
		if (tmap_json_element(&dims, d, TMAP_JSON_INTEGER, &element, err) < 0 ||
		    tmap_json_integer(&element, 1, TMAP_TORUS_MOST_SIZE, &number, err) < 0)
			return -1;
		dim[d] = (int)number;
	}
	if (tmap_torus_places(dim) > TMAP_TORUS_MOST_PLACES)
		return tmap_json_fail(&dims, err, "%d x %d x %d places are more than %d", dim[0],
				      dim[1], dim[2], TMAP_TORUS_MOST_PLACES);
	count = tmap_json_list_length(&list, err);
	if (count < 0)
		return -1;
	if (count != machine->node_count)
		return tmap_json_fail(&list, err, "%d places of %d nodes", count,
				      machine->node_count);
	place = tmap_json_list(&list, count, 0, (int)tmap_torus_places(dim) - 1, err);
	if (!place)
		return -1;
	if (tmap_machine_set_torus_take(machine, dim, place, err) == 0)
		return 0;
	free(place);
	return tmap_json_wrap(&list, err);
}

static int get_network(const struct tmap_json *in, struct tmap_machine *machine,
		       struct tmap_error *err)
{
	struct tmap_json network, levels, element;
	int status = 0;

	if (tmap_json_find(in, "network", TMAP_JSON_OBJECT, &network, err) < 0)
		return -1;
	if (!network.value)
		return 0;
	if (tmap_json_get(&network, "levels", TMAP_JSON_ARRAY, &levels, err) < 0)
		return -1;
	if (tmap_json_count(&levels) > TMAP_JSON_MOST_TIERS)
		return tmap_json_fail(&levels, err, "there are more than %d levels of switches",
				      TMAP_JSON_MOST_TIERS);
	for (int t = tmap_json_count(&levels) - 1; t >= 0 && status == 0; t--) {
		struct tmap_tier tier = { 0 };

		if (tmap_json_element(&levels, t, TMAP_JSON_OBJECT, &element, err) < 0 ||
		    get_tier(&element, &tier, machine->node_count, err) < 0)
			status = -1;
		else if (tmap_machine_add_tier_take(machine, &tier, err) < 0)
			status = tmap_json_wrap(&element, err);
		tmap_tier_fini(&tier);
	}
	return status == 0 ? get_torus(&network, machine, err) : -1;
}

struct tmap_machine *tmap_json_get_machine(const struct tmap_json *in, int **topology_of,
					   int *topology_count, struct tmap_error *err)
{
	struct tmap_machine *machine = tmap_machine_new(err);
	int *number, count;

	if (!machine)
		return NULL;
	number = get_topologies(in, machine, &count, err);
	if (!number || get_nodes(in, machine, number, count, err) < 0 ||
	    get_network(in, machine, err) < 0) {
		free(number);
		tmap_machine_free(machine);
		return NULL;
	}
	*topology_of = number;
	*topology_count = count;
	return machine;
}
