#include "core/group/guided.h"

#include "core/group/guided_library.h"
#include "core/base/mem.h"

#include <stdlib.h>

void tm_guided_fini(struct tm_guided *guided)
{
	tm_partition_fini(&guided->standard);
	tm_partition_fini(&guided->openmpi);
	tm_partition_fini(&guided->mpich);
	*guided = (struct tm_guided){ 0 };
}

static void note(struct tm_null_ranks *ranks, int rank)
{
	if (!ranks->count++)
		ranks->first = rank;
}

static int split(struct tm_guided *guided, const struct tm_placement *p,
		 const struct tm_instances *objects, const struct tm_sharing *sharing,
		 struct tm_error *err)
{
	int *key = tm_alloc_raw((size_t)p->size, sizeof *key, err);

	if (!key)
		return -1;
	for (int r = 0; r < p->size; r++) {
		const size_t *first = &sharing->first[p->place[r]];

		key[r] = tm_instance_of_rank(objects, p, r);
		if (key[r] == TM_NONE)
			note(first[1] > first[0] ? &guided->spanning : &guided->without, r);
	}
	if (guided->spanning.count) {
		const size_t *first = &sharing->first[p->place[guided->spanning.first]];

		guided->spanned = (int)(first[1] - first[0]);
	}
	return tm_partition_init_take(&guided->standard, key, p->size, objects->count, err);
}

int tm_guided_init(struct tm_guided *guided, const struct tm_placement *p,
		   const struct tm_resource *resource, struct tm_error *err)
{
	struct tm_guided made = {
		.resource = resource, .spanning.first = TM_NONE, .without.first = TM_NONE,
		.has_openmpi = resource->openmpi, .has_mpich = resource->mpich };
	struct tm_instances objects;
	struct tm_sharing sharing = { 0 };
	int status = -1;

	if (tm_instances_init(&objects, p->machine, resource->kind, err) < 0)
		return -1;
	if (tm_sharing_init(&sharing, &objects, p, err) == 0 &&
	    split(&made, p, &objects, &sharing, err) == 0 &&
	    (!made.has_openmpi || tm_guided_openmpi(&made, p, &objects, &sharing, err) == 0) &&
	    (!made.has_mpich || tm_guided_mpich(&made, p, &objects, err) == 0))
		status = 0;
	tm_sharing_fini(&sharing);
	tm_instances_fini(&objects);
	if (status < 0)
		tm_guided_fini(&made);
	else
		*guided = made;
	return status;
}
