/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/cost/profile_fit.h"

#include "core/base/hostlist.h"
#include "core/base/mem.h"
#include "core/base/names.h"
#include "core/base/string.h"
#include "core/machine/device.h"

#include <stdlib.h>
#include <string.h>

static bool device_fits(const struct tmap_profile_link *entry, const struct tmap_topology *topo,
			int device)
{
	return tmap_device_is_adapter(topo, device) &&
		(!entry->device ||
		 strncmp(topo->device[device].name, entry->device, strlen(entry->device)) == 0);
}

int tmap_profile_adapters_of(const struct tmap_profile_link *entry,
			     const struct tmap_topology *topo)
{
	int count = 0;

	for (int d = 0; d < topo->device_count; d++)
		count += device_fits(entry, topo, d);
	return count ? count : 1;
}

static bool topology_fits(const struct tmap_profile_link *entry, const struct tmap_topology *topo)
{
	int cores = tmap_topology_count(topo, TMAP_CORE), d = 0;

	if (entry->cores && entry->cores != (cores ? cores : topo->pu_count))
		return false;
	if (!entry->device)
		return true;
	while (d < topo->device_count && !device_fits(entry, topo, d))
		d++;
	return d < topo->device_count;
}

/* A node called n7.cluster is also the host n7. */
static bool host_is_among(const struct tmap_names *hosts, const char *node)
{
	return tmap_names_find(hosts, node, strlen(node)) != TMAP_NONE ||
		tmap_names_find(hosts, node, strcspn(node, ".")) != TMAP_NONE;
}

static int hosts_parse(struct tmap_names *hosts, const char *nodes, struct tmap_error *err)
{
	struct tmap_hostlist list = TMAP_HOSTLIST_INIT;
	int status = tmap_hostlist_parse(&list, nodes, err);

	for (size_t i = 0; status == 0 && i < list.count; i++) {
		const char *name = tmap_hostlist_name(&list, i);

		if (tmap_names_intern(hosts, name, strlen(name), err) == TMAP_NONE)
			status = -1;
	}
	tmap_hostlist_fini(&list);
	return status;
}

static int entry_fit(int *fit, const struct tmap_profile_link *entry, int index,
		     const struct tmap_machine *machine, struct tmap_error *err)
{
	struct tmap_names hosts = { 0 };
	bool *fits = tmap_alloc((size_t)machine->topology_count, sizeof *fits, err);
	int status = fits ? 0 : -1;

	for (int t = 0; fits && t < machine->topology_count; t++)
		fits[t] = topology_fits(entry, &machine->topology[t]);
	if (status == 0 && entry->nodes)
		status = hosts_parse(&hosts, entry->nodes, err);
	for (int n = 0; status == 0 && n < machine->node_count; n++)
		if (fit[n] == TMAP_NONE && fits[machine->node_topology[n]] &&
		    (!entry->nodes || host_is_among(&hosts, machine->node_name[n])))
			fit[n] = index;
	tmap_names_fini(&hosts);
	free(fits);
	return status;
}

int *tmap_profile_fit(const struct tmap_profile_link *entry, int count, const char *level,
		      const struct tmap_machine *machine, struct tmap_error *err)
{
	int *fit = tmap_alloc_raw((size_t)machine->node_count, sizeof *fit, err);
	int status = fit ? 0 : -1;

	for (int n = 0; fit && n < machine->node_count; n++)
		fit[n] = TMAP_NONE;
	for (int i = 0; i < count && status == 0; i++)
		if (!level || strcmp(entry[i].level, level) == 0)
			status = entry_fit(fit, &entry[i], i, machine, err);
	if (status == 0)
		return fit;
	free(fit);
	return NULL;
}

/* The number behind @p word in @p name, without leading zeros; TMAP_NONE: it has another form. */
static int name_number(const char *name, const char *word)
{
	size_t length = strlen(word);
	int number = 0;

	if (strncmp(name, word, length) != 0 || name[length] == '0')
		return TMAP_NONE;
	for (name += length; *name >= '0' && *name <= '9' && number < 1000; name++)
		number = 10 * number + (*name - '0');
	return *name || !number ? TMAP_NONE : number;
}

int tmap_profile_tier(const char *name, const struct tmap_machine *machine)
{
	int number = name_number(name, "switch");

	for (int t = 0; machine && t < machine->tier_count; t++)
		if (strcmp(machine->tier[t].name, name) == 0)
			return t;
	return number == TMAP_NONE ? TMAP_NONE : number - 1;
}

bool tmap_profile_knows_level(const char *name, const struct tmap_machine *machine)
{
	return strcmp(name, TMAP_PROFILE_NETWORK) == 0 || tmap_type_find(name) != TMAP_NONE ||
		name_number(name, tmap_type_name(TMAP_GROUP)) >= 2 ||
		tmap_profile_tier(name, machine) != TMAP_NONE;
}

char *tmap_profile_levels_list(const struct tmap_machine *machine, struct tmap_error *err)
{
	struct tmap_str list = TMAP_STR_INIT;

	for (int t = machine ? machine->tier_count - 1 : -1; t >= 0; t--)
		if (name_number(machine->tier[t].name, "switch") == TMAP_NONE)
			tmap_str_addf(&list, "%s, ", machine->tier[t].name);
	tmap_str_addf(&list, TMAP_PROFILE_NETWORK ", switch1, switch2, ...");
	for (int type = 0; type < TMAP_TYPE_COUNT; type++)
		tmap_str_addf(&list, ", %s", tmap_type_name((enum tmap_type)type));
	return tmap_str_take(&list, err);
}

static bool level_is_same(const struct tmap_machine *machine, struct tmap_level_kind a,
			  struct tmap_level_kind b)
{
	for (int t = 0; t < machine->topology_count; t++)
		if (!tmap_level_is_same(&machine->topology[t], a, b))
			return false;
	return true;
}

/* The level that is kept of those with the objects of kind[at]; outer ones are kept. */
static int kind_find_level(const struct tmap_levels *levels, const struct tmap_level_order *order,
			   int at)
{
	for (int l = levels->count - 1; l >= 0; l--)
		if (levels->level[l].tier == TMAP_NONE && levels->level[l].kind.type != TMAP_NODE &&
		    level_is_same(levels->machine, levels->level[l].kind, order->kind[at]))
			return l;
	return TMAP_NONE;
}

int tmap_profile_find_level(int *index, const struct tmap_levels *levels, const char *name,
			    struct tmap_error *err)
{
	const struct tmap_machine *machine = levels->machine;
	int tier = tmap_profile_tier(name, machine), status = 0;
	struct tmap_level_order order;

	*index = tier == TMAP_NONE ? tmap_levels_find(levels, name) :
				     tmap_levels_find_tier(levels, tier);
	if (*index != TMAP_NONE || tier != TMAP_NONE)
		return 0;
	if (tmap_level_order_init(&order, machine->topology, machine->topology_count, err) < 0)
		return -1;
	for (int i = 1; i < order.count && status == 0; i++) {
		char *its = tmap_level_name(order.kind[i], err);

		if (its && strcmp(its, name) == 0)
			*index = kind_find_level(levels, &order, i);
		status = its ? 0 : -1;
		free(its);
	}
	tmap_level_order_fini(&order);
	return status;
}
