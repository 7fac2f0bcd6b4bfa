/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/schedule/verify.h"

#include "core/base/mem.h"
#include "core/schedule/neighborhood.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* The contributions that a rank holds of one unit: those of low .. high, side by side in rank
 * order, or some set without order. Nothing: low = TMAP_NONE. */
struct holding {
	int low, high;
	bool ordered;
};

/* A table of holdings, rank x units + unit, and their sets, words x 64 bits each. */
struct table {
	struct holding *holding;
	uint64_t *set;
};

/* What messages of the running round bring. */
struct delivery {
	int from, to;
	bool combine;
	enum tmap_buffer on;
	int64_t unit;
	struct holding holding;
};

struct state {
	const struct tmap_call *call;
	int64_t units, round;
	bool *is_empty; /* [units]: those without bytes are not sent, but for a barrier's */
	size_t words;
	struct table held;              /* what ranks hold and send */
	struct table prefix;            /* scans: what they will answer */
	struct table copy, copy_prefix; /* scans: what is put aside, and its answer */
	size_t count, capacity, set_capacity;
	struct delivery *delivery;
	uint64_t *delivered;  /* the sets of the deliveries */
	char *from_neighbour; /* [ranks x units]: neighbors only: is it promised? */
	struct tmap_error *err;
};

static size_t at(const struct state *state, int rank, int64_t unit)
{
	return (size_t)rank * (size_t)state->units + (size_t)unit;
}

static bool is_scan(const struct state *state)
{
	enum tmap_collective collective = tmap_call_algorithm(state->call)->collective;

	return collective == TMAP_SCAN || collective == TMAP_EXSCAN;
}

static bool holds(const struct table *table, size_t i)
{
	return table->holding[i].low != TMAP_NONE;
}

/* What a message of this kind carries, and where it arrives. */
static struct table *source_of(struct state *state, enum tmap_buffer on)
{
	return on == TMAP_VECTOR  ? &state->held :
		on == TMAP_ANSWER ? &state->copy_prefix :
		on == TMAP_TOTAL  ? &state->prefix :
				    &state->copy;
}

static struct table *target_of(struct state *state, enum tmap_buffer on)
{
	return on == TMAP_TOTAL ? &state->copy : source_of(state, on);
}

/* Where what comes from below goes as well; NULL: nowhere. */
static struct table *answer_of(struct state *state, enum tmap_buffer on)
{
	if (!is_scan(state) || on == TMAP_COPY || on == TMAP_ANSWER || on == TMAP_TOTAL)
		return NULL;
	return on == TMAP_COPY_SCAN ? &state->copy_prefix : &state->prefix;
}

static void put_own(const struct state *state, struct table *table, int rank, int64_t unit)
{
	size_t i = at(state, rank, unit);

	assert(table->holding);
	table->holding[i] = (struct holding){ rank, rank, true };
	table->set[i * state->words + (size_t)rank / 64] = (uint64_t)1 << rank % 64;
}

/* Does a rank have data of its own for this unit when the collective begins? */
static bool contributes(const struct tmap_call *call, int rank, int64_t unit)
{
	if (tmap_call_algorithm(call)->gathers)
		return unit == rank;
	switch (tmap_call_algorithm(call)->collective) {
	case TMAP_ALLGATHER:
	case TMAP_GATHER:
	case TMAP_NEIGHBOR_ALLGATHER:
		return unit == rank;
	case TMAP_NEIGHBOR_ALLTOALL:
		assert(call->neighborhood);
		return unit / call->neighborhood->degree == rank;
	case TMAP_BCAST:
	case TMAP_SCATTER:
		return rank == call->root;
	case TMAP_ALLTOALL:
		return unit / call->size == rank;
	default:
		return true;
	}
}

