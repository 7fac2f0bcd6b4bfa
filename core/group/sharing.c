#include "core/group/sharing.h"

#include "core/base/mem.h"

#include <stdlib.h>

void tmap_sharing_fini(struct tmap_sharing *sharing)
{
	free(sharing->first);
	free(sharing->object);
	*sharing = (struct tmap_sharing){ 0 };
}

/* PUs from left to right are in objects of rising numbers. */
static int add_place(struct tmap_sharing *sharing, size_t *count, size_t *capacity,
		     const struct tmap_topology *topo, const int *local,
		     const struct tmap_idset *pus, struct tmap_error *err)
{
	int last = TMAP_NONE;

	for (int pu = 0; pu < topo->pu_count; pu++) {
		int object = local[topo->pu[pu].object];

		if (object == last || object == TMAP_NONE ||
		    !tmap_idset_contains(pus, topo->pu[pu].os))
			continue;
		if (tmap_grow(&sharing->object, capacity, *count + 1, sizeof *sharing->object,
			      err) < 0)
			return -1;
		sharing->object[(*count)++] = last = object;
	}
	return 0;
}

int tmap_sharing_init(struct tmap_sharing *sharing, const struct tmap_partition *objects,
		      const struct tmap_placement *p, struct tmap_error *err)
{
	struct tmap_sharing made = { 0 };
	size_t count = 0, capacity = 0;

	made.first = tmap_alloc((size_t)p->place_count + 1, sizeof *made.first, err);
	if (!made.first)
		return -1;
	for (int i = 0; i < p->place_count; i++) {
		const struct tmap_place *place = &p->places[i];

		if (add_place(&made, &count, &capacity, &p->machine->topology[place->topology],
			      objects->local[place->topology], &place->pus, err) < 0) {
			tmap_sharing_fini(&made);
			return -1;
		}
		made.first[i + 1] = count;
	}
	*sharing = made;
	return 0;
}

bool tmap_sharing_overlaps(const struct tmap_sharing *sharing, int a, int b)
{
	size_t i = sharing->first[a], j = sharing->first[b];

	while (i < sharing->first[a + 1] && j < sharing->first[b + 1]) {
		if (sharing->object[i] == sharing->object[j])
			return true;
		if (sharing->object[i] < sharing->object[j])
			i++;
		else
			j++;
	}
	return false;
}
