/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_run/executor/steps.h"

#include "core/base/mem.h"
#include "core/schedule/neighborhood.h"
#include "mpi_run/executor/cells.h"
#include "mpi_run/executor/scratch.h"

#include <stdlib.h>
#include <string.h>

static const size_t none = (size_t)-1;

struct wait {
	size_t step, on; /* step waits for on */
	bool is_begin;
};

/* Steps that read a cell, as lists. */
struct reader {
	size_t step, next;
};

/* A cell while the steps are made. */
struct progress {
	bool holds;
	size_t writer;       /* the last step that changed it */
	size_t reader;       /* those that have read it since */
	int64_t read_round;  /* the last round in which it was sent */
	int64_t local_round; /* the last one in which a local step changed it */
};

struct builder {
	const struct tmap_call *call;
	const struct tmap_layout *layout;
	int rank;
	struct tmap_steps made;
	struct tmap_collection messages;
	struct tmap_cells cells;
	struct progress *progress[TMAP_STORES];
	struct tmap_scratch_pool pool;
	struct tmap_pieces pieces;
	struct tmap_pieces own; /* of one cell at a time */
	size_t step_capacity, move_capacity;
	size_t wait_count, wait_capacity, reader_count, reader_capacity, marked_capacity;
	struct wait *wait;
	struct reader *reader;
	size_t *marked; /* [step]: the last one that was made to wait for it */
	size_t gate;    /* what has to be over before a later round sends: blank messages came */
	struct tmap_error *err;
};

/* ---- steps ---- */

static int step_add(struct builder *builder, enum tmap_step_kind kind, int peer, size_t *index)
{
	struct tmap_steps *made = &builder->made;

	if (tmap_grow(&made->step, &builder->step_capacity, made->step_count + 1,
		      sizeof *made->step, builder->err) < 0 ||
	    tmap_grow(&builder->marked, &builder->marked_capacity, made->step_count + 1,
		      sizeof *builder->marked, builder->err) < 0)
		return -1;
	builder->marked[made->step_count] = none;
	made->step[made->step_count] = (struct tmap_step){
		.kind = kind,
		.peer = peer,
		.first = kind == TMAP_STEP_LOCAL ? made->move_count : builder->pieces.count,
	};
	*index = made->step_count++;
	return 0;
}

static int wait_add(struct builder *builder, size_t step, size_t on, bool is_begin)
{
	if (tmap_grow(&builder->wait, &builder->wait_capacity, builder->wait_count + 1,
		      sizeof *builder->wait, builder->err) < 0)
		return -1;
	builder->wait[builder->wait_count++] = (struct wait){ step, on, is_begin };
	builder->made.step[step].waits++;
	return 0;
}

static int step_waits(struct builder *builder, size_t step, size_t on)
{
	if (on == none || builder->marked[on] == step)
		return 0;
	builder->marked[on] = step;
	return wait_add(builder, step, on, false);
}

static int move_add(struct builder *builder, struct tmap_transfer move)
{
	struct tmap_steps *made = &builder->made;

	if (tmap_grow(&made->move, &builder->move_capacity, made->move_count + 1,
		      sizeof *made->move, builder->err) < 0)
		return -1;
	made->move[made->move_count++] = move;
	return 0;
}

/* ---- what a step reads and changes ---- */

static int cell_read(struct builder *builder, struct progress *cell, size_t step, int64_t round)
{
	if (step_waits(builder, step, cell->writer) < 0 ||
	    tmap_grow(&builder->reader, &builder->reader_capacity, builder->reader_count + 1,
		      sizeof *builder->reader, builder->err) < 0)
		return -1;
	builder->reader[builder->reader_count] = (struct reader){ step, cell->reader };
	cell->reader = builder->reader_count++;
	cell->read_round = round;
	return 0;
}

static int cell_write(struct builder *builder, struct progress *cell, size_t step)
{
	if (step_waits(builder, step, cell->writer) < 0)
		return -1;
	for (size_t r = cell->reader; r != none; r = builder->reader[r].next)
		if (step_waits(builder, step, builder->reader[r].step) < 0)
			return -1;
	cell->writer = step;
	cell->reader = none;
	cell->holds = true;
	return 0;
}

