/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_run/executor/cells.h"

#include "core/base/mem.h"

#include <stdlib.h>

enum tmap_store tmap_store_of_source(const struct tmap_message *message)
{
	switch (message->on) {
	case TMAP_VECTOR:
		return TMAP_STORE_VECTOR;
	case TMAP_ANSWER:
		return TMAP_STORE_COPY_ANSWER;
	case TMAP_TOTAL:
		return TMAP_STORE_ANSWER;
	default:
		return TMAP_STORE_COPY;
	}
}

enum tmap_store tmap_store_of_target(const struct tmap_message *message)
{
	return message->on == TMAP_TOTAL ? TMAP_STORE_COPY : tmap_store_of_source(message);
}

static enum tmap_collective collective_of(const struct tmap_call *call)
{
	return tmap_call_algorithm(call)->collective;
}

static bool is_scan(const struct tmap_call *call)
{
	return collective_of(call) == TMAP_SCAN || collective_of(call) == TMAP_EXSCAN;
}

enum tmap_store tmap_store_of_answer(const struct tmap_call *call,
				     const struct tmap_message *message)
{
	if (!is_scan(call) || message->from > message->to)
		return TMAP_STORE_NONE;
	return message->on == TMAP_VECTOR     ? TMAP_STORE_ANSWER :
		message->on == TMAP_COPY_SCAN ? TMAP_STORE_COPY_ANSWER :
						TMAP_STORE_NONE;
}

/* ---- where the intervals begin ---- */

struct bounds {
	size_t count, capacity;
	int64_t *unit;
};

static int bounds_add(struct bounds *bounds, int64_t unit, struct tmap_error *err)
{
	if (tmap_grow(&bounds->unit, &bounds->capacity, bounds->count + 1, sizeof *bounds->unit,
		      err) < 0)
		return -1;
	bounds->unit[bounds->count++] = unit;
	return 0;
}

static int bounds_add_between(struct bounds *bounds, int64_t first, int64_t end,
			      struct tmap_error *err)
{
	return bounds_add(bounds, first, err) < 0 || bounds_add(bounds, end, err) < 0 ? -1 : 0;
}

/* Unit by unit. */
static int bounds_add_each(struct bounds *bounds, int64_t first, int64_t stride, int64_t count,
			   struct tmap_error *err)
{
	for (int64_t i = 0; i < count; i++)
		if (bounds_add_between(bounds, first + i * stride, first + i * stride + 1, err) < 0)
			return -1;
	return 0;
}

static int bounds_add_run(struct bounds *bounds, const struct tmap_run *run, struct tmap_error *err)
{
	return run->stride == 1 ?
		bounds_add_between(bounds, run->first, run->first + run->count, err) :
		bounds_add_each(bounds, run->first, run->stride, run->count, err);
}

/* Of an alltoall, whose unit a p + b goes from rank a to b: what this rank sends, and what comes to it,
 * may lie anywhere, and be of any type; what it hands on is alike. */
static int bounds_add_own(struct bounds *bounds, const struct tmap_cells *cells,
			  const struct tmap_run *run, struct tmap_error *err)
{
	int64_t size = cells->call->size, row = cells->rank * size;
	int64_t first = run->first, end = first + run->count;
	int64_t begin = first > row ? first : row, behind = end < row + size ? end : row + size;
	int64_t column = first + ((cells->rank - first) % size + size) % size;

	if (run->stride != 1)
		return 0;
	return bounds_add_each(bounds, begin, 1, behind - begin, err) < 0 ?
		-1 :
		bounds_add_each(bounds, column, size, (end - column + size - 1) / size, err);
}

static int bounds_compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

static int find_bounds(struct tmap_cells *cells, const struct tmap_collection *messages,
		       struct tmap_error *err)
{
	struct bounds bounds = { 0 };
	bool is_alltoall = collective_of(cells->call) == TMAP_ALLTOALL;
	size_t kept = 0;
	int status = 0;

	/* a rank's own block may lie elsewhere than those around it */
	if (cells->are_blocks && !is_alltoall)
		status = bounds_add_run(&bounds, &(struct tmap_run){ cells->rank, 1, 1 }, err);
	for (size_t m = 0; m < messages->count && status == 0; m++)
		for (int i = 0; i < messages->message[m].run_count && status == 0; i++) {
			const struct tmap_run *run = &messages->message[m].run[i];

			status = bounds_add_run(&bounds, run, err);
			if (status == 0 && is_alltoall)
				status = bounds_add_own(&bounds, cells, run, err);
		}
	if (status < 0) {
		free(bounds.unit);
		return -1;
	}
	if (bounds.count)
		qsort(bounds.unit, bounds.count, sizeof *bounds.unit, bounds_compare);
	for (size_t i = 0; i < bounds.count; i++)
		if (!i || bounds.unit[i] != bounds.unit[kept - 1])
			bounds.unit[kept++] = bounds.unit[i];
	cells->begin = bounds.unit;
	cells->count = kept ? kept - 1 : 0;
	return 0;
}

