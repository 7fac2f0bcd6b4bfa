/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * layout.h - where the data of a collective lie in the memory of a rank.
 *
 *     send       | 0 | 1 | 2 |          blocks, or one vector, of the user's
 *     recv       | 0 |  1  | 2|         their counts and offsets are each block's own in v-forms
 *     scratch    | ......... |          what the rank keeps for others, or reduces with
 *
 * Nothing here is an address: a piece is so many elements of a type at an offset in one of the
 * three, and those who execute know where the three begin.
 */
#ifndef TMAP_MPI_RUN_EXECUTOR_LAYOUT_H
#define TMAP_MPI_RUN_EXECUTOR_LAYOUT_H

#include "core/schedule/call.h"

enum tmap_area { TMAP_SEND_AREA, TMAP_RECV_AREA, TMAP_SCRATCH_AREA, TMAP_AREAS };

/** In bytes; the numbers of types are the caller's, and their handles belong to a transport. */
struct tmap_data_element {
	int64_t size;      /**< of data in an element */
	int64_t extent;    /**< from an element to the next one */
	int64_t low, span; /**< where its first byte lies, and so many from there to its last one */
	bool is_dense;     /**< bytes in a row, and so are those of many; false: nobody looked */
};

struct tmap_data_piece {
	enum tmap_area area;
	int type;
	int64_t offset, count; /**< bytes; elements */
};

/** The blocks of a buffer; or its vector, which is one block. */
struct tmap_blocks {
	int type;              /**< of all of them, where types is NULL */
	int64_t count;         /**< elements of each, where counts is NULL; one follows another */
	const int64_t *counts; /**< of each; then offsets are there, too */
	const int64_t *offsets;
	const int *types;
};

struct tmap_layout {
	const struct tmap_data_element *type;
	struct tmap_blocks send, recv; /**< as the MPI call has them; the blocks of a reduce_scatter
					   are those of send, and recv is one */
	bool in_place;      /**< MPI_IN_PLACE: there is no send (at the root of a scatter:
					   no recv) */
	const int *sources; /**< [degree] of a neighborhood: who sends to this rank, or
					   TMAP_NONE, as MPI lists them; else NULL */
};

/** Block @p block of a buffer. */
struct tmap_data_piece tmap_blocks_piece(const struct tmap_layout *layout, enum tmap_area area,
					 int64_t block);

/** So many elements of a vector, from that one on. */
struct tmap_data_piece tmap_vector_piece(const struct tmap_layout *layout, enum tmap_area area,
					 int64_t first, int64_t count);

/** Does @p next follow @p piece, as elements of the same type? */
bool tmap_piece_precedes(const struct tmap_layout *layout, const struct tmap_data_piece *piece,
			 const struct tmap_data_piece *next);

/** Bytes from the first to the last of so many elements, and where the first lies as seen from the
 *  element that is counted from (negative where an extent is). */
int64_t tmap_type_span(const struct tmap_data_element *type, int64_t count);
int64_t tmap_type_low(const struct tmap_data_element *type, int64_t count);

#endif