/* For loops over the cells of a message: the one after those so far, none at the end. */
struct cursor {
	int run;
	int64_t unit; /* of the run */
};

static size_t cursor_next(const struct builder *builder, const struct tmap_message *message,
			  struct cursor *at)
{
	const struct tmap_cells *cells = &builder->cells;
	const struct tmap_run *run;
	size_t i;

	while (at->run < message->run_count && at->unit >= message->run[at->run].count) {
		at->run++;
		at->unit = 0;
	}
	if (at->run >= message->run_count)
		return none;
	run = &message->run[at->run];
	i = tmap_cells_find(cells, run->first + at->unit * run->stride);
	at->unit += cells->begin[i + 1] - cells->begin[i];
	return i;
}

/* ---- messages ---- */

/* A message whose bytes mean nothing, or one of a barrier: only that it comes does. */
static bool is_blank(const struct builder *builder, const struct tmap_message *message)
{
	return message->is_word || !message->run_count ||
		tmap_call_algorithm(builder->call)->collective == TMAP_BARRIER;
}

static int gate_close(struct builder *builder, size_t step)
{
	size_t both;

	if (builder->gate != none) {
		if (step_add(builder, TMAP_STEP_LOCAL, TMAP_NONE, &both) < 0 ||
		    step_waits(builder, both, builder->gate) < 0 ||
		    step_waits(builder, both, step) < 0)
			return -1;
		step = both;
	}
	builder->gate = step;
	return 0;
}

static int blank_add(struct builder *builder, const struct tmap_message *message)
{
	bool is_sent = message->from == builder->rank;
	size_t step;

	if (step_add(builder, is_sent ? TMAP_STEP_SEND : TMAP_STEP_RECV,
		     is_sent ? message->to : message->from, &step) < 0)
		return -1;
	builder->made.step[step].blank_bytes = message->bytes;
	if (message->bytes > builder->made.blank_bytes)
		builder->made.blank_bytes = message->bytes;
	return is_sent ? step_waits(builder, step, builder->gate) : gate_close(builder, step);
}

static int send_add(struct builder *builder, const struct tmap_message *message)
{
	enum tmap_store store = tmap_store_of_source(message);
	struct cursor at = { 0 };
	size_t step, first = builder->pieces.count;

	if (step_add(builder, TMAP_STEP_SEND, message->to, &step) < 0 ||
	    step_waits(builder, step, builder->gate) < 0)
		return -1;
	for (size_t i; (i = cursor_next(builder, message, &at)) != none;)
		if (tmap_cells_pieces(&builder->cells, store, i, &builder->pieces, first,
				      builder->err) < 0 ||
		    cell_read(builder, &builder->progress[store][i], step, message->round) < 0)
			return -1;
	builder->made.step[step].count = builder->pieces.count - first;
	return 0;
}

/* May it go where it is to be, at once? Not while that is sent in the same round, nor after a
 * reduction of this round, which waits for such sends. */
static bool goes_in_place(const struct builder *builder, const struct tmap_message *message)
{
	const struct progress *progress = builder->progress[tmap_store_of_target(message)];
	struct cursor at = { 0 };

	if (message->combine)
		return false;
	for (size_t i; (i = cursor_next(builder, message, &at)) != none;)
		if (progress[i].read_round == message->round ||
		    progress[i].local_round == message->round)
			return false;
	return true;
}

static int recv_in_place(struct builder *builder, const struct tmap_message *message)
{
	enum tmap_store store = tmap_store_of_target(message);
	struct cursor at = { 0 };
	size_t step, first = builder->pieces.count;

	if (step_add(builder, TMAP_STEP_RECV, message->from, &step) < 0)
		return -1;
	for (size_t i; (i = cursor_next(builder, message, &at)) != none;)
		if (tmap_cells_pieces(&builder->cells, store, i, &builder->pieces, first,
				      builder->err) < 0 ||
		    cell_write(builder, &builder->progress[store][i], step) < 0)
			return -1;
	builder->made.step[step].count = builder->pieces.count - first;
	return 0;
}

/* The cells of one store: what has come to scratch goes into them, from piece @p first on, which
 * lie there in the order of the message. */
