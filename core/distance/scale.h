/*
 * scale.h - what a scale of distances says of a machine, before any rank sits on it.
 *
 * Every scale is a function of the lowest object that contains both ranks and grows on
 * the way up:
 *
 *     width[o]     how far apart two ranks are whose lowest common object is o
 *     join[j][n]   the distance from which on node n is in one set with the others of its
 *                  group[j][n]: under a switch of tier j, or, behind the tiers, all
 *
 * core/distance/distance.c makes nested partitions of it; nothing else needs this header.
 */
#ifndef TMAP_CORE_DISTANCE_SCALE_H
#define TMAP_CORE_DISTANCE_SCALE_H

#include "core/distance/distance.h"

struct tmap_extent {
	const struct tmap_machine *machine; /**< borrowed */
	int *object_base; /**< [topology_count + 1]: where a topology's objects begin */
	double *width;    /**< [all objects] */
	int join_count;   /**< 0 where there is one node */
	double *join;     /**< [join_count x node_count] */
	int *group;       /**< [join_count x node_count]: the smallest node of the group */
};

/** O(tiers x N + objects x depth) time. Release with tmap_extent_fini(), also on failure. */
int tmap_extent_init(struct tmap_extent *extent, const struct tmap_machine *machine,
		     enum tmap_scale scale, struct tmap_error *err);
void tmap_extent_fini(struct tmap_extent *extent);

#endif
