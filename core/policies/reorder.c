#include "core/policies/reorder.h"

#include "core/mem.h"

#include <stdlib.h>

/* The ranks node after node: seat[k] is the rank that sits on the k-th seat. */
static int number_seats(int *seat, const struct tm_placement *p, struct tm_error *err)
{
	int *next = tm_placement_count_ranks(p, err), sum = 0;

	if (!next)
		return -1;
	for (int n = 0; n < p->machine->node_count; n++) {
		int count = next[n];

		next[n] = sum;
		sum += count;
	}
	for (int r = 0; r < p->size; r++)
		seat[next[p->node[r]]++] = r;
	free(next);
	return 0;
}

static int deal(int *place_of, const int *seat, const int *list, int count, struct tm_error *err)
{
	for (int r = 0; r < count; r++)
		place_of[r] = TM_NONE;
	for (int k = 0; k < count; k++) {
		if (list[k] < 0 || list[k] >= count)
			return tm_fail(err, TM_INPUT, "rank %d is not one of the %d ranks", list[k],
				       count);
		if (place_of[list[k]] != TM_NONE)
			return tm_fail(err, TM_INPUT, "rank %d stands twice in the order", list[k]);
		place_of[list[k]] = seat[k];
	}
	return 0;
}

int tm_reorder_place(struct tm_placement *p, const int *list, int count, struct tm_error *err)
{
	struct tm_placement made;
	int *seat, *place_of, status = -1;

	if (count != p->size)
		return tm_fail(err, TM_INPUT, "the order has %d ranks, but the placement has %d",
			       count, p->size);
	seat = tm_alloc((size_t)count, sizeof *seat, err);
	place_of = tm_alloc((size_t)count, sizeof *place_of, err);
	if (seat && place_of && number_seats(seat, p, err) == 0 &&
	    deal(place_of, seat, list, count, err) == 0)
		status = tm_placement_select(&made, p, place_of, count, err);
	free(seat);
	free(place_of);
	if (status < 0)
		return -1;
	tm_placement_fini(p);
	*p = made;
	return 0;
}
