#include "core/place/rebind.h"

/* The PUs of the object, and whether these are not all of the node. */
static int widen(struct tmap_place *place, const struct tmap_topology *topo, int object,
		 struct tmap_error *err)
{
	struct tmap_idset pus = { 0 };

	for (int i = topo->object[object].first_pu; i < topo->object[object].end_pu; i++)
		if (topo->pu[i].allowed && tmap_idset_add(&pus, topo->pu[i].os, err) < 0) {
			tmap_idset_fini(&pus);
			return -1;
		}
	tmap_idset_fini(&place->pus);
	place->pus = pus;
	place->object = object;
	place->bound = tmap_idset_size(&pus) < tmap_topology_allowed_pus(topo);
	return 0;
}

/* The outermost of the objects over the same PUs is not the smallest: climb down. */
static int deepest(const struct tmap_topology *topo, int object)
{
	return tmap_topology_cover(topo, topo->object[object].first_pu,
				   topo->object[object].end_pu);
}

int tmap_rebind(struct tmap_placement *p, enum tmap_type type, struct tmap_error *err)
{
	for (int i = 0; i < p->place_count; i++) {
		struct tmap_place *place = &p->places[i];
		const struct tmap_topology *topo = &p->machine->topology[place->topology];
		int object = tmap_topology_ancestor(topo, place->object, type);

		if (object == TMAP_NONE)
			return tmap_fail(err, TMAP_INPUT, "PU %d lies in no %s to bind to",
					 tmap_idset_next(&place->pus, TMAP_NONE),
					 tmap_type_name(type));
		if (widen(place, topo, deepest(topo, object), err) < 0)
			return -1;
	}
	return 0;
}
