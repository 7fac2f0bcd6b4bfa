/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_probe/rebind.h"

static int bound_check(const struct tmap_placement *p, const struct tmap_placement *bound,
		       struct tmap_error *err)
{
	if (bound->size != p->size)
		return tmap_fail(err, TMAP_INPUT, "it places %d ranks, but the job has %d",
				 bound->size, p->size);
	for (int r = 0; r < p->size; r++)
		if (bound->node[r] != p->node[r])
			return tmap_fail(err, TMAP_INPUT,
					 "it places rank %d on '%s', but the rank runs on '%s'", r,
					 bound->machine->node_name[bound->node[r]],
					 p->machine->node_name[p->node[r]]);
	return 0;
}

/* The place with the PUs of one and the memory of the other. */
static int places_join(struct tmap_placement *made, const struct tmap_placement *p,
		       const struct tmap_placement *bound, struct tmap_error *err)
{
	for (int r = 0; r < p->size; r++) {
		const struct tmap_place *place = &bound->places[bound->place[r]];

		made->node[r] = p->node[r];
		made->place[r] = tmap_placement_intern(made, place->topology, &place->pus,
						       &p->places[p->place[r]].memory, place->bound,
						       err);
		if (made->place[r] == TMAP_NONE)
			return -1;
	}
	return 0;
}

int tmap_rebind_allowed(struct tmap_placement *p, const struct tmap_placement *bound,
			const char *name, struct tmap_error *err)
{
	struct tmap_placement made;

	if (bound_check(p, bound, err) < 0)
		return tmap_at(err, name, 0);
	if (tmap_placement_init(&made, p->machine, p->size, err) < 0)
		return -1;
	if (places_join(&made, p, bound, err) < 0 ||
	    tmap_placement_copy_settings(&made, p, NULL, err) < 0) {
		tmap_placement_fini(&made);
		return -1;
	}
	made.origin = p->origin;
	p->origin = (struct tmap_origin){ 0 };
	tmap_placement_fini(p);
	*p = made;
	return 0;
}
