/*
 * seat.h - a place in words: its PUs by both numbers, the objects it touches, and the
 * closest adapter and GPU. Columns of the table of ranks, members of its JSON.
 */
#ifndef TMAP_FORMATS_MACHINE_SEAT_H
#define TMAP_FORMATS_MACHINE_SEAT_H

#include "core/machine/placement.h"

enum tmap_seat_column {
	TMAP_SEAT_LOGICAL,  /**< "0-3": logical indexes of its PUs */
	TMAP_SEAT_PHYSICAL, /**< "0,16": OS indexes */
	TMAP_SEAT_CORE,     /**< logical indexes of the objects that have a PU of it */
	TMAP_SEAT_L3,
	TMAP_SEAT_NUMA,
	TMAP_SEAT_PACKAGE,
	TMAP_SEAT_NETWORK, /**< "mlx5_0", "hsi0 +1": the closest, and how many are as close */
	TMAP_SEAT_GPU,
	TMAP_SEAT_COLUMNS
};

/** What a column is called in a table, and in a document. */
extern const char *const tmap_seat_title[TMAP_SEAT_COLUMNS];
extern const char *const tmap_seat_member[TMAP_SEAT_COLUMNS];

struct tmap_seat {
	char *text[TMAP_SEAT_COLUMNS]; /**< "" where there is no such thing */
};

/** Describe place @p place of @p p. O(objects x PUs of the place). */
int tmap_seat_init(struct tmap_seat *seat, const struct tmap_placement *p, int place,
		   struct tmap_error *err);
void tmap_seat_fini(struct tmap_seat *seat);

/** The seats of the places that any of @p count ranks has; the others stay empty. [place_count],
 *  release with tmap_seats_free(). */
struct tmap_seat *tmap_seats_new(const struct tmap_placement *p, const int *rank, int count,
				 struct tmap_error *err);
void tmap_seats_free(struct tmap_seat *seats, int place_count);

#endif
