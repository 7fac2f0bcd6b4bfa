/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_run/executor/steps.h"

#include "core/base/mem.h"
#include "mpi_run/executor/rows.h"
#include "mpi_run/executor/step_building.h"

#include <stdlib.h>
#include <string.h>

/* ---- what a step reads and changes ---- */

static int cell_read(struct tmap_step_building *building, struct tmap_cell_progress *cell,
		     size_t step, int64_t round)
{
	if (tmap_building_wait(building, step, cell->writer) < 0 ||
	    tmap_grow(&building->reader, &building->reader_capacity, building->reader_count + 1,
		      sizeof *building->reader, building->err) < 0)
		return -1;
	building->reader[building->reader_count] = (struct tmap_step_reader){ step, cell->reader };
	cell->reader = building->reader_count++;
	cell->read_round = round;
	return 0;
}

static int cell_write(struct tmap_step_building *building, struct tmap_cell_progress *cell,
		      size_t step)
{
	if (tmap_building_wait(building, step, cell->writer) < 0)
		return -1;
	for (size_t r = cell->reader; r != TMAP_NO_STEP; r = building->reader[r].next)
		if (tmap_building_wait(building, step, building->reader[r].step) < 0)
			return -1;
	cell->writer = step;
	cell->reader = TMAP_NO_STEP;
	cell->holds = true;
	return 0;
}

/* ---- messages ---- */

/* A message whose bytes mean nothing, or one of a barrier: only that it comes does. */
static bool is_blank(const struct tmap_step_building *building, const struct tmap_message *message)
{
	return message->is_word || !message->run_count ||
		tmap_call_algorithm(building->call)->collective == TMAP_BARRIER;
}

static int gate_close(struct tmap_step_building *building, size_t step)
{
	size_t both;

	if (building->gate != TMAP_NO_STEP) {
		if (tmap_building_add_step(building, TMAP_STEP_LOCAL, TMAP_NONE, &both) < 0 ||
		    tmap_building_wait(building, both, building->gate) < 0 ||
		    tmap_building_wait(building, both, step) < 0)
			return -1;
		step = both;
	}
	building->gate = step;
	return 0;
}

/* All steps from the first of a round on have to be over before a step of the next one. */
static int round_close(struct tmap_step_building *building, size_t first)
{
	size_t last = building->made.step_count, all;

	if (tmap_building_add_step(building, TMAP_STEP_LOCAL, TMAP_NONE, &all) < 0)
		return -1;
	for (size_t step = first; step < last; step++)
		if (tmap_building_wait(building, all, step) < 0)
			return -1;
	building->gate = all;
	return 0;
}

/* What a receive waits for: nothing but by rounds, where it is not of the first. */
static size_t gate_of_receives(const struct tmap_step_building *building)
{
	return building->by_rounds ? building->gate : TMAP_NO_STEP;
}

static int blank_add(struct tmap_step_building *building, const struct tmap_message *message)
{
	bool is_sent = message->from == building->rank;
	size_t step;

	if (tmap_building_add_step(building, is_sent ? TMAP_STEP_SEND : TMAP_STEP_RECV,
				   is_sent ? message->to : message->from, &step) < 0)
		return -1;
	building->made.step[step].blank_bytes = message->bytes;
	if (message->bytes > building->made.blank_bytes)
		building->made.blank_bytes = message->bytes;
	if (is_sent)
		return tmap_building_wait(building, step, building->gate);
	return building->by_rounds ? tmap_building_wait(building, step, building->gate) :
				     gate_close(building, step);
}

static int send_add(struct tmap_step_building *building, const struct tmap_message *message)
{
	enum tmap_store store = tmap_store_of_source(message);
	struct tmap_cell_cursor at = { 0 };
	size_t step, first = building->pieces.count;

	if (tmap_building_add_step(building, TMAP_STEP_SEND, message->to, &step) < 0 ||
	    tmap_building_wait(building, step, building->gate) < 0)
		return -1;
	for (size_t i; (i = tmap_cells_next(&building->cells, message, &at)) != TMAP_NO_CELL;)
		if (tmap_cells_pieces(&building->cells, store, i, &building->pieces, first,
				      building->err) < 0 ||
		    cell_read(building, &building->progress[store][i], step, message->round) < 0)
			return -1;
	building->made.step[step].count = building->pieces.count - first;
	return 0;
}

/* May it go where it is to be, at once? Not while that is sent in the same round, nor after a
 * reduction of this round, which waits for such sends. */
static bool goes_in_place(const struct tmap_step_building *building,
			  const struct tmap_message *message)
{
	const struct tmap_cell_progress *progress =
		building->progress[tmap_store_of_target(message)];
	struct tmap_cell_cursor at = { 0 };

	if (message->combine)
		return false;
	for (size_t i; (i = tmap_cells_next(&building->cells, message, &at)) != TMAP_NO_CELL;)
		if (progress[i].read_round == message->round ||
		    progress[i].local_round == message->round)
			return false;
	return true;
}

