#include "mpi_probe/affinity.h"

#include "mpi_probe/location.h"

#include <stdlib.h>

void tmap_affinity_fini(struct tmap_affinity *grant)
{
	tmap_idset_fini(&grant->pus);
	tmap_idset_fini(&grant->memory);
}

void tmap_affinities_free(struct tmap_affinity *grant, int count)
{
	for (int i = 0; grant && i < count; i++)
		tmap_affinity_fini(&grant[i]);
	free(grant);
}

static int compare_ints(int a, int b)
{
	return (a > b) - (a < b);
}

static int compare_sets(const struct tmap_idset *a, const struct tmap_idset *b)
{
	for (int i = 0; i < a->count && i < b->count; i++) {
		int order = compare_ints(a->range[i].first, b->range[i].first);

		if (!order)
			order = compare_ints(a->range[i].last, b->range[i].last);
		if (order)
			return order;
	}
	return compare_ints(a->count, b->count);
}

int tmap_affinity_compare(const struct tmap_affinity *a, const struct tmap_affinity *b)
{
	int order = compare_sets(&a->pus, &b->pus);

	if (!order)
		order = compare_sets(&a->memory, &b->memory);
	return order ? order : compare_ints(a->bound, b->bound);
}

void tmap_affinity_pack(struct tmap_bytes *bytes, const struct tmap_affinity *grant)
{
	tmap_bytes_add_int(bytes, grant->bound);
	tmap_idset_pack(bytes, &grant->pus);
	tmap_idset_pack(bytes, &grant->memory);
}

int tmap_affinity_unpack(struct tmap_affinity *grant, struct tmap_cursor *cursor,
			 struct tmap_error *err)
{
	grant->bound = tmap_cursor_int(cursor) != 0;
	if (tmap_idset_unpack(&grant->pus, cursor, err) < 0)
		return -1;
	return tmap_idset_unpack(&grant->memory, cursor, err);
}