static int init_table(const struct state *state, struct table *table)
{
	size_t cells = (size_t)state->call->size * (size_t)state->units;

	table->holding = tmap_alloc_raw(cells, sizeof *table->holding, state->err);
	table->set = tmap_alloc(cells * state->words, sizeof *table->set, state->err);
	if (!table->holding || !table->set)
		return -1;
	for (size_t i = 0; i < cells; i++)
		table->holding[i] = (struct holding){ TMAP_NONE, TMAP_NONE, true };
	return 0;
}

/* Every rank is promised what its neighbours have for it. */
static int init_neighbours(struct state *state)
{
	const struct tmap_neighborhood *neighborhood = state->call->neighborhood;
	bool alltoall = tmap_call_algorithm(state->call)->collective == TMAP_NEIGHBOR_ALLTOALL;
	int *list = tmap_alloc_raw((size_t)neighborhood->degree, sizeof *list, state->err);

	state->from_neighbour =
		tmap_alloc((size_t)state->call->size * (size_t)state->units, 1, state->err);
	for (int r = 0; list && state->from_neighbour && r < state->call->size; r++) {
		tmap_neighborhood_list(neighborhood, r, list);
		for (int k = 0; k < neighborhood->degree; k++) {
			int64_t unit = alltoall ? (int64_t)r * neighborhood->degree + k : r;

			if (list[k] != TMAP_NONE)
				state->from_neighbour[at(state, list[k], unit)] = 1;
		}
	}
	free(list);
	return list && state->from_neighbour ? 0 : -1;
}

static int init_empty(struct state *state)
{
	bool is_barrier = tmap_call_algorithm(state->call)->collective == TMAP_BARRIER;

	state->is_empty = tmap_alloc_raw((size_t)state->units, sizeof *state->is_empty, state->err);
	for (int64_t u = 0; u < state->units && state->is_empty; u++)
		state->is_empty[u] = !is_barrier && tmap_unit_bytes(state->call, u) == 0;
	return state->is_empty ? 0 : -1;
}

static int init_state(struct state *state)
{
	const struct tmap_call *call = state->call;

	state->units = tmap_unit_count(call);
	state->words = (size_t)call->size / 64 + 1;
	if (init_empty(state) < 0 || init_table(state, &state->held) < 0)
		return -1;
	if (is_scan(state) &&
	    (init_table(state, &state->prefix) < 0 || init_table(state, &state->copy) < 0 ||
	     init_table(state, &state->copy_prefix) < 0))
		return -1;
	if (call->neighborhood && init_neighbours(state) < 0)
		return -1;
	for (int r = 0; r < call->size; r++)
		for (int64_t u = 0; u < state->units; u++) {
			if (contributes(call, r, u))
				put_own(state, &state->held, r, u);
			if (is_scan(state))
				put_own(state, &state->copy, r, u);
			if (tmap_call_algorithm(call)->collective == TMAP_SCAN)
				put_own(state, &state->prefix, r, u);
		}
	return 0;
}

/* Combine one set of contributions into another; a barrier's may overlap. */
static int combine(const struct state *state, struct table *table, size_t i,
		   const struct delivery *delivery, const uint64_t *set)
{
	struct holding *mine = &table->holding[i];
	const struct holding *other = &delivery->holding;
	bool below = other->high + 1 == mine->low, above = mine->high + 1 == other->low;
	uint64_t *own = table->set + i * state->words;

	for (size_t w = 0; w < state->words; w++) {
		if (own[w] & set[w] && tmap_call_algorithm(state->call)->collective != TMAP_BARRIER)
			return tmap_fail(state->err, TMAP_INPUT,
					 "round %lld: rank %d reduces a contribution of rank %d to "
					 "unit %lld twice",
					 (long long)state->round, delivery->to, delivery->from,
					 (long long)delivery->unit);
		own[w] |= set[w];
	}
	if (mine->low == TMAP_NONE) {
		*mine = *other;
		return 0;
	}
	mine->ordered = mine->ordered && other->ordered && (below || above);
	mine->low = other->low < mine->low ? other->low : mine->low;
	mine->high = other->high > mine->high ? other->high : mine->high;
	return 0;
}

