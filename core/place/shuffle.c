#include "core/place/shuffle.h"

#include "core/base/mem.h"
#include "core/base/random.h"

#include <stdlib.h>

int tm_shuffle_place(struct tm_placement *p, uint64_t seed, struct tm_error *err)
{
	struct tm_random random = { .state = seed };
	int *place_of = tm_alloc_raw((size_t)p->size, sizeof *place_of, err);
	struct tm_placement made;
	int rc;

	if (!place_of)
		return -1;
	for (int r = 0; r < p->size; r++)
		place_of[r] = r;
	tm_random_shuffle(&random, place_of, p->size);
	rc = tm_placement_select(&made, p, place_of, p->size, err);
	free(place_of);
	if (rc < 0)
		return -1;
	tm_placement_fini(p);
	*p = made;
	return 0;
}
