/* SPDX-License-Identifier: BSD-3-Clause */
/* What a rank copies for itself before its first step, and what is left to do after its last. */
#include "mpi_run/executor/step_building.h"

#include <stdlib.h>

/* The blocks, or the vector, that a rank has for itself. */
static int copy_own(struct tmap_step_building *building)
{
	const struct tmap_layout *layout = building->layout;
	const struct tmap_call *call = building->call;
	int64_t source = 0, target = 0;
	bool is_root = building->rank == call->root;

	if (layout->in_place || tmap_call_algorithm(call)->gathers)
		return 0;
	switch (tmap_call_algorithm(call)->collective) {
	case TMAP_ALLGATHER:
		target = building->rank;
		break;
	case TMAP_GATHER:
		if (!is_root)
			return 0;
		target = building->rank;
		break;
	case TMAP_SCATTER:
		if (!is_root)
			return 0;
		source = building->rank;
		break;
	case TMAP_ALLTOALL:
		source = target = building->rank;
		break;
	case TMAP_REDUCE:
		if (!is_root)
			return 0;
		break;
	case TMAP_REDUCE_SCATTER:
	case TMAP_REDUCE_SCATTER_BLOCK:
		source = building->rank;
		break;
	case TMAP_ALLREDUCE:
	case TMAP_SCAN:
		break;
	default:
		return 0;
	}
	return tmap_building_add_copy(building, tmap_blocks_piece(layout, TMAP_SEND_AREA, source),
				      tmap_blocks_piece(layout, TMAP_RECV_AREA, target));
}

/* Of a cell in scratch, what the rank has of it at first. */
static int copy_to_scratch(struct tmap_step_building *building, enum tmap_store store, size_t i)
{
	struct tmap_pieces into = { 0 };
	int status;

	building->own.count = 0;
	status = tmap_cells_own_pieces(&building->cells, i, &building->own, 0, building->err);
	if (status == 0)
		status = tmap_cells_pieces(&building->cells, store, i, &into, 0, building->err);
	for (size_t k = 0; k < building->own.count && status == 0; k++) {
		struct tmap_data_piece target = into.piece[0];

		target.count = building->own.piece[k].count;
		status = tmap_building_add_copy(building, building->own.piece[k], target);
		into.piece[0].offset += target.count * building->layout->type[target.type].extent;
	}
	free(into.piece);
	return status;
}

int tmap_building_add_before(struct tmap_step_building *building)
{
	if (copy_own(building) < 0)
		return -1;
	for (enum tmap_store store = 0; store < TMAP_STORES; store++)
		for (size_t i = 0; building->cells.cell[store] && i < building->cells.count; i++) {
			const struct tmap_unit_cell *cell = &building->cells.cell[store][i];

			if (cell->is_needed && cell->area == TMAP_SCRATCH_AREA &&
			    tmap_cells_holds(&building->cells, store, i) &&
			    copy_to_scratch(building, store, i) < 0)
				return -1;
		}
	building->made.before = building->made.move_count;
	return 0;
}

/* Where the vector of a rank has come to the root of a reduce that gathers them. */
static struct tmap_data_piece gathered_vector(const struct tmap_step_building *building, int rank)
{
	struct tmap_data_piece piece;
	size_t i = tmap_cells_find(&building->cells, rank, 0);

	if (rank == building->rank)
		return tmap_blocks_piece(
			building->layout,
			building->layout->in_place ? TMAP_RECV_AREA : TMAP_SEND_AREA, 0);
	piece = tmap_blocks_piece(building->layout, TMAP_RECV_AREA, 0);
	piece.area = TMAP_SCRATCH_AREA;
	piece.offset = building->cells.cell[TMAP_STORE_VECTOR][i].scratch +
		(rank - building->cells.begin[i]) * piece.count *
			building->layout->type[piece.type].extent;
	return piece;
}

/* The last rank's vector takes all others in, from the last but one to the first. */
static int reduce_gathered(struct tmap_step_building *building)
{
	const struct tmap_data_piece answer =
		tmap_blocks_piece(building->layout, TMAP_RECV_AREA, 0);
	int last = building->call->size - 1;
	struct tmap_data_piece sum = answer;

	if (!answer.count) /* nothing has come */
		return 0;
	if (last == building->rank) {
		if (!building->layout->in_place &&
		    tmap_building_add_copy(building, gathered_vector(building, last), answer) < 0)
			return -1;
	} else {
		sum = gathered_vector(building, last);
	}
	for (int r = last - 1; r >= 0; r--)
		if (tmap_building_add_move(building,
					   (struct tmap_transfer){ gathered_vector(building, r),
								   sum, true, true }) < 0)
			return -1;
	return sum.area == TMAP_RECV_AREA ? 0 : tmap_building_add_copy(building, sum, answer);
}

/* What came to the copy's answer is of lower ranks than what is in the vector's. */
static int join_answers(struct tmap_step_building *building)
{
	for (size_t i = 0;
	     building->cells.cell[TMAP_STORE_COPY_ANSWER] && i < building->cells.count; i++) {
		const struct tmap_cell_progress *answer = building->progress[TMAP_STORE_ANSWER];
		struct tmap_data_piece source, target;

		if (!building->progress[TMAP_STORE_COPY_ANSWER][i].holds)
			continue;
		building->own.count = 0;
		if (tmap_cells_pieces(&building->cells, TMAP_STORE_COPY_ANSWER, i, &building->own,
				      0, building->err) < 0)
			return -1;
		source = target = building->own.piece[0];
		target = tmap_cells_vector(&building->cells, TMAP_RECV_AREA, i);
		if (tmap_building_add_move(
			    building,
			    (struct tmap_transfer){ source, target,
						    answer ? answer[i].holds :
							     tmap_cells_holds(&building->cells,
									      TMAP_STORE_ANSWER, i),
						    true }) < 0)
			return -1;
	}
	return 0;
}

int tmap_building_add_after(struct tmap_step_building *building)
{
	const struct tmap_algorithm *algorithm = tmap_call_algorithm(building->call);
	bool is_root = building->rank == building->call->root;
	size_t own;

	building->made.after = building->made.move_count;
	switch (algorithm->collective) {
	case TMAP_REDUCE:
		return algorithm->gathers && is_root ? reduce_gathered(building) : 0;
	case TMAP_SCAN:
	case TMAP_EXSCAN:
		return join_answers(building);
	case TMAP_REDUCE_SCATTER:
	case TMAP_REDUCE_SCATTER_BLOCK:
		if (!building->layout->in_place)
			return 0;
		own = tmap_cells_find(&building->cells, building->rank, 0);
		building->own.count = 0;
		if (building->cells.cell[TMAP_STORE_VECTOR] &&
		    building->cells.cell[TMAP_STORE_VECTOR][own].is_used &&
		    tmap_cells_pieces(&building->cells, TMAP_STORE_VECTOR, own, &building->own, 0,
				      building->err) < 0)
			return -1;
		return building->own.count ?
			tmap_building_add_copy(
				building, building->own.piece[0],
				tmap_blocks_piece(building->layout, TMAP_RECV_AREA, 0)) :
			0;
	default:
		return 0;
	}
}
