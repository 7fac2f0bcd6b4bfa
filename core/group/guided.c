#include "core/group/guided.h"

#include "core/base/mem.h"
#include "core/group/guided_library.h"

#include <stdlib.h>

void tmap_guided_fini(struct tmap_guided *guided)
{
	tmap_partition_fini(&guided->standard);
	tmap_partition_fini(&guided->openmpi);
	tmap_partition_fini(&guided->mpich);
	*guided = (struct tmap_guided){ 0 };
}

static void null_ranks_add(struct tmap_null_ranks *ranks, int rank)
{
	if (!ranks->count++)
		ranks->first = rank;
}

static int split_by_standard(struct tmap_guided *guided, const struct tmap_placement *p,
			     const struct tmap_partition *objects,
			     const struct tmap_sharing *sharing, struct tmap_error *err)
{
	int *key = tmap_alloc_raw((size_t)p->size, sizeof *key, err);

	if (!key)
		return -1;
	for (int r = 0; r < p->size; r++) {
		const size_t *first = &sharing->first[p->place[r]];

		key[r] = tmap_partition_set(objects, p, r);
		if (key[r] == TMAP_NONE)
			null_ranks_add(first[1] > first[0] ? &guided->spanning : &guided->without,
				       r);
	}
	if (guided->spanning.count) {
		const size_t *first = &sharing->first[p->place[guided->spanning.first]];

		guided->spanned = (int)(first[1] - first[0]);
	}
	return tmap_partition_init_take(&guided->standard, key, p->size, objects->count, err);
}

int tmap_guided_init(struct tmap_guided *guided, const struct tmap_placement *p,
		     const struct tmap_resource *resource, struct tmap_error *err)
{
	struct tmap_guided made = { .resource = resource,
				    .spanning.first = TMAP_NONE,
				    .without.first = TMAP_NONE,
				    .has_openmpi = resource->openmpi,
				    .has_mpich = resource->mpich };
	struct tmap_partition objects;
	struct tmap_sharing sharing = { 0 };
	int status = -1;

	if (tmap_split_partition_init(&objects, p->machine,
				      (struct tmap_level_kind){ resource->type, 0 }, err) < 0)
		return -1;
	if (tmap_sharing_init(&sharing, &objects, p, err) == 0 &&
	    split_by_standard(&made, p, &objects, &sharing, err) == 0 &&
	    (!made.has_openmpi || tmap_guided_openmpi(&made, p, &objects, &sharing, err) == 0) &&
	    (!made.has_mpich || tmap_guided_mpich(&made, p, &objects, err) == 0))
		status = 0;
	tmap_sharing_fini(&sharing);
	tmap_partition_fini(&objects);
	if (status < 0)
		tmap_guided_fini(&made);
	else
		*guided = made;
	return status;
}
