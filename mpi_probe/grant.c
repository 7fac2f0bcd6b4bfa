#include "mpi_probe/grant.h"

#include "mpi_probe/location.h"

#include <stdlib.h>

void tmap_grant_fini(struct tmap_grant *grant)
{
	tmap_idset_fini(&grant->pus);
	tmap_idset_fini(&grant->memory);
}

void tmap_grants_free(struct tmap_grant *grant, int count)
{
	for (int i = 0; grant && i < count; i++)
		tmap_grant_fini(&grant[i]);
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

int tmap_grant_compare(const struct tmap_grant *a, const struct tmap_grant *b)
{
	int order = compare_sets(&a->pus, &b->pus);

	if (!order)
		order = compare_sets(&a->memory, &b->memory);
	return order ? order : compare_ints(a->bound, b->bound);
}

void tmap_grant_pack(struct tmap_bytes *bytes, const struct tmap_grant *grant)
{
	tmap_bytes_add_int(bytes, grant->bound);
	tmap_idset_pack(bytes, &grant->pus);
	tmap_idset_pack(bytes, &grant->memory);
}

int tmap_grant_unpack(struct tmap_grant *grant, struct tmap_cursor *cursor, struct tmap_error *err)
{
	grant->bound = tmap_cursor_int(cursor) != 0;
	if (tmap_idset_unpack(&grant->pus, cursor, err) < 0)
		return -1;
	return tmap_idset_unpack(&grant->memory, cursor, err);
}
