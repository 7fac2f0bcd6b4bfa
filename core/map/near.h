/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * near.h - ranks that exchange data with a device of their node: a network adapter or a GPU.
 *
 *     package 0   gpu0    slots 0 to 3     0   the closest GPU hangs on an object around the slot
 *     package 1           slots 4 to 7     3   the process distance of two ranks as far apart
 *
 * Such a rank counts as if it sent so many bytes over that distance; nothing where it is 0. On a node
 * without such a device it is the distance of another node.
 */
#ifndef TMAP_CORE_MAP_NEAR_H
#define TMAP_CORE_MAP_NEAR_H

#include "core/base/idset.h"
#include "core/base/keyword.h"
#include "core/machine/placement.h"

/** The devices by name, in the order of enum tmap_device_type: adapter, gpu. */
extern const struct tmap_keywords tmap_near_devices;

/** "gpu=0-3,8@1MiB": which ranks, and how many bytes each. */
struct tmap_near {
	enum tmap_device_type type;
	struct tmap_idset ranks;
	double bytes;
};

/** What a text says; without @BYTES it is TMAP_NEAR_BYTES. TMAP_USAGE for other text. */
int tmap_near_parse(struct tmap_near *near, const char *text, struct tmap_error *err);
void tmap_near_fini(struct tmap_near *near);

enum { TMAP_NEAR_BYTES = 65536 };

/** distance[size]: of each place of @p p from the closest device of a type. Refuses (TMAP_INPUT) a machine of
 *  which no node has one. O(p + places x devices + objects). */
int tmap_near_distances(double *distance, const struct tmap_placement *p,
			enum tmap_device_type type, struct tmap_error *err);

/** How many of the ranks have their device at distance 0; *all: how many there are. As above. */
int tmap_near_count(int *close, int *all, const struct tmap_near *near,
		    const struct tmap_placement *p, struct tmap_error *err);

#endif
