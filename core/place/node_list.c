#include "core/place/node_list.h"

#include "core/base/mem.h"
#include "core/place/usable.h"

#include <stdlib.h>

static int seat_ranks(struct tmap_placement *p, struct tmap_usable *seats, const int *list,
		      int *taken, int *culprit, struct tmap_error *err)
{
	for (int r = 0; r < p->size; r++) {
		int node = list[r];

		*culprit = r;
		if (node < 0 || node >= p->machine->node_count)
			return tmap_fail(err, TMAP_INPUT,
					 "rank %d is for node %d, but the nodes are 0 to "
					 "%d",
					 r, node, p->machine->node_count - 1);
		if (taken[node] == tmap_usable_kind(seats, node)->count)
			return tmap_fail(err, TMAP_INPUT,
					 "rank %d finds no core on node %s: all %d that "
					 "may be used have a rank",
					 r, p->machine->node_name[node], taken[node]);
		if (tmap_usable_take(seats, p, r, node, taken[node]++, err) < 0)
			return -1;
	}
	*culprit = TMAP_NONE;
	return 0;
}

int tmap_node_list_place(struct tmap_placement *p, struct tmap_machine *machine, const int *list,
			 int size, int *culprit, struct tmap_error *err)
{
	struct tmap_placement made = { 0 };
	struct tmap_usable seats = { 0 };
	int *taken = tmap_alloc((size_t)machine->node_count, sizeof *taken, err), status = -1;
	int refused = TMAP_NONE;

	if (taken && tmap_usable_init(&seats, machine, TMAP_CORE, err) == 0 &&
	    tmap_placement_init(&made, machine, size, err) == 0)
		status = seat_ranks(&made, &seats, list, taken, &refused, err);
	if (culprit)
		*culprit = refused;
	if (status < 0)
		tmap_placement_fini(&made);
	else
		*p = made;
	tmap_usable_fini(&seats);
	free(taken);
	return status;
}