static int recv_in_place(struct tmap_step_building *building, const struct tmap_message *message)
{
	enum tmap_store store = tmap_store_of_target(message);
	struct tmap_cell_cursor at = { 0 };
	size_t step, first = building->pieces.count;

	if (tmap_building_add_step(building, TMAP_STEP_RECV, message->from, &step) < 0 ||
	    tmap_building_wait(building, step, gate_of_receives(building)) < 0)
		return -1;
	for (size_t i; (i = tmap_cells_next(&building->cells, message, &at)) != TMAP_NO_CELL;)
		if (tmap_cells_pieces(&building->cells, store, i, &building->pieces, first,
				      building->err) < 0 ||
		    cell_write(building, &building->progress[store][i], step) < 0)
			return -1;
	building->made.step[step].count = building->pieces.count - first;
	return 0;
}

/* The cells of one store: what has come to scratch goes into them, from piece @p first on, which
 * lie there in the order of the message. */
static int moves_add(struct tmap_step_building *building, const struct tmap_message *message,
		     enum tmap_store store, size_t first, size_t step, bool *waits_for_sends)
{
	struct tmap_data_piece source = building->pieces.piece[first];
	struct tmap_cell_cursor at = { 0 };
	size_t piece = first;

	for (size_t i; (i = tmap_cells_next(&building->cells, message, &at)) != TMAP_NO_CELL;) {
		struct tmap_cell_progress *cell = &building->progress[store][i];
		bool reduces = message->combine && cell->holds;

		building->own.count = 0;
		if (tmap_cells_pieces(&building->cells, store, i, &building->own, 0,
				      building->err) < 0)
			return -1;
		*waits_for_sends = *waits_for_sends || cell->read_round == message->round;
		for (size_t k = 0; k < building->own.count; k++) {
			struct tmap_data_piece target = building->own.piece[k];

			if (!source.count)
				source = building->pieces.piece[++piece];
			if (tmap_building_add_move(
				    building,
				    (struct tmap_transfer){
					    .source = { source.area, source.type, source.offset,
							target.count },
					    .target = target,
					    .is_reduction = reduces,
					    .is_lower = message->from < message->to }) < 0)
				return -1;
			source.count -= target.count;
			source.offset += target.count * building->layout->type[source.type].extent;
		}
		if (cell_write(building, cell, step) < 0)
			return -1;
		cell->local_round = message->round;
	}
	return 0;
}

/* Pieces in scratch for what a message brings, one behind another where they are of one type. */
static int scratch_pieces(struct tmap_step_building *building, const struct tmap_message *message,
			  struct tmap_scratch *scratch, size_t step)
{
	enum tmap_store store = tmap_store_of_target(message);
	const struct tmap_data_element *types = building->layout->type;
	size_t first = building->pieces.count;
	struct tmap_cell_cursor at = { 0 };
	int64_t bytes = 0;

	building->own.count = 0;
	for (size_t i; (i = tmap_cells_next(&building->cells, message, &at)) != TMAP_NO_CELL;)
		if (tmap_cells_pieces(&building->cells, store, i, &building->own,
				      building->own.count, building->err) < 0)
			return -1;
	for (size_t i = 0; i < building->own.count; i++) {
		struct tmap_data_piece piece = building->own.piece[i];

		piece.area = TMAP_SCRATCH_AREA;
		piece.offset = 0;
		if (building->pieces.count > first &&
		    building->pieces.piece[building->pieces.count - 1].type == piece.type) {
			building->pieces.piece[building->pieces.count - 1].count += piece.count;
			continue;
		}
		if (tmap_pieces_add(&building->pieces, building->layout, building->pieces.count,
				    piece, building->err) < 0)
			return -1;
	}
	for (size_t i = first; i < building->pieces.count; i++) {
		struct tmap_data_piece *piece = &building->pieces.piece[i];

		if (tmap_scratch_take(&bytes, &types[piece->type], piece->count, &piece->offset,
				      building->err) < 0)
			return -1;
	}
	if (tmap_scratch_pool_take(&building->pool, bytes, message->round,
				   &building->made.scratch_bytes, scratch, building->err) < 0)
		return -1;
	for (size_t i = first; i < building->pieces.count; i++)
		building->pieces.piece[i].offset += scratch->offset;
	building->made.step[step].count = building->pieces.count - first;
	return scratch->last_step == TMAP_SCRATCH_NEW ?
		0 :
		tmap_building_wait(building, step, scratch->last_step);
}

/* Into scratch, and from there to where it belongs: reduced, where that holds something. */
static int recv_aside(struct tmap_step_building *building, const struct tmap_message *message)
{
	enum tmap_store answer = message->combine ? tmap_store_of_answer(building->call, message) :
						    TMAP_STORE_NONE;
	struct tmap_scratch scratch;
	bool waits_for_sends = false;
	size_t recv, local, first = building->pieces.count;

	if (tmap_building_add_step(building, TMAP_STEP_RECV, message->from, &recv) < 0 ||
	    tmap_building_wait(building, recv, gate_of_receives(building)) < 0 ||
	    scratch_pieces(building, message, &scratch, recv) < 0 ||
	    tmap_building_add_step(building, TMAP_STEP_LOCAL, TMAP_NONE, &local) < 0 ||
	    tmap_building_wait(building, local, recv) < 0)
		return -1;
	if (building->pieces.count > first) {
		/* the answer first: the other may spoil what has come */
		if (answer != TMAP_STORE_NONE &&
		    moves_add(building, message, answer, first, local, &waits_for_sends) < 0)
			return -1;
		if (moves_add(building, message, tmap_store_of_target(message), first, local,
			      &waits_for_sends) < 0)
			return -1;
	}
	building->made.step[local].count =
		building->made.move_count - building->made.step[local].first;
	return tmap_scratch_pool_give(&building->pool, &scratch, local, waits_for_sends,
				      building->err);
}

