#include "core/mappers/mapper.h"

#include "core/mem.h"

#include <stdlib.h>

static int map_identity(int *place_of, const struct tm_placement *p, struct tm_error *err)
{
	(void)err;
	for (int r = 0; r < p->size; r++)
		place_of[r] = r;
	return 0;
}

static const struct tm_mapper rows[] = {
	{ { "walk", "neighbouring ranks close together: the machine walked depth first" },
	  true, tm_map_walk },
	{ { "identity", "every rank stays where it is" }, false, map_identity },
	{ { NULL, NULL }, false, NULL },
};

const struct tm_words tm_mappers = TM_WORDS("mapper", rows);

const struct tm_mapper *tm_mapper_at(int index)
{
	return &rows[index];
}

int *tm_mapper_run(int index, const struct tm_placement *p, struct tm_error *err)
{
	int *place_of = tm_alloc_raw((size_t)p->size, sizeof *place_of, err);

	if (place_of && rows[index].map(place_of, p, err) < 0) {
		free(place_of);
		return NULL;
	}
	return place_of;
}
