/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/machine/machine.h"

#include "core/base/mem.h"
#include "core/base/names.h"
#include "core/base/sort.h"
#include "core/base/utf8.h"

#include <stdlib.h>
#include <string.h>

struct tmap_machine *tmap_machine_new(struct tmap_error *err)
{
	struct tmap_machine *machine = tmap_alloc(1, sizeof *machine, err);

	if (machine)
		machine->references = 1;
	return machine;
}

struct tmap_machine *tmap_machine_ref(struct tmap_machine *machine)
{
	machine->references++;
	return machine;
}

static void free_names(char **name, int count)
{
	for (int i = 0; name && i < count; i++)
		free(name[i]);
	free(name);
}

void tmap_tier_fini(struct tmap_tier *tier)
{
	free(tier->name);
	free_names(tier->switch_name, tier->switch_count);
	free(tier->switch_of);
	*tier = (struct tmap_tier){ 0 };
}

void tmap_machine_clear_tiers(struct tmap_machine *machine)
{
	for (int i = 0; i < machine->tier_count; i++)
		tmap_tier_fini(&machine->tier[i]);
	machine->tier_count = 0;
	free(machine->torus.place);
	machine->torus = (struct tmap_torus){ 0 };
}

void tmap_machine_free(struct tmap_machine *machine)
{
	if (!machine || --machine->references > 0)
		return;
	for (int i = 0; i < machine->topology_count; i++)
		tmap_topology_fini(&machine->topology[i]);
	tmap_machine_clear_tiers(machine);
	free(machine->topology);
	free(machine->tier);
	free_names(machine->node_name, machine->node_count);
	free(machine->node_topology);
	for (int i = 0; i < machine->system_count; i++)
		tmap_system_fini(&machine->system[i]);
	free(machine->system);
	free(machine->node_system);
	free(machine);
}

int tmap_machine_add_topology_take(struct tmap_machine *machine, struct tmap_topology *topo,
				   struct tmap_error *err)
{
	for (int i = 0; i < machine->topology_count; i++) {
		if (!tmap_topology_equal(&machine->topology[i], topo))
			continue;
		tmap_topology_fini(topo);
		return i;
	}
	if (tmap_grow(&machine->topology, &machine->topology_capacity,
		      (size_t)machine->topology_count + 1, sizeof *machine->topology, err) < 0)
		return TMAP_NONE;
	machine->topology[machine->topology_count] = *topo;
	*topo = (struct tmap_topology){ 0 };
	return machine->topology_count++;
}

int tmap_machine_add_node(struct tmap_machine *machine, const char *name, int topology,
			  struct tmap_error *err)
{
	size_t need = (size_t)machine->node_count + 1;
	char *copy;

	if (tmap_grow(&machine->node_name, &machine->node_capacity, need,
		      sizeof *machine->node_name, err) < 0 ||
	    tmap_grow(&machine->node_topology, &machine->node_topology_capacity, need,
		      sizeof *machine->node_topology, err) < 0)
		return -1;
	copy = tmap_strdup(name, err);
	if (!copy)
		return -1;
	machine->node_name[machine->node_count] = copy;
	machine->node_topology[machine->node_count++] = topology;
	return 0;
}

int tmap_machine_add_system(struct tmap_machine *machine, const struct tmap_system *system,
			    struct tmap_error *err)
{
	struct tmap_system copy = { .cpu_quota_thousandths = system->cpu_quota_thousandths,
				    .memory_limit_bytes = system->memory_limit_bytes };

	for (int i = 0; i < machine->system_count; i++)
		if (tmap_system_equal(&machine->system[i], system))
			return i;
	if (tmap_idset_copy(&copy.isolated, &system->isolated, err) < 0 ||
	    tmap_idset_copy(&copy.nohz_full, &system->nohz_full, err) < 0 ||
	    tmap_grow(&machine->system, &machine->system_capacity,
		      (size_t)machine->system_count + 1, sizeof *machine->system, err) < 0) {
		tmap_system_fini(&copy);
		return TMAP_NONE;
	}
	machine->system[machine->system_count] = copy;
	return machine->system_count++;
}

