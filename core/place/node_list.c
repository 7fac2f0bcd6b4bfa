#include "core/place/node_list.h"

#include "core/base/mem.h"
#include "core/place/seats.h"

#include <stdlib.h>

static int seat_ranks(struct tm_placement *p, struct tm_seats *seats, const int *list, int *taken,
		      int *culprit, struct tm_error *err)
{
	for (int r = 0; r < p->size; r++) {
		int node = list[r];

		*culprit = r;
		if (node < 0 || node >= p->machine->node_count)
			return tm_fail(err, TM_INPUT, "rank %d is for node %d, but the nodes are 0 to "
				       "%d", r, node, p->machine->node_count - 1);
		if (taken[node] == tm_seats_kind(seats, node)->count)
			return tm_fail(err, TM_INPUT, "rank %d finds no core on node %s: all %d that "
				       "may be used have a rank", r, p->machine->node_name[node],
				       taken[node]);
		if (tm_seats_take(seats, p, r, node, taken[node]++, err) < 0)
			return -1;
	}
	*culprit = TM_NONE;
	return 0;
}

int tm_node_list_place(struct tm_placement *p, struct tm_machine *machine, const int *list,
		       int size, int *culprit, struct tm_error *err)
{
	struct tm_placement made = { 0 };
	struct tm_seats seats = { 0 };
	int *taken = tm_alloc((size_t)machine->node_count, sizeof *taken, err), status = -1;
	int refused = TM_NONE;

	if (taken && tm_seats_init(&seats, machine, TM_CORE, err) == 0 &&
	    tm_placement_init(&made, machine, size, err) == 0)
		status = seat_ranks(&made, &seats, list, taken, &refused, err);
	if (culprit)
		*culprit = refused;
	if (status < 0)
		tm_placement_fini(&made);
	else
		*p = made;
	tm_seats_fini(&seats);
	free(taken);
	return status;
}
