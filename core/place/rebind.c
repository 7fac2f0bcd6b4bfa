#include "core/place/rebind.h"

/* The PUs of the object, and whether these are not all of the node. */
static int widen(struct tm_place *place, const struct tm_topology *topo, int object,
		 struct tm_error *err)
{
	struct tm_idset pus = { 0 };

	for (int i = topo->object[object].first_pu; i < topo->object[object].end_pu; i++)
		if (topo->pu[i].allowed && tm_idset_add(&pus, topo->pu[i].os, err) < 0) {
			tm_idset_fini(&pus);
			return -1;
		}
	tm_idset_fini(&place->pus);
	place->pus = pus;
	place->object = object;
	place->bound = tm_idset_size(&pus) < tm_topology_allowed_pus(topo);
	return 0;
}

/* The outermost of the objects over the same PUs is not the smallest: climb down. */
static int deepest(const struct tm_topology *topo, int object)
{
	return tm_topology_cover(topo, topo->object[object].first_pu,
				 topo->object[object].end_pu);
}

int tm_rebind(struct tm_placement *p, enum tm_type type, struct tm_error *err)
{
	for (int i = 0; i < p->place_count; i++) {
		struct tm_place *place = &p->places[i];
		const struct tm_topology *topo = &p->machine->topology[place->topology];
		int object = tm_topology_ancestor(topo, place->object, type);

		if (object == TM_NONE)
			return tm_fail(err, TM_INPUT, "PU %d lies in no %s to bind to",
				       tm_idset_next(&place->pus, TM_NONE), tm_type_name(type));
		if (widen(place, topo, deepest(topo, object), err) < 0)
			return -1;
	}
	return 0;
}