size_t tmap_cells_find(const struct tmap_cells *cells, int64_t unit, size_t near)
{
	size_t low = 0, high = cells->count;

	if (near < high && cells->begin[near] <= unit) {
		size_t step = 1;

		for (low = near; low + step < high && cells->begin[low + step] <= unit; step *= 2)
			low += step;
		high = low + step < high ? low + step : high;
	}
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (cells->begin[middle] <= unit)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* ---- which of them are used, and how ---- */

enum use { READ, COMBINED, STORED };

static int use_cell(struct tmap_cells *cells, enum tmap_store store, size_t i, enum use use,
		    struct tmap_error *err)
{
	struct tmap_unit_cell *cell;

	if (!cells->cell[store]) {
		cells->cell[store] = tmap_alloc(cells->count, sizeof *cell, err);
		if (!cells->cell[store])
			return -1;
	}
	cell = &cells->cell[store][i];
	cell->is_needed = cell->is_needed || (!cell->is_used && use != STORED);
	cell->is_used = true;
	cell->is_written = cell->is_written || use != READ;
	return 0;
}

static int use_message(struct tmap_cells *cells, const struct tmap_message *message,
		       struct tmap_error *err)
{
	bool is_sent = message->from == cells->rank;
	enum use use = is_sent ? READ : message->combine ? COMBINED : STORED;
	enum tmap_store store = is_sent ? tmap_store_of_source(message) :
					  tmap_store_of_target(message);
	enum tmap_store answer = use == COMBINED ? tmap_store_of_answer(cells->call, message) :
						   TMAP_STORE_NONE;
	size_t at = 0;

	for (int i = 0; i < message->run_count; i++)
		for (int64_t k = 0; k < message->run[i].count;) {
			int64_t unit = message->run[i].first + k * message->run[i].stride;

			at = tmap_cells_find(cells, unit, at);
			if (use_cell(cells, store, at, use, err) < 0 ||
			    (answer != TMAP_STORE_NONE &&
			     use_cell(cells, answer, at, use, err) < 0))
				return -1;
			k += cells->begin[at + 1] - cells->begin[at];
		}
	return 0;
}

bool tmap_cells_holds(const struct tmap_cells *cells, enum tmap_store store, size_t i)
{
	const struct tmap_call *call = cells->call;
	int64_t unit = cells->begin[i];

	if (store == TMAP_STORE_COPY_ANSWER)
		return false;
	if (store == TMAP_STORE_ANSWER)
		return collective_of(call) == TMAP_SCAN;
	if (tmap_call_algorithm(call)->gathers)
		return unit == cells->rank;
	switch (collective_of(call)) {
	case TMAP_ALLGATHER:
	case TMAP_GATHER:
		return unit == cells->rank;
	case TMAP_BCAST:
	case TMAP_SCATTER:
		return cells->rank == call->root;
	case TMAP_ALLTOALL:
		return unit / call->size == cells->rank;
	default:
		return true;
	}
}

/* ---- where they lie ---- */

/* Where what the caller gives a rank of a reduction is. */
static enum tmap_area input_area(const struct tmap_cells *cells)
{
	return cells->layout->in_place ? TMAP_RECV_AREA : TMAP_SEND_AREA;
}

static enum tmap_area area_of(const struct tmap_cells *cells, enum tmap_store store, size_t i)
{
	const struct tmap_unit_cell *cell = &cells->cell[store][i];
	const struct tmap_call *call = cells->call;
	int64_t unit = cells->begin[i];
	bool is_root = cells->rank == call->root;

	switch (collective_of(call)) {
	case TMAP_GATHER:
		return is_root              ? TMAP_RECV_AREA :
			unit == cells->rank ? TMAP_SEND_AREA :
					      TMAP_SCRATCH_AREA;
	case TMAP_SCATTER:
		return is_root              ? TMAP_SEND_AREA :
			unit == cells->rank ? TMAP_RECV_AREA :
					      TMAP_SCRATCH_AREA;
	case TMAP_ALLTOALL:
		/* in place, what goes is in the way of what comes */
		if (unit / call->size == cells->rank)
			return cells->layout->in_place ? TMAP_SCRATCH_AREA : TMAP_SEND_AREA;
		return unit % call->size == cells->rank ? TMAP_RECV_AREA : TMAP_SCRATCH_AREA;
	case TMAP_REDUCE:
		if (tmap_call_algorithm(call)->gathers)
			return unit == cells->rank ? input_area(cells) : TMAP_SCRATCH_AREA;
		return is_root           ? TMAP_RECV_AREA :
			cell->is_written ? TMAP_SCRATCH_AREA :
					   TMAP_SEND_AREA;
	case TMAP_REDUCE_SCATTER:
	case TMAP_REDUCE_SCATTER_BLOCK:
		if (!cell->is_written)
			return input_area(cells);
		return unit == cells->rank && !cells->layout->in_place ? TMAP_RECV_AREA :
									 TMAP_SCRATCH_AREA;
	case TMAP_SCAN:
	case TMAP_EXSCAN:
		if (store == TMAP_STORE_ANSWER)
			return TMAP_RECV_AREA;
		if (store == TMAP_STORE_COPY_ANSWER)
			return TMAP_SCRATCH_AREA;
		return cell->is_written || cells->layout->in_place ? TMAP_SCRATCH_AREA :
								     TMAP_SEND_AREA;
	default:
		return TMAP_RECV_AREA;
	}
}

/* A unit that is a block, where it is in what the caller gives; how large, where it is in none. */
static struct tmap_data_piece block_piece(const struct tmap_cells *cells, enum tmap_area area,
					  int64_t unit)
{
	const struct tmap_layout *layout = cells->layout;
	const struct tmap_call *call = cells->call;
	struct tmap_data_piece piece;

	switch (collective_of(call)) {
	case TMAP_GATHER:
		return area == TMAP_RECV_AREA ? tmap_blocks_piece(layout, area, unit) :
						tmap_blocks_piece(layout, TMAP_SEND_AREA, 0);
	case TMAP_SCATTER:
		return area == TMAP_SEND_AREA ? tmap_blocks_piece(layout, area, unit) :
						tmap_blocks_piece(layout, TMAP_RECV_AREA, 0);
	case TMAP_ALLTOALL:
		if (unit / call->size == cells->rank)
			return tmap_blocks_piece(layout, input_area(cells), unit % call->size);
		return tmap_blocks_piece(layout, TMAP_RECV_AREA,
					 unit % call->size == cells->rank ? unit / call->size : 0);
	case TMAP_REDUCE: /* of all of a rank's vector */
		return tmap_blocks_piece(layout, input_area(cells), 0);
	case TMAP_REDUCE_SCATTER:
	case TMAP_REDUCE_SCATTER_BLOCK:
		if (area == TMAP_RECV_AREA && !layout->in_place)
			return tmap_blocks_piece(layout, area, 0);
		piece = tmap_blocks_piece(layout, TMAP_SEND_AREA, unit);
		piece.area = input_area(cells);
		return piece;
	default:
		return tmap_blocks_piece(layout, TMAP_RECV_AREA, unit);
	}
}

struct tmap_data_piece tmap_cells_vector(const struct tmap_cells *cells, enum tmap_area area,
					 size_t i)
{
	const struct tmap_call *call = cells->call;
	int64_t element = call->element ? call->element : 1;
	int64_t first = tmap_unit_begin(call, cells->begin[i]) / element;
	int64_t end = tmap_unit_begin(call, cells->begin[i + 1]) / element;

	return tmap_vector_piece(cells->layout, area, first, end - first);
}

int tmap_scratch_take(int64_t *scratch_bytes, const struct tmap_data_element *type, int64_t count,
		      int64_t *offset, struct tmap_error *err)
{
	enum { ALIGNED = 16 };
	int64_t span = tmap_type_span(type, count), end;

	if (__builtin_add_overflow(*scratch_bytes, span, &end) || end > INT64_MAX - ALIGNED)
		return tmap_fail(err, TMAP_SYSTEM, "out of memory");
	*offset = *scratch_bytes - tmap_type_low(type, count);
	*scratch_bytes = (end + ALIGNED - 1) / ALIGNED * ALIGNED;
	return 0;
}

/* All that is in one cell of the scratch is of one type. */
static struct tmap_data_piece scratch_piece(const struct tmap_cells *cells, enum tmap_store store,
					    size_t i)
{
	struct tmap_data_piece piece = { 0 };
	int64_t count = 0;

	if (!cells->are_blocks) {
		piece = tmap_cells_vector(cells, TMAP_RECV_AREA, i);
		count = piece.count;
	}
	for (int64_t u = cells->begin[i]; cells->are_blocks && u < cells->begin[i + 1]; u++) {
		piece = block_piece(cells, TMAP_SCRATCH_AREA, u);
		count += piece.count;
	}
	return (struct tmap_data_piece){ TMAP_SCRATCH_AREA, piece.type,
					 cells->cell[store][i].scratch, count };
}

static int place_cells(struct tmap_cells *cells, struct tmap_error *err)
{
	for (enum tmap_store store = 0; store < TMAP_STORES; store++)
		for (size_t i = 0; cells->cell[store] && i < cells->count; i++) {
			struct tmap_unit_cell *cell = &cells->cell[store][i];
			struct tmap_data_piece piece;

			if (!cell->is_used)
				continue;
			cell->area = area_of(cells, store, i);
			if (cell->area != TMAP_SCRATCH_AREA)
				continue;
			piece = scratch_piece(cells, store, i);
			if (tmap_scratch_take(&cells->scratch_bytes,
					      &cells->layout->type[piece.type], piece.count,
					      &cell->scratch, err) < 0)
				return -1;
		}
	return 0;
}

int tmap_cells_init(struct tmap_cells *cells, const struct tmap_call *call,
		    const struct tmap_layout *layout, int rank,
		    const struct tmap_collection *messages, struct tmap_error *err)
{
	const struct tmap_collective_row *row = &tmap_collective_rows[collective_of(call)];
	int status;

	*cells = (struct tmap_cells){ .call = call, .layout = layout, .rank = rank };
	cells->are_blocks = !row->cuts_vector || tmap_call_algorithm(call)->gathers ||
		collective_of(call) == TMAP_REDUCE_SCATTER;
	status = find_bounds(cells, messages, err);
	for (size_t m = 0; m < messages->count && status == 0; m++)
		status = use_message(cells, &messages->message[m], err);
	if (status == 0 && collective_of(call) != TMAP_BARRIER)
		status = place_cells(cells, err);
	if (status < 0)
		tmap_cells_fini(cells);
	return status;
}

void tmap_cells_fini(struct tmap_cells *cells)
{
	for (enum tmap_store store = 0; store < TMAP_STORES; store++)
		free(cells->cell[store]);
	free(cells->begin);
	*cells = (struct tmap_cells){ 0 };
}

int tmap_pieces_add(struct tmap_pieces *pieces, const struct tmap_layout *layout, size_t first,
		    struct tmap_data_piece piece, struct tmap_error *err)
{
	if (!piece.count)
		return 0;
	if (pieces->count > first &&
	    tmap_piece_precedes(layout, &pieces->piece[pieces->count - 1], &piece)) {
		pieces->piece[pieces->count - 1].count += piece.count;
		return 0;
	}
	if (tmap_grow(&pieces->piece, &pieces->capacity, pieces->count + 1, sizeof *pieces->piece,
		      err) < 0)
		return -1;
	pieces->piece[pieces->count++] = piece;
	return 0;
}

/* Of a cell that is in none of the scratch. */
static int add_users(const struct tmap_cells *cells, enum tmap_area area, size_t i,
		     struct tmap_pieces *pieces, size_t first, struct tmap_error *err)
{
	if (!cells->are_blocks)
		return tmap_pieces_add(pieces, cells->layout, first,
				       tmap_cells_vector(cells, area, i), err);
	for (int64_t u = cells->begin[i]; u < cells->begin[i + 1]; u++)
		if (tmap_pieces_add(pieces, cells->layout, first, block_piece(cells, area, u),
				    err) < 0)
			return -1;
	return 0;
}

int tmap_cells_pieces(const struct tmap_cells *cells, enum tmap_store store, size_t i,
		      struct tmap_pieces *pieces, size_t first, struct tmap_error *err)
{
	const struct tmap_unit_cell *cell = &cells->cell[store][i];

	if (collective_of(cells->call) == TMAP_BARRIER)
		return 0;
	if (cell->area == TMAP_SCRATCH_AREA)
		return tmap_pieces_add(pieces, cells->layout, first, scratch_piece(cells, store, i),
				       err);
	return add_users(cells, cell->area, i, pieces, first, err);
}

int tmap_cells_own_pieces(const struct tmap_cells *cells, size_t i, struct tmap_pieces *pieces,
			  size_t first, struct tmap_error *err)
{
	return add_users(cells, input_area(cells), i, pieces, first, err);
}
