#include "core/place/shuffle.h"

#include "core/base/mem.h"
#include "core/base/random.h"

#include <stdlib.h>

int tmap_shuffle_place(struct tmap_placement *p, uint64_t seed, struct tmap_error *err)
{
	struct tmap_random random = { .state = seed };
	int *place_of = tmap_alloc_raw((size_t)p->size, sizeof *place_of, err);
	struct tmap_placement made;
	int rc;

	if (!place_of)
		return -1;
	for (int r = 0; r < p->size; r++)
		place_of[r] = r;
	tmap_random_shuffle(&random, place_of, p->size);
	rc = tmap_placement_select(&made, p, place_of, p->size, err);
	free(place_of);
	if (rc < 0)
		return -1;
	tmap_placement_fini(p);
	*p = made;
	return 0;
}