static int moves_add(struct builder *builder, const struct tmap_message *message,
		     enum tmap_store store, size_t first, size_t step, bool *waits_for_sends)
{
	struct tmap_data_piece source = builder->pieces.piece[first];
	struct cursor at = { 0 };
	size_t piece = first;

	for (size_t i; (i = cursor_next(builder, message, &at)) != none;) {
		struct progress *cell = &builder->progress[store][i];
		bool reduces = message->combine && cell->holds;

		builder->own.count = 0;
		if (tmap_cells_pieces(&builder->cells, store, i, &builder->own, 0, builder->err) <
		    0)
			return -1;
		*waits_for_sends = *waits_for_sends || cell->read_round == message->round;
		for (size_t k = 0; k < builder->own.count; k++) {
			struct tmap_data_piece target = builder->own.piece[k];

			if (!source.count)
				source = builder->pieces.piece[++piece];
			if (move_add(builder,
				     (struct tmap_transfer){
					     .source = { source.area, source.type, source.offset,
							 target.count },
					     .target = target,
					     .is_reduction = reduces,
					     .is_lower = message->from < message->to }) < 0)
				return -1;
			source.count -= target.count;
			source.offset += target.count * builder->layout->type[source.type].extent;
		}
		if (cell_write(builder, cell, step) < 0)
			return -1;
		cell->local_round = message->round;
	}
	return 0;
}

/* Pieces in scratch for what a message brings, one behind another where they are of one type. */
static int scratch_pieces(struct builder *builder, const struct tmap_message *message,
			  struct tmap_scratch *scratch, size_t step)
{
	enum tmap_store store = tmap_store_of_target(message);
	const struct tmap_data_element *types = builder->layout->type;
	size_t first = builder->pieces.count;
	struct cursor at = { 0 };
	int64_t bytes = 0;

	builder->own.count = 0;
	for (size_t i; (i = cursor_next(builder, message, &at)) != none;)
		if (tmap_cells_pieces(&builder->cells, store, i, &builder->own, builder->own.count,
				      builder->err) < 0)
			return -1;
	for (size_t i = 0; i < builder->own.count; i++) {
		struct tmap_data_piece piece = builder->own.piece[i];

		piece.area = TMAP_SCRATCH_AREA;
		piece.offset = 0;
		if (builder->pieces.count > first &&
		    builder->pieces.piece[builder->pieces.count - 1].type == piece.type) {
			builder->pieces.piece[builder->pieces.count - 1].count += piece.count;
			continue;
		}
		if (tmap_pieces_add(&builder->pieces, builder->layout, builder->pieces.count, piece,
				    builder->err) < 0)
			return -1;
	}
	for (size_t i = first; i < builder->pieces.count; i++) {
		struct tmap_data_piece *piece = &builder->pieces.piece[i];

		if (tmap_scratch_take(&bytes, &types[piece->type], piece->count, &piece->offset,
				      builder->err) < 0)
			return -1;
	}
	if (tmap_scratch_pool_take(&builder->pool, bytes, message->round,
				   &builder->made.scratch_bytes, scratch, builder->err) < 0)
		return -1;
	for (size_t i = first; i < builder->pieces.count; i++)
		builder->pieces.piece[i].offset += scratch->offset;
	builder->made.step[step].count = builder->pieces.count - first;
	return scratch->last_step == TMAP_SCRATCH_NEW ?
		0 :
		step_waits(builder, step, scratch->last_step);
}

/* Into scratch, and from there to where it belongs: reduced, where that holds something. */
static int recv_aside(struct builder *builder, const struct tmap_message *message)
{
	enum tmap_store answer = message->combine ? tmap_store_of_answer(builder->call, message) :
						    TMAP_STORE_NONE;
	struct tmap_scratch scratch;
	bool waits_for_sends = false;
	size_t recv, local, first = builder->pieces.count;

	if (step_add(builder, TMAP_STEP_RECV, message->from, &recv) < 0 ||
	    scratch_pieces(builder, message, &scratch, recv) < 0 ||
	    step_add(builder, TMAP_STEP_LOCAL, TMAP_NONE, &local) < 0 ||
	    step_waits(builder, local, recv) < 0)
		return -1;
	if (builder->pieces.count > first) {
		/* the answer first: the other may spoil what has come */
		if (answer != TMAP_STORE_NONE &&
		    moves_add(builder, message, answer, first, local, &waits_for_sends) < 0)
			return -1;
		if (moves_add(builder, message, tmap_store_of_target(message), first, local,
			      &waits_for_sends) < 0)
			return -1;
	}
	builder->made.step[local].count =
		builder->made.move_count - builder->made.step[local].first;
	return tmap_scratch_pool_give(&builder->pool, &scratch, local, waits_for_sends,
				      builder->err);
}

