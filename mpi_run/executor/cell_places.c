/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_run/executor/cell_places.h"

#include "core/base/mem.h"

static enum tmap_collective collective_of(const struct tmap_call *call)
{
	return tmap_call_algorithm(call)->collective;
}

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

/* Are the blocks of a cell in the scratch as large as the first? Those of an alltoall that differ are cells of
 * their own (cells.c). */
static bool blocks_are_alike(const struct tmap_cells *cells)
{
	enum tmap_collective collective = collective_of(cells->call);

	return collective == TMAP_ALLTOALL || collective == TMAP_GATHER ||
		collective == TMAP_SCATTER;
}

/* All that is in one cell of the scratch is of one type. */
static struct tmap_data_piece scratch_piece(const struct tmap_cells *cells, enum tmap_store store,
					    size_t i)
{
	int64_t first = cells->begin[i], end = cells->begin[i + 1], count = 0;
	struct tmap_data_piece piece;

	if (!cells->are_blocks) {
		piece = tmap_cells_vector(cells, TMAP_RECV_AREA, i);
		count = piece.count;
	} else {
		piece = block_piece(cells, TMAP_SCRATCH_AREA, first);
		count = piece.count;
		if (blocks_are_alike(cells))
			count *= end - first;
		else
			for (int64_t u = first + 1; u < end; u++) {
				piece = block_piece(cells, TMAP_SCRATCH_AREA, u);
				count += piece.count;
			}
	}
	return (struct tmap_data_piece){ TMAP_SCRATCH_AREA, piece.type,
					 cells->cell[store][i].scratch, count };
}

int tmap_cells_place(struct tmap_cells *cells, struct tmap_error *err)
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
