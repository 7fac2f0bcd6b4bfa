/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_run/executor/cells.h"

#include "core/base/mem.h"
#include "core/base/sort.h"
#include "mpi_run/executor/cell_places.h"

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
	if (status < 0 || tmap_sort_numbers(bounds.unit, bounds.count, err) < 0) {
		free(bounds.unit);
		return -1;
	}
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

/* Where each run of the messages begins. */
static int find_runs(struct tmap_cells *cells, const struct tmap_collection *messages,
		     struct tmap_error *err)
{
	size_t near = 0;

	cells->run = messages->run;
	cells->run_cell = tmap_alloc_raw(messages->run_count, sizeof *cells->run_cell, err);
	if (!cells->run_cell)
		return -1;
	for (size_t i = 0; i < messages->run_count; i++)
		cells->run_cell[i] = near = tmap_cells_find(cells, messages->run[i].first, near);
	return 0;
}

size_t tmap_cells_next(const struct tmap_cells *cells, const struct tmap_message *message,
		       struct tmap_cell_cursor *at)
{
	const struct tmap_run *run;

	while (at->run < message->run_count && at->unit >= message->run[at->run].count) {
		at->run++;
		at->unit = 0;
	}
	if (at->run >= message->run_count)
		return TMAP_NO_CELL;
	run = &message->run[at->run];
	at->cell = !at->unit ?
		cells->run_cell[run - cells->run] :
		run->stride == 1 ?
		at->cell + 1 :
		tmap_cells_find(cells, run->first + at->unit * run->stride, at->cell);
	at->unit += cells->begin[at->cell + 1] - cells->begin[at->cell];
	return at->cell;
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
	struct tmap_cell_cursor at = { 0 };

	for (size_t i; (i = tmap_cells_next(cells, message, &at)) != TMAP_NO_CELL;)
		if (use_cell(cells, store, i, use, err) < 0 ||
		    (answer != TMAP_STORE_NONE && use_cell(cells, answer, i, use, err) < 0))
			return -1;
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
	if (status == 0)
		status = find_runs(cells, messages, err);
	for (size_t m = 0; m < messages->count && status == 0; m++)
		status = use_message(cells, &messages->message[m], err);
	if (status == 0 && collective_of(call) != TMAP_BARRIER)
		status = tmap_cells_place(cells, err);
	if (status < 0)
		tmap_cells_fini(cells);
	return status;
}

void tmap_cells_fini(struct tmap_cells *cells)
{
	for (enum tmap_store store = 0; store < TMAP_STORES; store++)
		free(cells->cell[store]);
	free(cells->begin);
	free(cells->run_cell);
	*cells = (struct tmap_cells){ 0 };
}