static int message_add(struct builder *builder, const struct tmap_message *message)
{
	if (is_blank(builder, message))
		return blank_add(builder, message);
	if (message->from == builder->rank)
		return send_add(builder, message);
	return goes_in_place(builder, message) ? recv_in_place(builder, message) :
						 recv_aside(builder, message);
}

/* ---- before the first step, and after the last ---- */

static int copy_add(struct builder *builder, struct tmap_data_piece source,
		    struct tmap_data_piece target)
{
	return source.count ?
		move_add(builder, (struct tmap_transfer){ .source = source, .target = target }) :
		0;
}

/* The blocks, or the vector, that a rank has for itself. */
static int copy_own(struct builder *builder)
{
	const struct tmap_layout *layout = builder->layout;
	const struct tmap_call *call = builder->call;
	int64_t source = 0, target = 0;
	bool is_root = builder->rank == call->root;

	if (layout->in_place || tmap_call_algorithm(call)->gathers)
		return 0;
	switch (tmap_call_algorithm(call)->collective) {
	case TMAP_ALLGATHER:
		target = builder->rank;
		break;
	case TMAP_GATHER:
		if (!is_root)
			return 0;
		target = builder->rank;
		break;
	case TMAP_SCATTER:
		if (!is_root)
			return 0;
		source = builder->rank;
		break;
	case TMAP_ALLTOALL:
		source = target = builder->rank;
		break;
	case TMAP_REDUCE:
		if (!is_root)
			return 0;
		break;
	case TMAP_REDUCE_SCATTER:
	case TMAP_REDUCE_SCATTER_BLOCK:
		source = builder->rank;
		break;
	case TMAP_ALLREDUCE:
	case TMAP_SCAN:
		break;
	default:
		return 0;
	}
	return copy_add(builder, tmap_blocks_piece(layout, TMAP_SEND_AREA, source),
			tmap_blocks_piece(layout, TMAP_RECV_AREA, target));
}

/* Of a cell in scratch, what the rank has of it at first. */
static int copy_to_scratch(struct builder *builder, enum tmap_store store, size_t i)
{
	struct tmap_pieces into = { 0 };
	int status;

	builder->own.count = 0;
	status = tmap_cells_own_pieces(&builder->cells, i, &builder->own, 0, builder->err);
	if (status == 0)
		status = tmap_cells_pieces(&builder->cells, store, i, &into, 0, builder->err);
	for (size_t k = 0; k < builder->own.count && status == 0; k++) {
		struct tmap_data_piece target = into.piece[0];

		target.count = builder->own.piece[k].count;
		status = copy_add(builder, builder->own.piece[k], target);
		into.piece[0].offset += target.count * builder->layout->type[target.type].extent;
	}
	free(into.piece);
	return status;
}

static int moves_before(struct builder *builder)
{
	if (copy_own(builder) < 0)
		return -1;
	for (enum tmap_store store = 0; store < TMAP_STORES; store++)
		for (size_t i = 0; builder->cells.cell[store] && i < builder->cells.count; i++) {
			const struct tmap_unit_cell *cell = &builder->cells.cell[store][i];

			if (cell->is_needed && cell->area == TMAP_SCRATCH_AREA &&
			    tmap_cells_holds(&builder->cells, store, i) &&
			    copy_to_scratch(builder, store, i) < 0)
				return -1;
		}
	builder->made.before = builder->made.move_count;
	return 0;
}

/* Where the vector of a rank has come to the root of a reduce that gathers them. */
static struct tmap_data_piece gathered_vector(const struct builder *builder, int rank)
{
	struct tmap_data_piece piece;
	size_t i = tmap_cells_find(&builder->cells, rank);