int tmap_machine_set_system(struct tmap_machine *machine, int node, int system,
			    struct tmap_error *err)
{
	if (!machine->node_system) {
		machine->node_system = tmap_alloc_raw((size_t)machine->node_count,
						      sizeof *machine->node_system, err);
		if (!machine->node_system)
			return -1;
		for (int n = 0; n < machine->node_count; n++)
			machine->node_system[n] = TMAP_NONE;
	}
	machine->node_system[node] = system;
	return 0;
}

const struct tmap_system *tmap_machine_system(const struct tmap_machine *machine, int node)
{
	if (!machine->node_system || machine->node_system[node] == TMAP_NONE)
		return NULL;
	return &machine->system[machine->node_system[node]];
}

static int by_name(const void *left, const void *right, void *context)
{
	char **name = context;
	int a = *(const int *)left, b = *(const int *)right;
	int order = strcmp(name[a], name[b]);

	return order ? order : (a > b) - (a < b);
}

static int *sort_names(char **name, int count, struct tmap_error *err)
{
	int *index = tmap_alloc_raw((size_t)count, sizeof *index, err);

	if (!index)
		return NULL;
	for (int i = 0; i < count; i++)
		index[i] = i;
	qsort_r(index, (size_t)count, sizeof *index, by_name, name);
	return index;
}

static int check_all_names(char **name, int count, struct tmap_error *err)
{
	int *index, status = 0;

	for (int i = 0; i < count; i++)
		/* names are printed, perhaps on a terminal, and no host has such a name */
		if (!tmap_utf8_is_plain(name[i]))
			return tmap_fail(err, TMAP_INPUT,
					 "the name '%s' of node %d has a control "
					 "character",
					 name[i], i);
	for (int i = 0; i < count; i++)
		if (!*name[i])
			return tmap_fail(err, TMAP_INPUT, "the name of node %d is empty", i);
	for (int i = 0; i < count; i++)
		if (tmap_host_name_check(name[i], strlen(name[i]), err) < 0)
			return -1;
	index = sort_names(name, count, err);
	if (!index)
		return -1;
	for (int i = 1; i < count && status == 0; i++)
		if (strcmp(name[index[i - 1]], name[index[i]]) == 0)
			status = tmap_fail(err, TMAP_INPUT, "nodes %d and %d are both called '%s'",
					   index[i - 1], index[i], name[index[i]]);
	free(index);
	return status;
}

int tmap_machine_check_names(const struct tmap_machine *machine, struct tmap_error *err)
{
	if (machine->node_count < 1)
		return tmap_fail(err, TMAP_INPUT, "the machine has no nodes");
	return check_all_names(machine->node_name, machine->node_count, err);
}

int tmap_machine_rename(struct tmap_machine *machine, char *const *name, int count,
			struct tmap_error *err)
{
	char **copy;

	if (count != machine->node_count)
		return tmap_fail(err, TMAP_INPUT, "%d host names are given for %d node%s", count,
				 machine->node_count, machine->node_count == 1 ? "" : "s");
	copy = tmap_alloc((size_t)count, sizeof *copy, err);
	if (!copy)
		return -1;
	for (int i = 0; i < count; i++) {
		copy[i] = tmap_strdup(name[i], err);
		if (!copy[i])
			goto refused;
	}
	if (check_all_names(copy, count, err) < 0)
		goto refused;
	free_names(machine->node_name, machine->node_count);
	machine->node_name = copy;
	machine->node_capacity = (size_t)count;
	return 0;
refused:
	free_names(copy, count);
	return -1;
}

static int check_switch_numbers(const struct tmap_machine *machine, const struct tmap_tier *tier,
				struct tmap_error *err)
{
	for (int n = 0; n < machine->node_count; n++)
		if (tier->switch_of[n] < TMAP_NONE || tier->switch_of[n] >= tier->switch_count)
			return tmap_fail(
				err, TMAP_INPUT,
				"node '%s' lies under switch %d of level '%s', which has %d",
				machine->node_name[n], tier->switch_of[n], tier->name,
				tier->switch_count);
	return 0;
}

