/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * location.h - a place in words: its PUs by both numbers, the objects it touches, and the
 * closest adapter and GPU. Columns of the table of ranks, members of its JSON.
 */
#ifndef TMAP_FORMATS_MACHINE_LOCATION_H
#define TMAP_FORMATS_MACHINE_LOCATION_H

#include "core/machine/placement.h"

enum tmap_location_column {
	TMAP_LOCATION_LOGICAL,  /**< "0-3": logical indexes of its PUs */
	TMAP_LOCATION_PHYSICAL, /**< "0,16": OS indexes */
	TMAP_LOCATION_CORE,     /**< logical indexes of the objects that have a PU of it */
	TMAP_LOCATION_L3,
	TMAP_LOCATION_NUMA,
	TMAP_LOCATION_PACKAGE,
	TMAP_LOCATION_NETWORK, /**< "mlx5_0", "hsi[0-5]": those that are closest */
	TMAP_LOCATION_GPU,
	TMAP_LOCATION_MEMORY, /**< "0,4": OS indexes of the NUMA nodes that its memory policy allows;
				   "" where these are all that the job may use, or unknown */
	TMAP_LOCATION_KIND, /**< "IntelAtom", "0,1": kinds of its cores, or their numbers from slow
				   to fast; "" where the node has one kind */
	TMAP_LOCATION_COLUMNS
};

struct tmap_location {
	char *text[TMAP_LOCATION_COLUMNS]; /**< "" where there is no such thing */
};

/** Describe place @p place of @p p. O(objects x PUs of the place). */
int tmap_location_init(struct tmap_location *location, const struct tmap_placement *p, int place,
		       struct tmap_error *err);
void tmap_location_fini(struct tmap_location *location);

/** The locations of the places that any of @p count ranks has; the others stay empty.
 *  [place_count], release with tmap_locations_free(). */
struct tmap_location *tmap_locations_new(const struct tmap_placement *p, const int *rank, int count,
					 struct tmap_error *err);
void tmap_locations_free(struct tmap_location *locations, int place_count);

#endif
