/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_probe/affinity.h"

#include "mpi_probe/location.h"

#include <stdlib.h>

void tmap_affinity_fini(struct tmap_affinity *affinity)
{
	tmap_idset_fini(&affinity->pus);
	tmap_idset_fini(&affinity->memory);
}

void tmap_affinities_free(struct tmap_affinity *affinity, int count)
{
	for (int i = 0; affinity && i < count; i++)
		tmap_affinity_fini(&affinity[i]);
	free(affinity);
}

static int ints_compare(int a, int b)
{
	return (a > b) - (a < b);
}

static int idsets_compare(const struct tmap_idset *a, const struct tmap_idset *b)
{
	for (int i = 0; i < a->count && i < b->count; i++) {
		int order = ints_compare(a->range[i].first, b->range[i].first);

		if (!order)
			order = ints_compare(a->range[i].last, b->range[i].last);
		if (order)
			return order;
	}
	return ints_compare(a->count, b->count);
}

int tmap_affinity_compare(const struct tmap_affinity *a, const struct tmap_affinity *b)
{
	int order = idsets_compare(&a->pus, &b->pus);

	if (!order)
		order = idsets_compare(&a->memory, &b->memory);
	return order ? order : ints_compare(a->bound, b->bound);
}

void tmap_affinity_pack(struct tmap_bytes *bytes, const struct tmap_affinity *affinity)
{
	tmap_bytes_add_int(bytes, affinity->bound);
	tmap_idset_pack(bytes, &affinity->pus);
	tmap_idset_pack(bytes, &affinity->memory);
}

int tmap_affinity_unpack(struct tmap_affinity *affinity, struct tmap_cursor *cursor,
			 struct tmap_error *err)
{
	affinity->bound = tmap_cursor_int(cursor) != 0;
	if (tmap_idset_unpack(&affinity->pus, cursor, err) < 0)
		return -1;
	return tmap_idset_unpack(&affinity->memory, cursor, err);
}