static int message_add(struct tmap_step_building *building, const struct tmap_message *message)
{
	if (is_blank(building, message))
		return blank_add(building, message);
	if (message->from == building->rank)
		return send_add(building, message);
	return goes_in_place(building, message) ? recv_in_place(building, message) :
						  recv_aside(building, message);
}

/* ---- the whole ---- */

/* Within a round, what is sent is what was there before something came. */
static int sends_first(struct tmap_collection *messages, int rank, struct tmap_error *err)
{
	struct tmap_message *sorted =
		tmap_alloc_raw(messages->count, sizeof *messages->message, err);
	size_t end, made = 0;

	if (!sorted)
		return -1;
	for (size_t begin = 0; begin < messages->count; begin = end) {
		end = tmap_collection_end_of_round(messages, begin);
		for (size_t i = begin; i < end; i++)
			if (messages->message[i].from == rank)
				sorted[made++] = messages->message[i];
		for (size_t i = begin; i < end; i++)
			if (messages->message[i].from != rank)
				sorted[made++] = messages->message[i];
	}
	free(messages->message);
	messages->message = sorted;
	messages->capacity = messages->count;
	return 0;
}

static int progress_init(struct tmap_step_building *building)
{
	for (enum tmap_store store = 0; store < TMAP_STORES; store++) {
		struct tmap_cell_progress *made;

		if (!building->cells.cell[store])
			continue;
		made = building->progress[store] =
			tmap_alloc_raw(building->cells.count, sizeof *made, building->err);
		if (!made)
			return -1;
		for (size_t i = 0; i < building->cells.count; i++)
			made[i] = (struct tmap_cell_progress){ .holds = tmap_cells_holds(
								       &building->cells, store, i),
							       .writer = TMAP_NO_STEP,
							       .reader = TMAP_NO_STEP,
							       .read_round = -1,
							       .local_round = -1 };
	}
	return 0;
}

static int units_build(struct tmap_step_building *building)
{
	if (tmap_cells_init(&building->cells, building->call, building->layout, building->rank,
			    &building->messages, building->err) < 0)
		return -1;
	building->made.scratch_bytes = building->cells.scratch_bytes;
	if (progress_init(building) < 0 || tmap_building_add_before(building) < 0)
		return -1;
	for (size_t begin = 0, end; begin < building->messages.count; begin = end) {
		size_t first = building->made.step_count;

		end = tmap_collection_end_of_round(&building->messages, begin);
		for (size_t m = begin; m < end; m++)
			if (message_add(building, &building->messages.message[m]) < 0)
				return -1;
		if (building->by_rounds && end < building->messages.count &&
		    round_close(building, first) < 0)
			return -1;
	}
	return tmap_building_add_after(building);
}

int tmap_steps_init(struct tmap_steps *steps, const struct tmap_call *call, int rank,
		    const struct tmap_layout *layout, bool by_rounds, struct tmap_error *err)
{
	struct tmap_step_building building = { .call = call,
					       .layout = layout,
					       .rank = rank,
					       .by_rounds = by_rounds,
					       .gate = TMAP_NO_STEP,
					       .err = err };
	int status = tmap_collection_record_rank(&building.messages, call, rank, err);

	if (status == 0)
		status = tmap_rows_turn(&building.messages, err);
	if (status == 0)
		status = sends_first(&building.messages, rank, err);
	if (status == 0)
		status = tmap_collective_rows[tmap_call_algorithm(call)->collective].has_neighbors ?
			tmap_building_add_neighbors(&building) :
			units_build(&building);
	if (status == 0)
		status = tmap_building_order_peers(&building);
	if (status == 0)
		status = tmap_building_add_edges(&building);
	building.made.piece = building.pieces.piece;
	building.made.piece_count = building.pieces.count;
	if (status == 0)
		*steps = building.made;
	else
		tmap_steps_fini(&building.made);
	for (enum tmap_store store = 0; store < TMAP_STORES; store++)
		free(building.progress[store]);
	tmap_cells_fini(&building.cells);
	tmap_collection_fini(&building.messages);
	free(building.pool.free);
	free(building.own.piece);
	free(building.wait);
	free(building.reader);
	free(building.marked);
	return status;
}

void tmap_steps_fini(struct tmap_steps *steps)
{
	free(steps->step);
	free(steps->edge);
	free(steps->piece);
	free(steps->move);
	*steps = (struct tmap_steps){ 0 };
}
