/*
 * radix_digits.h - the numbers that objects have at the levels of an order; private to radix.c.
 */
#ifndef TMAP_CORE_PLACE_RADIX_DIGITS_H
#define TMAP_CORE_PLACE_RADIX_DIGITS_H

#include "core/machine/level_order.h"
#include "core/place/usable.h"

enum { TMAP_RADIX_MOST_DIGITS = 16 };

/** One level of the order. */
struct tmap_radix_digit {
	int depth;       /**< outermost first, in the list of all levels of the machine */
	int outer;       /**< the next outer level of the order; TMAP_NONE: the job */
	int *of_node;    /**< [nodes] number of a node, or of the first object of a node */
	int **of_object; /**< [topologies][objects] added to it; NULL for tiers and node */
};

/** An order. The machine's levels are its tiers, the node, and the levels inside nodes. */
struct tmap_radix {
	const struct tmap_machine *machine;
	struct tmap_usable usable;
	struct tmap_level_order inside; /**< its level 0 is the node */
	int count;
	struct tmap_radix_digit digit[TMAP_RADIX_MOST_DIGITS]; /**< fastest first */
};

/** The level inside nodes at @p depth. */
const struct tmap_level_kind *tmap_radix_kind(const struct tmap_radix *x, int depth);

/** Number the objects of all levels, each within the next outer one of the order. */
int tmap_radix_number(struct tmap_radix *x, struct tmap_error *err);

/** The number of a object at a level. O(1). */
int tmap_radix_number_of(const struct tmap_radix *x, const struct tmap_radix_digit *d, int node,
			 int object);

void tmap_radix_fini(struct tmap_radix *x);

#endif
