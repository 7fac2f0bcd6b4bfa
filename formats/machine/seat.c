#include "formats/machine/seat.h"

#include "core/machine/overlap.h"
#include "core/machine/device.h"
#include "core/base/mem.h"

#include <stdlib.h>

const char *const tm_seat_title[TM_SEAT_COLUMNS] = {
	[TM_SEAT_LOGICAL] = "PU L#", [TM_SEAT_PHYSICAL] = "PU P#", [TM_SEAT_CORE] = "core",
	[TM_SEAT_L3] = "L3", [TM_SEAT_NUMA] = "NUMA", [TM_SEAT_PACKAGE] = "package",
	[TM_SEAT_NETWORK] = "adapter", [TM_SEAT_GPU] = "GPU",
};

const char *const tm_seat_member[TM_SEAT_COLUMNS] = {
	[TM_SEAT_LOGICAL] = "logical_pus", [TM_SEAT_PHYSICAL] = "pus", [TM_SEAT_CORE] = "cores",
	[TM_SEAT_L3] = "l3", [TM_SEAT_NUMA] = "numa", [TM_SEAT_PACKAGE] = "packages",
	[TM_SEAT_NETWORK] = "adapter", [TM_SEAT_GPU] = "gpu",
};

void tm_seat_fini(struct tm_seat *seat)
{
	for (int i = 0; i < TM_SEAT_COLUMNS; i++) {
		free(seat->text[i]);
		seat->text[i] = NULL;
	}
}

/* The logical indexes of the objects of a type that hold one of the PUs. */
static char *print_objects(const struct tm_topology *topo, const struct tm_idset *logical,
			   enum tm_type type, struct tm_error *err)
{
	struct tm_idset touched = { 0 };
	char *text = NULL;

	for (int pu = tm_idset_next(logical, TM_NONE); pu != TM_NONE;
	     pu = tm_idset_next(logical, pu)) {
		int object = tm_topology_ancestor(topo, topo->pu[pu].object, type);

		if (object != TM_NONE &&
		    tm_idset_add(&touched, topo->object[object].logical, err) < 0)
			goto out;
	}
	text = tm_idset_print(&touched, err);
out:
	tm_idset_fini(&touched);
	return text;
}

static char *print_device(const struct tm_topology *topo, int object, enum tm_device_type type,
			  struct tm_error *err)
{
	int count, device = tm_device_closest(topo, object, type, &count);

	char *text;

	if (device == TM_NONE)
		return tm_strdup("", err);
	if (count == 1)
		text = tm_strdup(topo->device[device].name, err);
	else
		text = tm_format(err, "%s +%d", topo->device[device].name, count - 1);
	for (char *c = text; text && *c; c++) /* a table is read on terminals */
		if ((unsigned char)*c < ' ' || *c == 127)
			*c = '?';
	return text;
}

int tm_seat_init(struct tm_seat *seat, const struct tm_placement *p, int place,
		 struct tm_error *err)
{
	static const struct {
		enum tm_seat_column column;
		enum tm_type type;
	} objects[] = {
		{ TM_SEAT_CORE, TM_CORE }, { TM_SEAT_L3, TM_L3 }, { TM_SEAT_NUMA, TM_NUMA },
		{ TM_SEAT_PACKAGE, TM_PACKAGE },
	};
	const struct tm_place *it = &p->places[place];
	const struct tm_topology *topo = &p->machine->topology[it->topology];
	struct tm_idset logical = { 0 };
	struct tm_seat made = { 0 };

	if (tm_place_logical(topo, it, &logical, err) < 0)
		return -1;
	made.text[TM_SEAT_LOGICAL] = tm_idset_print(&logical, err);
	made.text[TM_SEAT_PHYSICAL] = tm_idset_print(&it->pus, err);
	for (size_t i = 0; i < sizeof objects / sizeof objects[0]; i++)
		made.text[objects[i].column] = print_objects(topo, &logical, objects[i].type, err);
	made.text[TM_SEAT_NETWORK] = print_device(topo, it->object, TM_NETWORK, err);
	made.text[TM_SEAT_GPU] = print_device(topo, it->object, TM_GPU, err);
	tm_idset_fini(&logical);
	for (int i = 0; i < TM_SEAT_COLUMNS; i++)
		if (!made.text[i]) {
			tm_seat_fini(&made);
			return -1;
		}
	*seat = made;
	return 0;
}

struct tm_seat *tm_seats_new(const struct tm_placement *p, const int *rank, int count,
			     struct tm_error *err)
{
	struct tm_seat *seats = tm_alloc((size_t)p->place_count, sizeof *seats, err);

	for (int i = 0; seats && i < count; i++) {
		int place = p->place[rank[i]];

		if (seats[place].text[0] || tm_seat_init(&seats[place], p, place, err) == 0)
			continue;
		tm_seats_free(seats, p->place_count);
		return NULL;
	}
	return seats;
}

void tm_seats_free(struct tm_seat *seats, int place_count)
{
	for (int i = 0; seats && i < place_count; i++)
		tm_seat_fini(&seats[i]);
	free(seats);
}
