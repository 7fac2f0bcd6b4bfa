/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/pattern/rows.h"

#include "core/base/mem.h"

#include <stdlib.h>
#include <string.h>

static void row_fini(struct tmap_pattern_row *row)
{
	free(row->peer);
	free(row->sent);
	free(row->received);
	free(row->turn);
}

static int row_init(struct tmap_pattern_row *row, int most, struct tmap_error *err)
{
	row->peer = tmap_alloc_raw((size_t)most, sizeof *row->peer, err);
	row->sent = tmap_alloc_raw((size_t)most, sizeof *row->sent, err);
	row->received = tmap_alloc_raw((size_t)most, sizeof *row->received, err);
	row->turn = tmap_alloc_raw((size_t)most, sizeof *row->turn, err);
	return row->peer && row->sent && row->received && row->turn ? 0 : -1;
}

void tmap_pattern_rows_fini(struct tmap_pattern_rows *rows)
{
	row_fini(&rows->own);
	row_fini(&rows->inner);
	free(rows->back);
	free(rows->list);
	free(rows->met);
	*rows = (struct tmap_pattern_rows){ 0 };
}

static int longest_row(const struct tmap_pattern *pattern)
{
	int64_t most = 0;

	if (pattern->grid)
		return 2 * pattern->grid->degree;
	for (int r = 0; r < pattern->size; r++)
		if (pattern->start[r + 1] - pattern->start[r] > most)
			most = pattern->start[r + 1] - pattern->start[r];
	return (int)most;
}

/* Where the ranks of a grid begin: before rank 0. */
static void rows_begin_grid(struct tmap_pattern_rows *rows, const struct tmap_neighborhood *grid)
{
	for (int d = 0; d < grid->dimensions; d++)
		for (int k = 0; k < grid->degree; k++) {
			int far = abs(grid->offset[k * grid->dimensions + d]);

			if (far > rows->reach[d])
				rows->reach[d] = far;
		}
	rows->coord[grid->dimensions - 1] = -1;
}

/* Neighbours that a list must hold. */
static int most_neighbours(const struct tmap_pattern *pattern,
			   const struct tmap_neighborhood *order)
{
	int of_grid = pattern->grid ? pattern->grid->degree : 0,
	    of_order = order ? order->degree : 0;

	return of_grid > of_order ? of_grid : of_order;
}

/* What rows that are not handed out as they are stored need. */
static int rows_allocate(struct tmap_pattern_rows *rows, bool is_received, struct tmap_error *err)
{
	const struct tmap_pattern *pattern = rows->pattern;
	int most = longest_row(pattern);

	rows->list = tmap_alloc_raw((size_t)most_neighbours(pattern, rows->order),
				    sizeof *rows->list, err);
	rows->met = tmap_alloc_raw((size_t)most, sizeof *rows->met, err);
	if (!rows->list || !rows->met || row_init(&rows->own, most, err) < 0 ||
	    (pattern->grid && row_init(&rows->inner, most, err) < 0))
		return -1;
	for (int i = 0; i < most; i++)
		rows->met[i] = TMAP_NONE;
	if (!is_received || pattern->grid)
		return 0;
	rows->back = tmap_alloc_raw((size_t)pattern->size, sizeof *rows->back, err);
	if (!rows->back)
		return -1;
	memcpy(rows->back, pattern->start, (size_t)pattern->size * sizeof *rows->back);
	return 0;
}

int tmap_pattern_rows_init(struct tmap_pattern_rows *rows, const struct tmap_pattern *pattern,
			   const struct tmap_neighborhood *order, bool is_received,
			   struct tmap_error *err)
{
	struct tmap_pattern_rows made = {
		.pattern = pattern, .order = order, .rank = TMAP_NONE, .inner_count = TMAP_NONE
	};

	if ((pattern->grid || order || is_received) && rows_allocate(&made, is_received, err) < 0) {
		tmap_pattern_rows_fini(&made);
		return -1;
	}
	if (pattern->grid)
		rows_begin_grid(&made, pattern->grid);
	*rows = made;
	return 0;
}

