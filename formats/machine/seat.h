/*
 * seat.h - a place in words: its PUs by both numbers, the objects it touches, and the
 * closest adapter and GPU. Columns of the table of ranks, members of its JSON.
 */
#ifndef TM_SEAT_H
#define TM_SEAT_H

#include "core/machine/placement.h"

enum tm_seat_column {
	TM_SEAT_LOGICAL,     /**< "0-3": logical indexes of its PUs */
	TM_SEAT_PHYSICAL,    /**< "0,16": OS indexes */
	TM_SEAT_CORE,        /**< logical indexes of the objects that have a PU of it */
	TM_SEAT_L3,
	TM_SEAT_NUMA,
	TM_SEAT_PACKAGE,
	TM_SEAT_NETWORK,     /**< "mlx5_0", "hsi0 +1": the closest, and how many are as close */
	TM_SEAT_GPU,
	TM_SEAT_COLUMNS
};

/** What a column is called in a table, and in a document. */
extern const char *const tm_seat_title[TM_SEAT_COLUMNS];
extern const char *const tm_seat_member[TM_SEAT_COLUMNS];

struct tm_seat {
	char *text[TM_SEAT_COLUMNS]; /**< "" where there is no such thing */
};

/** Describe place @p place of @p p. O(objects x PUs of the place). */
int tm_seat_init(struct tm_seat *seat, const struct tm_placement *p, int place,
		 struct tm_error *err);
void tm_seat_fini(struct tm_seat *seat);

/** The seats of the places that any of @p count ranks has; the others stay empty. [place_count],
 *  release with tm_seats_free(). */
struct tm_seat *tm_seats_new(const struct tm_placement *p, const int *rank, int count,
			     struct tm_error *err);
void tm_seats_free(struct tm_seat *seats, int place_count);

#endif