	if (rank == builder->rank)
		return tmap_blocks_piece(
			builder->layout,
			builder->layout->in_place ? TMAP_RECV_AREA : TMAP_SEND_AREA, 0);
	piece = tmap_blocks_piece(builder->layout, TMAP_RECV_AREA, 0);
	piece.area = TMAP_SCRATCH_AREA;
	piece.offset = builder->cells.cell[TMAP_STORE_VECTOR][i].scratch +
		(rank - builder->cells.begin[i]) * piece.count *
			builder->layout->type[piece.type].extent;
	return piece;
}

/* The last rank's vector takes all others in, from the last but one to the first. */
static int reduce_gathered(struct builder *builder)
{
	const struct tmap_data_piece answer = tmap_blocks_piece(builder->layout, TMAP_RECV_AREA, 0);
	int last = builder->call->size - 1;
	struct tmap_data_piece sum = answer;

	if (!answer.count) /* nothing has come */
		return 0;
	if (last == builder->rank) {
		if (!builder->layout->in_place &&
		    copy_add(builder, gathered_vector(builder, last), answer) < 0)
			return -1;
	} else {
		sum = gathered_vector(builder, last);
	}
	for (int r = last - 1; r >= 0; r--)
		if (move_add(builder,
			     (struct tmap_transfer){ gathered_vector(builder, r), sum, true,
						     true }) < 0)
			return -1;
	return sum.area == TMAP_RECV_AREA ? 0 : copy_add(builder, sum, answer);
}

/* What came to the copy's answer is of lower ranks than what is in the vector's. */
static int join_answers(struct builder *builder)
{
	for (size_t i = 0; builder->cells.cell[TMAP_STORE_COPY_ANSWER] && i < builder->cells.count;
	     i++) {
		const struct progress *answer = builder->progress[TMAP_STORE_ANSWER];
		struct tmap_data_piece source, target;

		if (!builder->progress[TMAP_STORE_COPY_ANSWER][i].holds)
			continue;
		builder->own.count = 0;
		if (tmap_cells_pieces(&builder->cells, TMAP_STORE_COPY_ANSWER, i, &builder->own, 0,
				      builder->err) < 0)
			return -1;
		source = target = builder->own.piece[0];
		target = tmap_cells_vector(&builder->cells, TMAP_RECV_AREA, i);
		if (move_add(builder,
			     (struct tmap_transfer){ source, target,
						     answer ?
							     answer[i].holds :
							     tmap_cells_holds(&builder->cells,
									      TMAP_STORE_ANSWER, i),
						     true }) < 0)
			return -1;
	}
	return 0;
}

static int moves_after(struct builder *builder)
{
	const struct tmap_algorithm *algorithm = tmap_call_algorithm(builder->call);
	bool is_root = builder->rank == builder->call->root;
	size_t own;

	builder->made.after = builder->made.move_count;
	switch (algorithm->collective) {
	case TMAP_REDUCE:
		return algorithm->gathers && is_root ? reduce_gathered(builder) : 0;
	case TMAP_SCAN:
	case TMAP_EXSCAN:
		return join_answers(builder);
	case TMAP_REDUCE_SCATTER:
	case TMAP_REDUCE_SCATTER_BLOCK:
		if (!builder->layout->in_place)
			return 0;
		own = tmap_cells_find(&builder->cells, builder->rank);
		builder->own.count = 0;
		if (builder->cells.cell[TMAP_STORE_VECTOR] &&
		    builder->cells.cell[TMAP_STORE_VECTOR][own].is_used &&
		    tmap_cells_pieces(&builder->cells, TMAP_STORE_VECTOR, own, &builder->own, 0,
				      builder->err) < 0)
			return -1;
		return builder->own.count ?
			copy_add(builder, builder->own.piece[0],
				 tmap_blocks_piece(builder->layout, TMAP_RECV_AREA, 0)) :
			0;
	default:
		return 0;
	}
}

/* ---- neighborhoods: all messages go from the user's blocks to the user's blocks ---- */

/* Blocks that this rank receives, by who sends them. */
struct arrival {
	int source, block;
	int taken; /* of the first one of a source: how many of its messages have been seen */
	int order;
};

