/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * neighborhood.h - who exchanges with whom in a neighborhood collective.
 *
 * Ranks stand in a grid, the last coordinate counting fastest (as MPI_Cart_create has it), and
 * every one has the same relative neighbours, but for those beyond a border:
 *
 *     cart               vonneumann:2            moore:1            full
 *         .                   .                . . .
 *       . o .               . . .              . o .             all others
 *         .               . . o . .            . . .
 *                           . . .
 *                             .
 *
 * In a dimension that is periodic and shorter than the neighborhood is wide, a rank meets
 * another one several times, or itself: what it sends to itself is no message.
 *
 * The neighbours are listed in an order (Hunold et al., the neighborhood benchmark of
 * Lübbe): fmaj and lmaj rise by coordinates, the first or the last one changing last; rand
 * permutes that list with another seed for each rank; linear, of full: r - 1, r - 2, ...
 * Those of cart are in MPI's own order: down, up, dimension by dimension; offsets that are
 * given are in the order given.
 */
#ifndef TMAP_CORE_SCHEDULE_NEIGHBORHOOD_H
#define TMAP_CORE_SCHEDULE_NEIGHBORHOOD_H

#include "core/base/error.h"

#include <stdbool.h>
#include <stdint.h>

enum { TMAP_DIMENSIONS_MAX = 8 };

enum tmap_stencil {
	TMAP_STENCIL_CART,
	TMAP_STENCIL_VONNEUMANN,
	TMAP_STENCIL_MOORE,
	TMAP_STENCIL_FULL,
	TMAP_STENCIL_OFFSETS
};

struct tmap_neighborhood {
	enum tmap_stencil stencil;
	int size;       /**< ranks */
	int dimensions; /**< 0: full, without a grid */
	int dim[TMAP_DIMENSIONS_MAX];
	bool periodic[TMAP_DIMENSIONS_MAX];
	int degree;     /**< neighbours of a rank, those beyond a border included */
	int *offset;    /**< [degree x dimensions], in order; NULL: full */
	double *weight; /**< [degree]: how much goes there; NULL: as much everywhere */
	bool is_random;
	uint64_t seed;
};

/** What the words say: @p stencil "cart", "vonneumann:R", "moore:R" (R 1 where left out),
 *  "full" or "offsets:1,0;-1,0;..." (core/schedule/offsets.h); @p cart "8x8x8", where a 0 is
 *  chosen by tmap_dimensions_choose(); @p periods "1,0,1", NULL: no dimension is periodic; @p order
 *  "fmaj", "lmaj", "linear", "rand:SEED", NULL: fmaj, or linear for full. Refuses a grid of
 *  another size and an order that the stencil lacks. */
int tmap_neighborhood_init(struct tmap_neighborhood *neighborhood, int size, const char *stencil,
			   const char *cart, const char *periods, const char *order,
			   struct tmap_error *err);
void tmap_neighborhood_fini(struct tmap_neighborhood *neighborhood);

/** "8x8x8": its dimensions, those that were chosen, too; the caller's. NULL where it fails; it has a
 *  grid. */
char *tmap_neighborhood_print_cart(const struct tmap_neighborhood *neighborhood,
				   struct tmap_error *err);

/** list[degree] = those that @p rank sends to, in order; TMAP_NONE beyond a border. O(degree x
 *  dimensions). */
void tmap_neighborhood_list(const struct tmap_neighborhood *neighborhood, int rank, int *list);

/** list[degree] = those that @p rank receives from: of each neighbour the opposite one, in the same
 *  order; of cart, whose neighbours are both, the same list. */
void tmap_neighborhood_sources(const struct tmap_neighborhood *neighborhood, int rank, int *list);

/** Fill in the dimensions that are 0 so that all make @p size, as close to each other as they
 *  can: the chosen ones do not increase, and the largest exceeds the smallest as little as
 *  possible (of equally good ones, the largest is the smallest). MPI_Dims_create of MPICH 4.0
 *  chooses the same but for 360 in three dimensions (10 6 6; here 9 8 5); that of Open MPI 4.1
 *  is farther off where factors could be spread: 72 are 12 x 6 there, here 9 x 8. Refuses given
 *  dimensions that do not divide @p size. */
int tmap_dimensions_choose(int *dim, int dimensions, int size, struct tmap_error *err);

#endif
