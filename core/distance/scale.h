/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scale.h - the distances that a scale gives to the objects and switches of a machine.
 *
 * Every scale is a function of the lowest object that contains both ranks and grows on
 * the way up:
 *
 *     within[o]             the distance of two ranks whose lowest common object is o
 *     join[j].distance[n]   the distance from which on node n is in one set with the other nodes of
 *                           its set of join[j]: a switch of tier j, or, behind the tiers, all nodes
 *
 * core/distance/distance.c makes nested partitions of it. Devices, which have no ranks, are as far as
 * the objects say (core/map/near.h).
 */
#ifndef TMAP_CORE_DISTANCE_SCALE_H
#define TMAP_CORE_DISTANCE_SCALE_H

#include "core/distance/distance.h"

struct tmap_scale_join {
	double *distance; /**< [node_count] */
	struct tmap_partition sets;
};

struct tmap_scale_distances {
	const struct tmap_machine *machine; /**< borrowed */
	int *object_base; /**< [topology_count + 1]: where a topology's objects begin */
	double *within;   /**< [all objects] */
	int join_count;   /**< 0 where there is one node */
	struct tmap_scale_join *join;
};

/** O(tiers x N + objects x depth) time. Release with tmap_scale_distances_fini(), also on
 *  failure. */
int tmap_scale_distances_init(struct tmap_scale_distances *distances,
			      const struct tmap_machine *machine, enum tmap_scale scale,
			      struct tmap_error *err);
void tmap_scale_distances_fini(struct tmap_scale_distances *distances);

#endif