static int store(const struct state *state, struct table *table, size_t i,
		 const struct delivery *delivery, const uint64_t *set)
{
	const struct tmap_algorithm *algorithm = tmap_call_algorithm(state->call);

	if (holds(table, i) && !algorithm->repeats &&
	    !tmap_collective_rows[algorithm->collective].reduces)
		return tmap_fail(state->err, TMAP_INPUT,
				 "round %lld: rank %d gets unit %lld, which it has, from rank %d",
				 (long long)state->round, delivery->to, (long long)delivery->unit,
				 delivery->from);
	table->holding[i] = delivery->holding;
	memcpy(table->set + i * state->words, set, state->words * sizeof *set);
	return 0;
}

/* The round is over: what was sent arrives. */
static int deliver(struct state *state)
{
	for (size_t d = 0; d < state->count; d++) {
		const struct delivery *delivery = &state->delivery[d];
		const uint64_t *set = state->delivered + d * state->words;
		struct table *table = target_of(state, delivery->on);
		struct table *answer = answer_of(state, delivery->on);
		size_t i = at(state, delivery->to, delivery->unit);

		if (!delivery->combine) {
			if (store(state, table, i, delivery, set) < 0)
				return -1;
			continue;
		}
		if (combine(state, table, i, delivery, set) < 0)
			return -1;
		if (answer && delivery->from < delivery->to &&
		    combine(state, answer, i, delivery, set) < 0)
			return -1;
	}
	state->count = 0;
	return 0;
}

static int send_unit(struct state *state, const struct tmap_message *message, int64_t unit)
{
	const struct table *table = source_of(state, message->on);
	size_t i, d = state->count;

	if (unit < 0 || unit >= state->units)
		return tmap_fail(state->err, TMAP_INPUT,
				 "round %lld: unit %lld is not one of the %lld",
				 (long long)state->round, (long long)unit, (long long)state->units);
	if (state->is_empty[unit])
		return 0;
	i = at(state, message->from, unit);
	if (!holds(table, i))
		return tmap_fail(state->err, TMAP_INPUT,
				 "round %lld: rank %d sends unit %lld to rank %d, but has it not",
				 (long long)state->round, message->from, (long long)unit,
				 message->to);
	if (tmap_grow(&state->delivery, &state->capacity, d + 1, sizeof *state->delivery,
		      state->err) < 0 ||
	    tmap_grow(&state->delivered, &state->set_capacity, (d + 1) * state->words,
		      sizeof *state->delivered, state->err) < 0)
		return -1;
	state->delivery[d] = (struct delivery){ message->from, message->to, message->combine,
						message->on,   unit,        table->holding[i] };
	memcpy(state->delivered + d * state->words, table->set + i * state->words,
	       state->words * sizeof *state->delivered);
	state->count++;
	return 0;
}

static int take_message(void *context, const struct tmap_message *message, struct tmap_error *err)
{
	struct state *state = context;

	if (message->from == message->to)
		return tmap_fail(err, TMAP_INPUT, "rank %d sends to itself", message->from);
	if (message->round < state->round)
		return tmap_fail(err, TMAP_INPUT, "round %lld comes after round %lld",
				 (long long)message->round, (long long)state->round);
	if (message->round > state->round && deliver(state) < 0)
		return -1;
	state->round = message->round;
	for (int i = 0; i < message->run_count; i++)
		for (int64_t k = 0; k < message->run[i].count; k++)
			if (send_unit(state, message,
				      message->run[i].first + k * message->run[i].stride) < 0)
				return -1;
	return 0;
}

