/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cell_places.h - where the cells of a rank lie: in what the caller gives, or in the scratch.
 *
 *     bcast          {0} {1} {2}            the vector: |0|1|2|
 *     alltoall       s -> this rank         what comes: |s|, in one piece with its neighbours
 *                    s -> another rank      handed on: the scratch
 *                    this rank -> d         what goes; in place, the scratch
 */
#ifndef TMAP_MPI_RUN_EXECUTOR_CELL_PLACES_H
#define TMAP_MPI_RUN_EXECUTOR_CELL_PLACES_H

#include "mpi_run/executor/cells.h"

/** Each cell that is used gets its place. O(units in blocks, cells of vectors). */
int tmap_cells_place(struct tmap_cells *cells, struct tmap_error *err);

/** Pieces on end, those that follow one another as one. */
struct tmap_pieces {
	size_t count, capacity;
	struct tmap_data_piece *piece;
};

int tmap_pieces_add(struct tmap_pieces *pieces, const struct tmap_layout *layout, size_t first,
		    struct tmap_data_piece piece, struct tmap_error *err);

/** Where a cell lies; @p first: pieces before that one are of others. */
int tmap_cells_pieces(const struct tmap_cells *cells, enum tmap_store store, size_t i,
		      struct tmap_pieces *pieces, size_t first, struct tmap_error *err);

/** Cell @p i of the vector, as if it lay in that memory. */
struct tmap_data_piece tmap_cells_vector(const struct tmap_cells *cells, enum tmap_area area,
					 size_t i);

/** Where the rank's own data of a cell are at first, in what the caller has given. */
int tmap_cells_own_pieces(const struct tmap_cells *cells, size_t i, struct tmap_pieces *pieces,
			  size_t first, struct tmap_error *err);

/** Room in the scratch for so many elements of a type: where the first of them is. */
int tmap_scratch_take(int64_t *scratch_bytes, const struct tmap_data_element *type, int64_t count,
		      int64_t *offset, struct tmap_error *err);

#endif
