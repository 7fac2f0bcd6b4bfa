/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record_structure.h - which regular structure the messages between ranks look like: a guess, and the
 * share of their bytes that it explains.
 *
 *     ring          between ranks r and r + 1; open: none between the last one and rank 0
 *     grid          between neighbors in one dimension of a grid: that of a communicator with a
 *                   Cartesian topology, or one that is found in the matrix (core/mappers/lattice.h),
 *                   whatever the ranks' numbers in it are
 *     master        to and from one rank
 *     all-to-all    as much from each rank to each other one: of what a pair has, no more than the mean
 *                   over all pairs
 *
 * The one that explains most is taken, and of equal ones the first; where none explains half of the
 * bytes, there is none.
 */
#ifndef TMAP_CORE_RECORD_RECORD_STRUCTURE_H
#define TMAP_CORE_RECORD_RECORD_STRUCTURE_H

#include "core/record/record.h"
#include "core/record/record_totals.h"
#include "core/schedule/neighborhood.h"

enum tmap_structure {
	TMAP_STRUCTURE_NONE,
	TMAP_STRUCTURE_RING,
	TMAP_STRUCTURE_GRID,
	TMAP_STRUCTURE_MASTER,
	TMAP_STRUCTURE_ALL_TO_ALL,
};

/** The structures by name, in the order of the enum. */
extern const struct tmap_keywords tmap_structures;

enum {
	TMAP_STRUCTURE_RANKS_LEAST = 4,     /**< of fewer, most structures are the same */
	TMAP_STRUCTURE_TOPOLOGIES_MOST = 8, /**< communicators whose grids are tried */
	TMAP_STRUCTURE_PAIRS_MOST = 1
		<< 26, /**< in which a grid is looked for, and at most 2^20 and
						   TMAP_STRUCTURE_PEERS_MOST for each rank */
	TMAP_STRUCTURE_PEERS_MOST = 32,
};

struct tmap_record_structure {
	enum tmap_structure kind;
	double share;   /**< of the bytes between different ranks; 0 where there is none */
	int dimensions; /**< of a grid; a ring has 1 */
	int dim[TMAP_DIMENSIONS_MAX];
	bool periodic[TMAP_DIMENSIONS_MAX];
	int communicator; /**< whose topology it is; TMAP_NONE: it was found in the matrix */
	int master;       /**< the rank, or TMAP_NONE */
};

/** @p totals are the record's. O(p + pairs x dimensions), but for the grid in the matrix
 *  (tmap_lattice_find()). */
int tmap_record_structure_find(struct tmap_record_structure *structure,
			       const struct tmap_record *record,
			       const struct tmap_record_totals *totals, struct tmap_error *err);

/** The grid of a topology, "cart 8x8 periods 1,0", of as many ranks: false where it is none. */
bool tmap_recorded_grid(struct tmap_record_structure *grid, const char *topology, int size);

#endif