/* Whose contributions a rank must end with: those of the ranks first .. last, or none. */
static bool is_promised(const struct state *state, int rank, int64_t unit, int *first, int *last)
{
	const struct tmap_call *call = state->call;

	*first = 0;
	*last = call->size - 1;
	switch (tmap_call_algorithm(call)->collective) {
	case TMAP_GATHER:
	case TMAP_ALLGATHER:
		*first = *last = (int)unit;
		return rank == call->root ||
			tmap_call_algorithm(call)->collective == TMAP_ALLGATHER;
	case TMAP_BCAST:
	case TMAP_SCATTER:
		*first = *last = call->root;
		return unit == rank || tmap_call_algorithm(call)->collective == TMAP_BCAST;
	case TMAP_ALLTOALL:
		*first = *last = (int)(unit / call->size);
		return unit % call->size == rank;
	case TMAP_NEIGHBOR_ALLGATHER:
		*first = *last = (int)unit;
		return state->from_neighbour[at(state, rank, unit)];
	case TMAP_NEIGHBOR_ALLTOALL:
		*first = *last = (int)(unit / call->neighborhood->degree);
		return state->from_neighbour[at(state, rank, unit)];
	case TMAP_REDUCE:
		if (tmap_call_algorithm(call)->gathers)
			*first = *last = (int)unit;
		return rank == call->root;
	case TMAP_REDUCE_SCATTER:
	case TMAP_REDUCE_SCATTER_BLOCK:
		return unit == rank;
	case TMAP_SCAN:
		*last = rank;
		return true;
	case TMAP_EXSCAN:
		*last = rank - 1;
		return rank > 0;
	default:
		return true;
	}
}

static bool is_range(const struct state *state, const struct table *table, size_t i, int first,
		     int last)
{
	const uint64_t *set = table->set + i * state->words;

	for (int r = 0; r < state->call->size; r++)
		if ((set[r / 64] >> r % 64 & 1) != (r >= first && r <= last))
			return false;
	return true;
}

static int check_promise(const struct state *state)
{
	const struct table *table = is_scan(state) ? &state->prefix : &state->held;
	const struct tmap_call *call = state->call;
	int first, last;

	for (int r = 0; r < call->size; r++)
		for (int64_t u = 0; u < state->units; u++) {
			size_t i = at(state, r, u);

			if (!is_promised(state, r, u, &first, &last) || state->is_empty[u])
				continue;
			if (!is_range(state, table, i, first, last))
				return tmap_fail(state->err, TMAP_INPUT,
						 "rank %d ends without all of unit %lld", r,
						 (long long)u);
			if (tmap_call_algorithm(call)->in_order && !table->holding[i].ordered)
				return tmap_fail(state->err, TMAP_INPUT,
						 "rank %d reduces unit %lld out of order", r,
						 (long long)u);
		}
	return 0;
}

/* Scans: the answers of the copies go into those of the vectors. */
static int join_answers(struct state *state)
{
	for (int r = 0; r < state->call->size; r++)
		for (int64_t u = 0; u < state->units; u++) {
			size_t i = at(state, r, u);
			const struct delivery own = { .from = r,
						      .to = r,
						      .unit = u,
						      .holding = state->copy_prefix.holding[i] };

			if (holds(&state->copy_prefix, i) &&
			    combine(state, &state->prefix, i, &own,
				    state->copy_prefix.set + i * state->words) < 0)
				return -1;
		}
	return 0;
}

int tmap_verify(const struct tmap_call *call, struct tmap_error *err)
{
	struct state state = { .call = call, .err = err };
	struct tmap_visitor visitor = { .message = take_message, .context = &state };
	int status = init_state(&state);

	if (status == 0)
		status = tmap_schedule(call, &visitor, err);
	if (status == 0)
		status = deliver(&state);
	if (status == 0 && is_scan(&state))
		status = join_answers(&state);
	if (status == 0)
		status = check_promise(&state);
	free(state.is_empty);
	free(state.held.holding);
	free(state.held.set);
	free(state.prefix.holding);
	free(state.prefix.set);
	free(state.copy.holding);
	free(state.copy.set);
	free(state.copy_prefix.holding);
	free(state.copy_prefix.set);
	free(state.delivery);
	free(state.delivered);
	free(state.from_neighbour);
	return status;
}