/* Nodes that share a switch below must share one above: switches form a tree. */
static int check_nesting(const struct tmap_machine *machine, const struct tmap_tier *below,
			 const struct tmap_tier *tier, struct tmap_error *err)
{
	int *first = tmap_alloc_raw((size_t)below->switch_count, sizeof *first, err);
	int status = 0;

	if (!first)
		return -1;
	for (int s = 0; s < below->switch_count; s++)
		first[s] = TMAP_NONE;
	for (int n = 0; n < machine->node_count && status == 0; n++) {
		int s = below->switch_of[n];

		if (s == TMAP_NONE)
			continue;
		if (first[s] == TMAP_NONE)
			first[s] = n;
		else if (tier->switch_of[first[s]] != tier->switch_of[n])
			status =
				tmap_fail(err, TMAP_INPUT,
					  "nodes '%s' and '%s' share the %s '%s', but not their %s",
					  machine->node_name[first[s]], machine->node_name[n],
					  below->name, below->switch_name[s], tier->name);
	}
	free(first);
	return status;
}

static int check_tier_names(const struct tmap_tier *tier, struct tmap_error *err)
{
	if (!tmap_utf8_is_plain(tier->name))
		return tmap_fail(err, TMAP_INPUT,
				 "the name '%s' of a level has a control character", tier->name);
	for (int s = 0; s < tier->switch_count; s++)
		if (!tmap_utf8_is_plain(tier->switch_name[s]))
			return tmap_fail(err, TMAP_INPUT,
					 "the name '%s' of a switch has a control "
					 "character",
					 tier->switch_name[s]);
	return 0;
}

int tmap_machine_add_tier_take(struct tmap_machine *machine, struct tmap_tier *tier,
			       struct tmap_error *err)
{
	if (check_switch_numbers(machine, tier, err) < 0 || check_tier_names(tier, err) < 0)
		return -1;
	if (machine->tier_count &&
	    check_nesting(machine, &machine->tier[machine->tier_count - 1], tier, err) < 0)
		return -1;
	if (tmap_grow(&machine->tier, &machine->tier_capacity, (size_t)machine->tier_count + 1,
		      sizeof *machine->tier, err) < 0)
		return -1;
	machine->tier[machine->tier_count++] = *tier;
	*tier = (struct tmap_tier){ 0 };
	return 0;
}

/* Two nodes at one place of the torus. */
static int check_places(const struct tmap_machine *machine, const int *place, int64_t places,
			struct tmap_error *err)
{
	int64_t *sorted = tmap_alloc_raw((size_t)machine->node_count, sizeof *sorted, err);
	int status = sorted ? 0 : -1;

	for (int n = 0; n < machine->node_count && status == 0; n++) {
		sorted[n] = place[n];
		if (place[n] < 0 || place[n] >= places)
			status = tmap_fail(err, TMAP_INPUT,
					   "node '%s' is at place %d, but the torus has %lld",
					   machine->node_name[n], place[n], (long long)places);
	}
	if (status == 0)
		status = tmap_sort_numbers(sorted, (size_t)machine->node_count, err);
	for (int n = 1; n < machine->node_count && status == 0; n++)
		if (sorted[n] == sorted[n - 1])
			status = tmap_fail(err, TMAP_INPUT, "place %lld of the torus has two nodes",
					   (long long)sorted[n]);
	free(sorted);
	return status;
}

int tmap_machine_set_torus_take(struct tmap_machine *machine, const int dim[TMAP_TORUS_DIMENSIONS],
				int *place, struct tmap_error *err)
{
	if (check_places(machine, place, tmap_torus_places(dim), err) < 0)
		return -1;
	free(machine->torus.place);
	machine->torus = (struct tmap_torus){ { dim[0], dim[1], dim[2] }, place };
	return 0;
}

const struct tmap_topology *tmap_machine_topology(const struct tmap_machine *machine, int node)
{
	return &machine->topology[machine->node_topology[node]];
}

int64_t tmap_machine_core_count(const struct tmap_machine *machine)
{
	int64_t sum = 0;
	int topology = TMAP_NONE, each = 0;

	for (int n = 0; n < machine->node_count; n++) {
		if (machine->node_topology[n] != topology) {
			topology = machine->node_topology[n];
			each = tmap_topology_allowed_cores(&machine->topology[topology]);
		}
		sum += each;
	}
	return sum;
}
