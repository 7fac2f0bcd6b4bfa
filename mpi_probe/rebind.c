#include "mpi_probe/rebind.h"

static int check_fit(const struct tm_placement *p, const struct tm_placement *bound,
		     const char *name, struct tm_error *err)
{
	if (bound->size != p->size)
		return tm_fail(err, TM_INPUT, "%s: it places %d ranks, but the job has %d", name,
			       bound->size, p->size);
	for (int r = 0; r < p->size; r++)
		if (bound->node[r] != p->node[r])
			return tm_fail(err, TM_INPUT,
				       "%s: it places rank %d on '%s', but the rank runs on '%s'",
				       name, r, bound->machine->node_name[bound->node[r]],
				       p->machine->node_name[p->node[r]]);
	return 0;
}

/* The place with the PUs of one and the memory of the other. */
static int join_places(struct tm_placement *made, const struct tm_placement *p,
		       const struct tm_placement *bound, struct tm_error *err)
{
	for (int r = 0; r < p->size; r++) {
		const struct tm_place *place = &bound->places[bound->place[r]];

		made->node[r] = p->node[r];
		made->place[r] = tm_placement_intern(made, place->topology, &place->pus,
						     &p->places[p->place[r]].memory, place->bound,
						     err);
		if (made->place[r] == TM_NONE)
			return -1;
	}
	return 0;
}

int tm_rebind(struct tm_placement *p, const struct tm_placement *bound, const char *name,
	      struct tm_error *err)
{
	struct tm_placement made;

	if (check_fit(p, bound, name, err) < 0 ||
	    tm_placement_init(&made, p->machine, p->size, err) < 0)
		return -1;
	if (join_places(&made, p, bound, err) < 0) {
		tm_placement_fini(&made);
		return -1;
	}
	made.origin = p->origin;
	p->origin = (struct tm_origin){ 0 };
	tm_placement_fini(p);
	*p = made;
	return 0;
}
