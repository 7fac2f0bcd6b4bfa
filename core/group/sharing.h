/*
 * sharing.h - which objects of a kind each place has PUs of.
 */
#ifndef TM_SHARING_H
#define TM_SHARING_H

#include "core/group/instance.h"

struct tm_sharing {
	size_t *first;       /**< [place_count + 1] */
	int *object;         /**< of place i from first[i] to first[i + 1] - 1, rising: numbers on
				  the node, as local[] of the instances has them */
};

/** O(places x objects). */
int tm_sharing_init(struct tm_sharing *sharing, const struct tm_instances *objects,
		    const struct tm_placement *p, struct tm_error *err);
void tm_sharing_fini(struct tm_sharing *sharing);

/** Have both places, on one node, PUs of one object? O(objects of both). */
bool tm_sharing_meets(const struct tm_sharing *sharing, int a, int b);

#endif
