/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step_building.h - the steps of a rank while they are made.
 *
 *     messages, round by round      steps.c             steps that send and receive
 *     neighborhoods                 step_neighbors.c    the same, from block to block
 *     what is not sent              step_ends.c         moves before the first step, after the last
 *
 * add to one list of steps, of which each waits for others.
 */
#ifndef TMAP_MPI_RUN_EXECUTOR_STEP_BUILDING_H
#define TMAP_MPI_RUN_EXECUTOR_STEP_BUILDING_H

#include "mpi_run/executor/cell_places.h"
#include "mpi_run/executor/scratch.h"
#include "mpi_run/executor/steps.h"

#define TMAP_NO_STEP ((size_t)-1)

struct tmap_step_wait {
	size_t step, on; /* step waits for on */
	bool is_begin;
};

/* Steps that read a cell, as lists. */
struct tmap_step_reader {
	size_t step, next;
};

/* A cell while the steps are made. */
struct tmap_cell_progress {
	bool holds;
	size_t writer;       /* the last step that changed it */
	size_t reader;       /* those that have read it since */
	int64_t read_round;  /* the last round in which it was sent */
	int64_t local_round; /* the last one in which a local step changed it */
};

struct tmap_step_building {
	const struct tmap_call *call;
	const struct tmap_layout *layout;
	int rank;
	struct tmap_steps made;
	struct tmap_collection messages;
	struct tmap_cells cells;
	struct tmap_cell_progress *progress[TMAP_STORES];
	struct tmap_scratch_pool pool;
	struct tmap_pieces pieces;
	struct tmap_pieces own; /* of one cell at a time */
	size_t step_capacity, move_capacity;
	size_t wait_count, wait_capacity, reader_count, reader_capacity, marked_capacity;
	struct tmap_step_wait *wait;
	struct tmap_step_reader *reader;
	size_t *marked; /* [step]: the last one that was made to wait for it */
	bool by_rounds;
	size_t gate; /* what has to be over before a later round sends: blank messages came; by
			   rounds, before a step of the round at hand: the last round */
	struct tmap_error *err;
};

/** A step, whose pieces or moves follow; *index is its number. */
int tmap_building_add_step(struct tmap_step_building *building, enum tmap_step_kind kind, int peer,
			   size_t *index);

/** A step waits until another one has begun or ended. */
int tmap_building_add_wait(struct tmap_step_building *building, size_t step, size_t on,
			   bool is_begin);

/** It waits until that has ended, unless it does already, or that is TMAP_NO_STEP. */
int tmap_building_wait(struct tmap_step_building *building, size_t step, size_t on);

int tmap_building_add_move(struct tmap_step_building *building, struct tmap_transfer move);

/** A move that copies; nothing where there are no elements. */
int tmap_building_add_copy(struct tmap_step_building *building, struct tmap_data_piece source,
			   struct tmap_data_piece target);

/** The moves before the first step, and after the last. */
int tmap_building_add_before(struct tmap_step_building *building);
int tmap_building_add_after(struct tmap_step_building *building);

/** All of a neighborhood's. */
int tmap_building_add_neighbors(struct tmap_step_building *building);

/** At last: messages of one peer begin one after another, and the waits become edges. O(n log n). */
int tmap_building_order_peers(struct tmap_step_building *building);
int tmap_building_add_edges(struct tmap_step_building *building);

#endif
