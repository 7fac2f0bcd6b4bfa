/*
 * sharing.h - which objects of a kind each place has PUs of.
 */
#ifndef TMAP_CORE_GROUP_SHARING_H
#define TMAP_CORE_GROUP_SHARING_H

#include "core/group/split_levels.h"

struct tmap_sharing {
	size_t *first; /**< [place_count + 1] */
	int *object;   /**< of place i from first[i] to first[i + 1] - 1, rising: numbers on
				  the node, as local[] of the partition has them */
};

/** O(places x objects). */
int tmap_sharing_init(struct tmap_sharing *sharing, const struct tmap_partition *objects,
		      const struct tmap_placement *p, struct tmap_error *err);
void tmap_sharing_fini(struct tmap_sharing *sharing);

/** Have both places, on one node, PUs of one object? O(objects of both). */
bool tmap_sharing_overlaps(const struct tmap_sharing *sharing, int a, int b);

#endif
