/*
 * radix_digits.h - the numbers that seats have at the levels of an order; private to radix.c.
 */
#ifndef TM_POLICIES_RADIX_DIGITS_H
#define TM_POLICIES_RADIX_DIGITS_H

#include "core/machine/level_order.h"
#include "core/place/seats.h"

enum { TM_RADIX_MOST_DIGITS = 16 };

/** One level of the order. */
struct tm_radix_digit {
	int depth;           /**< outermost first, in the list of all levels of the machine */
	int outer;           /**< the next outer level of the order; TM_NONE: the job */
	int *of_node;        /**< [nodes] number of a node, or of the first object of a node */
	int **of_seat;       /**< [topologies][seats] added to it; NULL for tiers and node */
};

/** An order. The machine's levels are its tiers, the node, and the levels inside nodes. */
struct tm_radix {
	const struct tm_machine *machine;
	struct tm_seats seats;
	struct tm_level_order inside; /**< its level 0 is the node */
	int count;
	struct tm_radix_digit digit[TM_RADIX_MOST_DIGITS]; /**< fastest first */
};

/** The level inside nodes at @p depth. */
const struct tm_level_kind *tm_radix_kind(const struct tm_radix *x, int depth);

/** Number the objects of all levels, each within the next outer one of the order. */
int tm_radix_number(struct tm_radix *x, struct tm_error *err);

/** The number of a seat at a level. O(1). */
int tm_radix_number_of(const struct tm_radix *x, const struct tm_radix_digit *d, int node,
		       int seat);

void tm_radix_fini(struct tm_radix *x);

#endif
