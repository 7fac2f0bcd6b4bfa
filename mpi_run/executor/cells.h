/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cells.h - the units that come and go at a rank, and where they lie in its memory.
 *
 * Neighbouring units that all messages of the rank take together are one cell, so that a vector of
 * a million bytes that goes about in eight pieces has eight. Scans have up to four stores of cells
 * (enum tmap_buffer), all others one.
 *
 *     messages      {0..3} out   {2..5} in             cells  |0 1|2 3|4 5|
 */
#ifndef TMAP_MPI_RUN_EXECUTOR_CELLS_H
#define TMAP_MPI_RUN_EXECUTOR_CELLS_H

#include "core/schedule/collect.h"
#include "mpi_run/executor/layout.h"

enum tmap_store {
	TMAP_STORE_VECTOR,
	TMAP_STORE_ANSWER,
	TMAP_STORE_COPY,
	TMAP_STORE_COPY_ANSWER,
	TMAP_STORES,
	TMAP_STORE_NONE = TMAP_STORES
};

/** What a message carries, and where it arrives: in a store, and what is combined and comes from
 *  below in that of the answer as well, or in TMAP_STORE_NONE. */
enum tmap_store tmap_store_of_source(const struct tmap_message *message);
enum tmap_store tmap_store_of_target(const struct tmap_message *message);
enum tmap_store tmap_store_of_answer(const struct tmap_call *call,
				     const struct tmap_message *message);

struct tmap_unit_cell {
	bool is_used, is_written;
	bool is_needed;      /**< what the rank has of it at first is used */
	enum tmap_area area; /**< where it lies, */
	int64_t scratch;     /**< and where there */
};

struct tmap_cells {
	const struct tmap_call *call;
	const struct tmap_layout *layout;
	int rank;
	bool are_blocks; /**< units are blocks of buffers; else parts of the vector */
	size_t count;
	int64_t *begin;                           /**< [count + 1]: units */
	struct tmap_unit_cell *cell[TMAP_STORES]; /**< [count], NULL where the store has none */
	int64_t scratch_bytes;
	const struct tmap_run *run; /**< those of the messages, borrowed, */
	size_t *run_cell;           /**< and the cell in which each begins */
};

/** Of the messages of a rank, those that it sends in a round before those that it receives. O(n
 *  log n) for n units, or as many runs of neighbouring ones. */
int tmap_cells_init(struct tmap_cells *cells, const struct tmap_call *call,
		    const struct tmap_layout *layout, int rank,
		    const struct tmap_collection *messages, struct tmap_error *err);
void tmap_cells_fini(struct tmap_cells *cells);

/** The cell that this unit of a message is in: O(log k) where it is the k-th behind cell @p near, else
 *  O(log cells). */
size_t tmap_cells_find(const struct tmap_cells *cells, int64_t unit, size_t near);

#define TMAP_NO_CELL ((size_t)-1)

/** For loops over the cells of a message, all zero at first. */
struct tmap_cell_cursor {
	int run;
	int64_t unit; /**< of the run */
	size_t cell;  /**< the last one */
};

/** The cell after those so far, TMAP_NO_CELL at the end: of what a message that the cells were made for
 *  carries, in its order. O(1), in runs with a stride as tmap_cells_find(). */
size_t tmap_cells_next(const struct tmap_cells *cells, const struct tmap_message *message,
		       struct tmap_cell_cursor *at);

/** Does the rank have data of its own for the cell of a store when the collective begins? */
bool tmap_cells_holds(const struct tmap_cells *cells, enum tmap_store store, size_t i);

#endif