static int arrival_compare(const void *a, const void *b)
{
	const struct arrival *x = a, *y = b;

	return x->source != y->source ? (x->source < y->source ? -1 : 1) :
					(x->order > y->order) - (x->order < y->order);
}

/* On a grid, what goes down comes from above; else the first of two messages is for the first of
 * two blocks. */
static struct arrival *arrivals_new(struct builder *builder)
{
	const struct tmap_neighborhood *neighborhood = builder->call->neighborhood;
	int degree = neighborhood->degree;
	struct arrival *made = tmap_alloc((size_t)degree, sizeof *made, builder->err);

	for (int k = 0; made && k < degree; k++) {
		int block = neighborhood->stencil == TMAP_STENCIL_CART ? k ^ 1 : k;

		made[k] = (struct arrival){ builder->layout->sources[block], block, 0, k };
	}
	if (made && degree)
		qsort(made, (size_t)degree, sizeof *made, arrival_compare);
	return made;
}

/* The block that the next message of a source is for. */
static int arrival_block(struct arrival *arrivals, int degree, int source)
{
	int low = 0, high = degree;

	while (low < high) {
		int middle = low + (high - low) / 2;

		if (arrivals[middle].source < source)
			low = middle + 1;
		else
			high = middle;
	}
	return arrivals[low + arrivals[low].taken++].block;
}

static int neighbor_message(struct builder *builder, bool is_sent, int peer, int64_t block)
{
	size_t step, first = builder->pieces.count;
	struct tmap_data_piece piece = tmap_blocks_piece(
		builder->layout, is_sent ? TMAP_SEND_AREA : TMAP_RECV_AREA, block);

	if (step_add(builder, is_sent ? TMAP_STEP_SEND : TMAP_STEP_RECV, peer, &step) < 0 ||
	    tmap_pieces_add(&builder->pieces, builder->layout, first, piece, builder->err) < 0)
		return -1;
	builder->made.step[step].count = builder->pieces.count - first;
	return 0;
}

/* Who is its own neighbour sends itself no message. */
static int copy_to_itself(struct builder *builder, struct arrival *arrivals, bool is_alltoall)
{
	int degree = builder->call->neighborhood->degree, status = 0;
	int *list = tmap_alloc_raw((size_t)degree, sizeof *list, builder->err);

	if (!list)
		return -1;
	tmap_neighborhood_list(builder->call->neighborhood, builder->rank, list);
	for (int k = 0; k < degree && status == 0; k++)
		if (list[k] == builder->rank)
			status = copy_add(
				builder,
				tmap_blocks_piece(builder->layout, TMAP_SEND_AREA,
						  is_alltoall ? k : 0),
				tmap_blocks_piece(builder->layout, TMAP_RECV_AREA,
						  arrival_block(arrivals, degree, builder->rank)));
	free(list);
	builder->made.before = builder->made.move_count;
	return status;
}

