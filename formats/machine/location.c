/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/machine/location.h"

#include "core/base/hostlist.h"
#include "core/base/mem.h"
#include "core/machine/device.h"
#include "core/machine/overlap.h"

#include <stdlib.h>

void tmap_location_fini(struct tmap_location *location)
{
	for (int i = 0; i < TMAP_LOCATION_COLUMNS; i++) {
		free(location->text[i]);
		location->text[i] = NULL;
	}
}

/* The logical indexes of the objects of a type that hold one of the PUs. */
static char *print_objects(const struct tmap_topology *topo, const struct tmap_idset *logical,
			   enum tmap_type type, struct tmap_error *err)
{
	struct tmap_idset touched = { 0 };
	char *text = NULL;

	for (int pu = tmap_idset_next(logical, TMAP_NONE); pu != TMAP_NONE;
	     pu = tmap_idset_next(logical, pu)) {
		int object = tmap_topology_ancestor(topo, topo->pu[pu].object, type);

		if (object != TMAP_NONE &&
		    tmap_idset_add(&touched, topo->object[object].logical, err) < 0)
			goto out;
	}
	text = tmap_idset_print(&touched, err);
out:
	tmap_idset_fini(&touched);
	return text;
}

/* "mlx5_0", "hsi[0-5]": all that are closest */
static char *print_device(const struct tmap_topology *topo, int object, enum tmap_device_type type,
			  struct tmap_error *err)
{
	int count, device = tmap_device_closest(topo, object, type, &count);
	struct tmap_hostlist list = TMAP_HOSTLIST_INIT;
	struct tmap_str str = TMAP_STR_INIT, shown = TMAP_STR_INIT;
	char *text = NULL;
	int closest;

	if (device == TMAP_NONE)
		return tmap_strdup("", err);
	closest = tmap_topology_common_pus(topo, object, topo->device[device].object);
	for (int d = device; d < topo->device_count; d++)
		if (topo->device[d].type == type &&
		    (type != TMAP_NETWORK || tmap_device_is_adapter(topo, d)) &&
		    tmap_topology_common_pus(topo, object, topo->device[d].object) == closest &&
		    tmap_hostlist_add(&list, topo->device[d].name, err) < 0)
			goto out;
	tmap_hostlist_print(&list, &str);
	tmap_str_add_printable(&shown, str.text ? str.text : ""); /* a table is read on terminals */
	shown.failed = shown.failed || str.failed;
	tmap_str_fini(&str);
	text = tmap_str_take(&shown, err);
out:
	tmap_hostlist_fini(&list);
	return text;
}

/* Is memory left that the job may use and the place may not? */
static bool is_less_memory(const struct tmap_topology *topo, const struct tmap_place *place)
{
	for (int i = 0; i < topo->memory_count; i++)
		if (!topo->memory[i].disallowed &&
		    !tmap_idset_contains(&place->memory, topo->memory[i].os))
			return true;
	return false;
}

static char *print_memory(const struct tmap_topology *topo, const struct tmap_place *place,
			  struct tmap_error *err)
{
	bool is_known = tmap_idset_size(&place->memory) > 0;

	return is_known && is_less_memory(topo, place) ? tmap_idset_print(&place->memory, err) :
							 tmap_strdup("", err);
}

static bool has_kind(const struct tmap_topology *topo, const struct tmap_idset *logical, int kind)
{
	for (int pu = tmap_idset_next(logical, TMAP_NONE); pu != TMAP_NONE;
	     pu = tmap_idset_next(logical, pu))
		if (topo->pu[pu].kind == kind)
			return true;
	return false;
}

/* "IntelAtom,IntelCore", or numbers where the kinds have no names */
static char *print_kinds(const struct tmap_topology *topo, const struct tmap_idset *logical,
			 struct tmap_error *err)
{
	struct tmap_str str = TMAP_STR_INIT;

	for (int kind = 0; topo->kind_count > 1 && kind < topo->kind_count; kind++) {
		if (!has_kind(topo, logical, kind))
			continue;
		if (str.length)
			tmap_str_add(&str, ",");
		if (topo->kind[kind].name[0])
			tmap_str_add_printable(&str, topo->kind[kind].name);
		else
			tmap_str_addf(&str, "%d", kind);
	}
	return tmap_str_take(&str, err);
}

int tmap_location_init(struct tmap_location *location, const struct tmap_placement *p, int place,
		       struct tmap_error *err)
{
	static const struct {
		enum tmap_location_column column;
		enum tmap_type type;
	} objects[] = {
		{ TMAP_LOCATION_CORE, TMAP_CORE },
		{ TMAP_LOCATION_L3, TMAP_L3 },
		{ TMAP_LOCATION_NUMA, TMAP_NUMA },
		{ TMAP_LOCATION_PACKAGE, TMAP_PACKAGE },
	};
	const struct tmap_place *it = &p->places[place];
	const struct tmap_topology *topo = &p->machine->topology[it->topology];
	struct tmap_idset logical = { 0 };
	struct tmap_location made = { 0 };

	if (tmap_place_logical(topo, it, &logical, err) < 0)
		return -1;
	made.text[TMAP_LOCATION_LOGICAL] = tmap_idset_print(&logical, err);
	made.text[TMAP_LOCATION_PHYSICAL] = tmap_idset_print(&it->pus, err);
	for (size_t i = 0; i < sizeof objects / sizeof objects[0]; i++)
		made.text[objects[i].column] = print_objects(topo, &logical, objects[i].type, err);
	made.text[TMAP_LOCATION_NETWORK] = print_device(topo, it->object, TMAP_NETWORK, err);
	made.text[TMAP_LOCATION_GPU] = print_device(topo, it->object, TMAP_GPU, err);
	made.text[TMAP_LOCATION_MEMORY] = print_memory(topo, it, err);
	made.text[TMAP_LOCATION_KIND] = print_kinds(topo, &logical, err);
	tmap_idset_fini(&logical);
	for (int i = 0; i < TMAP_LOCATION_COLUMNS; i++)
		if (!made.text[i]) {
			tmap_location_fini(&made);
			return -1;
		}
	*location = made;
	return 0;
}

struct tmap_location *tmap_locations_new(const struct tmap_placement *p, const int *rank, int count,
					 struct tmap_error *err)
{
	struct tmap_location *locations =
		tmap_alloc((size_t)p->place_count, sizeof *locations, err);

	for (int i = 0; locations && i < count; i++) {
		int place = p->place[rank[i]];

		if (locations[place].text[0] ||
		    tmap_location_init(&locations[place], p, place, err) == 0)
			continue;
		tmap_locations_free(locations, p->place_count);
		return NULL;
	}
	return locations;
}

void tmap_locations_free(struct tmap_location *locations, int place_count)
{
	for (int i = 0; locations && i < place_count; i++)
		tmap_location_fini(&locations[i]);
	free(locations);
}
