#include "core/place/reorder.h"

#include "core/base/mem.h"

#include <stdlib.h>

/* The ranks node after node: slot[k] is the rank in the k-th slot. */
static int number_slots(int *slot, const struct tmap_placement *p, struct tmap_error *err)
{
	int *next = tmap_placement_count_ranks(p, err), sum = 0;

	if (!next)
		return -1;
	for (int n = 0; n < p->machine->node_count; n++) {
		int count = next[n];

		next[n] = sum;
		sum += count;
	}
	for (int r = 0; r < p->size; r++)
		slot[next[p->node[r]]++] = r;
	free(next);
	return 0;
}

static int place_listed(int *place_of, const int *slot, const int *list, int count,
			struct tmap_error *err)
{
	for (int r = 0; r < count; r++)
		place_of[r] = TMAP_NONE;
	for (int k = 0; k < count; k++) {
		if (list[k] < 0 || list[k] >= count)
			return tmap_fail(err, TMAP_INPUT, "rank %d is not one of the %d ranks",
					 list[k], count);
		if (place_of[list[k]] != TMAP_NONE)
			return tmap_fail(err, TMAP_INPUT, "rank %d stands twice in the order",
					 list[k]);
		place_of[list[k]] = slot[k];
	}
	return 0;
}

int tmap_permute_place(struct tmap_placement *p, const int *place_of, int count,
		       struct tmap_error *err)
{
	struct tmap_placement made;

	if (count != p->size)
		return tmap_fail(err, TMAP_INPUT,
				 "the order has %d ranks, but the placement has %d", count,
				 p->size);
	if (tmap_placement_select(&made, p, place_of, count, err) < 0)
		return -1;
	tmap_placement_fini(p);
	*p = made;
	return 0;
}

int tmap_reorder_place(struct tmap_placement *p, const int *list, int count, struct tmap_error *err)
{
	size_t room = (size_t)(count > p->size ? count : p->size);
	int *slot = tmap_alloc(room, sizeof *slot, err);
	int *place_of = tmap_alloc(room, sizeof *place_of, err), status = -1;

	if (slot && place_of && number_slots(slot, p, err) == 0 &&
	    place_listed(place_of, slot, list, count, err) == 0)
		status = tmap_permute_place(p, place_of, count, err);
	free(slot);
	free(place_of);
	return status;
}
