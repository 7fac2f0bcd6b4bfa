/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/map/evaluated.h"

#include "core/base/hash.h"

struct tmap_evaluated *tmap_evaluated_find(struct tmap_evaluated_list *list, const int *slot_of,
					   int size)
{
	uint64_t hash = tmap_hash_ints(slot_of, size);
	struct tmap_evaluated *it;

	for (int i = 0; i < list->count && i < TMAP_EVALUATED_MOST; i++)
		if (list->entry[i].hash == hash)
			return &list->entry[i];
	it = &list->entry[list->count % TMAP_EVALUATED_MOST];
	*it = (struct tmap_evaluated){ .hash = hash };
	list->count++;
	if (list->count == 2 * TMAP_EVALUATED_MOST)
		list->count = TMAP_EVALUATED_MOST;
	return it;
}

void tmap_evaluation_take(struct tmap_evaluation *evaluation, const struct tmap_evaluation *from,
			  unsigned bits)
{
	if (bits & TMAP_EVALUATE_SECONDS)
		evaluation->seconds = from->seconds;
	if (bits & TMAP_EVALUATE_DISTANCE)
		evaluation->byte_distance = from->byte_distance;
	if (bits & TMAP_EVALUATE_HOPS)
		evaluation->hop_bytes = from->hop_bytes;
	if (bits & TMAP_EVALUATE_CABLE)
		evaluation->cable_bytes = from->cable_bytes;
	if (bits & TMAP_EVALUATE_LINK)
		evaluation->link_s = from->link_s;
}