static int neighbors_build(struct builder *builder)
{
	int degree = builder->call->neighborhood->degree;
	bool is_alltoall = tmap_call_algorithm(builder->call)->collective == TMAP_NEIGHBOR_ALLTOALL;
	struct arrival *arrivals = arrivals_new(builder);
	int status = arrivals ? copy_to_itself(builder, arrivals, is_alltoall) : -1;

	for (size_t m = 0; m < builder->messages.count && status == 0; m++) {
		const struct tmap_message *it = &builder->messages.message[m];

		if (it->from == builder->rank)
			status = neighbor_message(builder, true, it->to,
						  is_alltoall ? it->run[0].first % degree : 0);
		else
			status = neighbor_message(builder, false, it->from,
						  arrival_block(arrivals, degree, it->from));
	}
	builder->made.after = builder->made.move_count;
	free(arrivals);
	return status;
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

static int progress_init(struct builder *builder)
{
	for (enum tmap_store store = 0; store < TMAP_STORES; store++) {
		struct progress *made;

		if (!builder->cells.cell[store])
			continue;
		made = builder->progress[store] =
			tmap_alloc_raw(builder->cells.count, sizeof *made, builder->err);
		if (!made)
			return -1;
		for (size_t i = 0; i < builder->cells.count; i++)
			made[i] = (struct progress){ .holds = tmap_cells_holds(&builder->cells,
									       store, i),
						     .writer = none,
						     .reader = none,
						     .read_round = -1,
						     .local_round = -1 };
	}
	return 0;
}

static int units_build(struct builder *builder)
{
	if (tmap_cells_init(&builder->cells, builder->call, builder->layout, builder->rank,
			    &builder->messages, builder->err) < 0)
		return -1;
	builder->made.scratch_bytes = builder->cells.scratch_bytes;
	if (progress_init(builder) < 0 || moves_before(builder) < 0)
		return -1;
	for (size_t m = 0; m < builder->messages.count; m++)
		if (message_add(builder, &builder->messages.message[m]) < 0)
			return -1;
	return moves_after(builder);
}

/* Sends, or receives, of one peer begin one after another. */
struct of_peer {
	int peer;
	bool is_sent;
	size_t step;
};

static int of_peer_compare(const void *a, const void *b)
{
	const struct of_peer *x = a, *y = b;

	if (x->peer != y->peer)
		return x->peer < y->peer ? -1 : 1;
	if (x->is_sent != y->is_sent)
		return x->is_sent ? 1 : -1;
	return (x->step > y->step) - (x->step < y->step);
}

static int peers_in_order(struct builder *builder)
{
	size_t count = 0;
	int status = 0;
	struct of_peer *list = tmap_alloc_raw(builder->made.step_count, sizeof *list, builder->err);

	if (!list)
		return -1;
	for (size_t i = 0; i < builder->made.step_count; i++)
		if (builder->made.step[i].kind != TMAP_STEP_LOCAL)
			list[count++] =
				(struct of_peer){ builder->made.step[i].peer,
						  builder->made.step[i].kind == TMAP_STEP_SEND, i };
	if (count)
		qsort(list, count, sizeof *list, of_peer_compare);
	for (size_t i = 1; i < count && status == 0; i++)
		if (list[i].peer == list[i - 1].peer && list[i].is_sent == list[i - 1].is_sent)
			status = wait_add(builder, list[i].step, list[i - 1].step, true);
	free(list);
	return status;
}

/* The edges of each step, side by side. */
static int edges_build(struct builder *builder)
{
	struct tmap_steps *made = &builder->made;
	size_t at = 0;

	made->edge = tmap_alloc_raw(builder->wait_count, sizeof *made->edge, builder->err);
	if (!made->edge)
		return -1;
	made->edge_count = builder->wait_count;
	for (size_t i = 0; i < builder->wait_count; i++)
		made->step[builder->wait[i].on].next_count++;
	for (size_t i = 0; i < made->step_count; i++) {
		made->step[i].next = at;
		at += made->step[i].next_count;
		made->step[i].next_count = 0;
	}
	for (size_t i = 0; i < builder->wait_count; i++) {
		struct tmap_step *on = &made->step[builder->wait[i].on];

		made->edge[on->next + on->next_count++] =
			(struct tmap_edge){ builder->wait[i].step, builder->wait[i].is_begin };
	}
	return 0;
}

int tmap_steps_init(struct tmap_steps *steps, const struct tmap_call *call, int rank,
		    const struct tmap_layout *layout, struct tmap_error *err)
{
	struct builder builder = {
		.call = call, .layout = layout, .rank = rank, .gate = none, .err = err
	};
	int status = tmap_collection_record_rank(&builder.messages, call, rank, err);

	if (status == 0)
		status = sends_first(&builder.messages, rank, err);
	if (status == 0)
		status = tmap_collective_rows[tmap_call_algorithm(call)->collective].has_neighbors ?
			neighbors_build(&builder) :
			units_build(&builder);
	if (status == 0)
		status = peers_in_order(&builder);
	if (status == 0)
		status = edges_build(&builder);
	builder.made.piece = builder.pieces.piece;
	builder.made.piece_count = builder.pieces.count;
	if (status == 0)
		*steps = builder.made;
	else
		tmap_steps_fini(&builder.made);
	for (enum tmap_store store = 0; store < TMAP_STORES; store++)
		free(builder.progress[store]);
	tmap_cells_fini(&builder.cells);
	tmap_collection_fini(&builder.messages);
	free(builder.pool.free);
	free(builder.own.piece);
	free(builder.wait);
	free(builder.reader);
	free(builder.marked);
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