/* The entry of a peer, or where it would be. */
static int row_find(const int *peer, int count, int wanted)
{
	int low = 0, high = count;

	while (low < high) {
		int middle = low + (high - low) / 2;

		if (peer[middle] < wanted)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* More bytes to a peer and from it; *count entries so far. */
static void row_add(struct tmap_pattern_row *row, int *count, int peer, double sent,
		    double received)
{
	int at = row_find(row->peer, *count, peer);

	if (at == *count || row->peer[at] != peer) {
		for (int i = *count; i > at; i--) {
			row->peer[i] = row->peer[i - 1];
			row->sent[i] = row->sent[i - 1];
			row->received[i] = row->received[i - 1];
		}
		row->peer[at] = peer;
		row->sent[at] = row->received[at] = 0;
		++*count;
	}
	row->sent[at] += sent;
	row->received[at] += received;
}

/* The neighbours of a rank, and those whose neighbour it is. */
static int row_compute(struct tmap_pattern_rows *rows, int rank)
{
	const struct tmap_pattern *pattern = rows->pattern;
	const struct tmap_neighborhood *grid = pattern->grid;
	int count = 0;

	for (int way = 0; way < 2; way++) {
		if (way == 0)
			tmap_neighborhood_list(grid, rank, rows->list);
		else
			tmap_neighborhood_sources(grid, rank, rows->list);
		for (int k = 0; k < grid->degree; k++) {
			double bytes = pattern->grid_bytes * (grid->weight ? grid->weight[k] : 1);

			if (rows->list[k] != TMAP_NONE && rows->list[k] != rank)
				row_add(&rows->own, &count, rows->list[k], way == 0 ? bytes : 0,
					way == 0 ? 0 : bytes);
		}
	}
	return count;
}

/* First the neighbours in the grid, each once, then the others. */
static void row_order(struct tmap_pattern_rows *rows, int *turn)
{
	int placed = 0;

	tmap_neighborhood_list(rows->order, rows->rank, rows->list);
	for (int k = 0; k < rows->order->degree; k++) {
		int peer = rows->list[k];
		int i = peer == TMAP_NONE ? rows->count : row_find(rows->peer, rows->count, peer);

		if (i == rows->count || rows->peer[i] != peer || rows->met[i] == rows->rank)
			continue;
		rows->met[i] = rows->rank;
		turn[placed++] = i;
	}
	for (int i = 0; i < rows->count; i++)
		if (rows->met[i] != rows->rank)
			turn[placed++] = i;
}

/* The coordinates of the next rank; is it far from every border? */
static bool coord_step(struct tmap_pattern_rows *rows, const struct tmap_neighborhood *grid)
{
	int d = grid->dimensions - 1;

	for (rows->coord[d]++; d > 0 && rows->coord[d] == grid->dim[d]; d--) {
		rows->coord[d] = 0;
		rows->coord[d - 1]++;
	}
	for (d = 0; d < grid->dimensions; d++)
		if (rows->coord[d] < rows->reach[d] ||
		    grid->dim[d] - rows->coord[d] <= rows->reach[d])
			return false;
	return true;
}

static void row_hand_out(struct tmap_pattern_rows *rows, const struct tmap_pattern_row *row,
			 int count)
{
	rows->count = count;
	rows->peer = rows->own.peer;
	rows->sent = row->sent;
	rows->received = row->received;
}

/* The row of the first rank that is far from every border serves all others. */
static void inner_keep(struct tmap_pattern_rows *rows)
{
	size_t count = (size_t)rows->count;

	rows->inner_count = rows->count;
	for (size_t i = 0; i < count; i++)
		rows->inner.peer[i] = rows->own.peer[i] - rows->rank;
	memcpy(rows->inner.sent, rows->own.sent, count * sizeof *rows->own.sent);
	memcpy(rows->inner.received, rows->own.received, count * sizeof *rows->own.received);
	if (rows->turn)
		memcpy(rows->inner.turn, rows->own.turn, count * sizeof *rows->own.turn);
}

static void rows_read_grid(struct tmap_pattern_rows *rows, const struct tmap_neighborhood *grid)
{
	bool is_inner = coord_step(rows, grid);

	if (is_inner && rows->inner_count != TMAP_NONE) {
		for (int i = 0; i < rows->inner_count; i++)
			rows->own.peer[i] = rows->rank + rows->inner.peer[i];
		row_hand_out(rows, &rows->inner, rows->inner_count);
		rows->turn = rows->order ? rows->inner.turn : NULL;
		return;
	}
	row_hand_out(rows, &rows->own, row_compute(rows, rows->rank));
	if (rows->order) {
		row_order(rows, rows->own.turn);
		rows->turn = rows->own.turn;
	}
	if (is_inner)
		inner_keep(rows);
}

static void rows_read_stored(struct tmap_pattern_rows *rows, const struct tmap_pattern *pattern)
{
	int64_t first = pattern->start[rows->rank];

	rows->count = (int)(pattern->start[rows->rank + 1] - first);
	rows->peer = pattern->peer + first;
	rows->sent = pattern->sent + first;
	if (rows->back) {
		/* the ranks rise, and so they do in each row */
		for (int i = 0; i < rows->count; i++)
			rows->own.received[i] = pattern->sent[rows->back[rows->peer[i]]++];
		rows->received = rows->own.received;
	}
	if (rows->order) {
		row_order(rows, rows->own.turn);
		rows->turn = rows->own.turn;
	}
}

bool tmap_pattern_rows_next(struct tmap_pattern_rows *rows)
{
	if (++rows->rank >= rows->pattern->size)
		return false;
	if (rows->pattern->grid)
		rows_read_grid(rows, rows->pattern->grid);
	else
		rows_read_stored(rows, rows->pattern);
	return true;
}
