/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * view.h - what the writers of trees and rings for people need to know besides the tree
 * or the ring itself.
 */
#ifndef TMAP_FORMATS_BASE_VIEW_H
#define TMAP_FORMATS_BASE_VIEW_H

#include "core/cost/profile.h"
#include "core/machine/placement.h"

struct tmap_view {
	const struct tmap_placement *placement;
	const char *title; /**< "distance-aware broadcast tree" */
	int scale;         /**< enum tmap_scale */
	const char *note;  /**< a line about the distances, NULL: none */
	const int *world;  /**< [size]: the ranks' numbers in the whole job, where the placement
				  is a sub-communicator; else NULL */
	const struct tmap_profile *profile; /**< whose latencies the distances are; NULL: no one's */
	bool fold;                          /**< equal parts only once */
	bool utf8;                          /**< text: the reader's terminal can draw lines */
};

#endif
