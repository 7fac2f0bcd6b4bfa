/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/schedule/emit.h"

#include "core/base/mem.h"

#include <stdlib.h>

/* Messages without bytes are not sent, but for a barrier's. */
static bool is_empty(const struct tmap_emit *emit, int64_t bytes)
{
	return bytes == 0 && tmap_call_algorithm(emit->call)->collective != TMAP_BARRIER;
}

static int shifted(const struct tmap_emit *emit, int rank)
{
	return rank < emit->call->size - emit->shift ? rank + emit->shift :
						       rank - (emit->call->size - emit->shift);
}

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* Which round the generator's is for the visitor, now that something is emitted in it and the next
 * ones, span of them: rounds in which all messages are empty are none. Who makes the part of a rank
 * alone does not see the others' messages; such algorithms have no empty rounds. */
static int64_t round_emitted(struct tmap_emit *emit, int64_t round, int64_t span)
{
	if (emit->is_part && tmap_call_algorithm(emit->call)->by_rank)
		return round;
	if (round > emit->filled_end) {
		emit->empty += round - emit->filled_end;
		emit->filled_end = round;
	}
	if (round + span > emit->filled_end)
		emit->filled_end = round + span;
	return round - emit->empty;
}

void tmap_emit_fill(struct tmap_emit *emit, int64_t round, int64_t rounds)
{
	if (rounds)
		round_emitted(emit, round, rounds);
}

int tmap_emit_flush(struct tmap_emit *emit)
{
	struct tmap_emit_buffer *buffer = emit->buffer;
	struct tmap_messages batch;

	if (!buffer || !buffer->count)
		return 0;
	batch = (struct tmap_messages){ buffer->info, buffer->count, buffer->from, buffer->to,
					buffer->bytes };
	buffer->count = 0;
	return emit->visitor->batch(emit->visitor->context, &batch, emit->err);
}

/* The messages in the buffer have their info in common. */
static int buffer_add(struct tmap_emit *emit, const struct tmap_round_info *info, int from, int to,
		      int64_t bytes)
{
	struct tmap_emit_buffer *buffer = emit->buffer;
	bool same = info->round == buffer->info.round && info->span == buffer->info.span &&
		info->times == buffer->info.times && info->combine == buffer->info.combine &&
		info->single == buffer->info.single;

	if ((!same || buffer->count == TMAP_EMIT_ROOM) && tmap_emit_flush(emit) < 0)
		return -1;
	if (!same)
		buffer->info = *info;
	buffer->from[buffer->count] = from;
	buffer->to[buffer->count] = to;
	buffer->bytes[buffer->count++] = bytes;
	return 0;
}

int tmap_emit_rank(const struct tmap_emit *emit)
{
	return emit->is_part ? (int)tmap_mod((int64_t)emit->rank - emit->shift, emit->call->size) :
			       TMAP_NONE;
}

bool tmap_emit_is_foreign(const struct tmap_emit *emit, int from, int to)
{
	return emit->is_part && from != emit->rank && to != emit->rank;
}

int tmap_emit_next(const struct tmap_emit *emit, int r, int64_t partner)
{
	int own = tmap_emit_rank(emit), other = (int)partner;

	if (own == TMAP_NONE)
		return r + 1;
	if (own > r && (own < other || other <= r))
		return own;
	return other > r ? other : emit->call->size;
}

/* O(units). */
static bool rule_makes_empty(const struct tmap_emit *emit)
{
	int64_t (*begin)(const struct tmap_call *, int64_t) =
		tmap_call_algorithm(emit->call)->begin;
	int64_t at = begin(emit->call, 0), next;

	for (int64_t unit = 1; unit <= emit->units; unit++, at = next)
		if ((next = begin(emit->call, unit)) == at)
			return true;
	return false;
}

/* How units are cut is asked for once: it divides. */
static void find_unit_sizes(struct tmap_emit *emit)
{
	if (emit->units)
		return;
	emit->units = tmap_unit_count(emit->call);
	emit->by_rule = tmap_call_cuts_by_rule(emit->call);
	if (emit->by_rule) {
		emit->has_empty = !emit->visitor->folded && rule_makes_empty(emit);
		return;
	}
	emit->small = tmap_unit_bytes(emit->call, emit->units - 1);
	emit->has_empty = emit->small == 0;
	if (tmap_unit_bytes(emit->call, 0) > emit->small)
		emit->larger = tmap_run_bytes(emit->call, &(struct tmap_run){ 0, emit->units, 1 }) -
			emit->units * emit->small;
}

/* Of the units first, first + stride, ... (count of them), those that are below a limit. */
static int64_t below(int64_t first, int64_t stride, int64_t count, int64_t limit)
{
	int64_t within = limit <= first ? 0 :
		stride == 1             ? limit - first :
					  (limit - first + stride - 1) / stride;

	return within < count ? within : count;
}

static int64_t run_bytes(const struct tmap_emit *emit, const struct tmap_run *run)
{
	if (emit->by_rule)
		return tmap_run_bytes(emit->call, run);
	return run->count * emit->small + below(run->first, run->stride, run->count, emit->larger);
}

int64_t tmap_emit_filled_units(struct tmap_emit *emit)
{
	int64_t low = 0, high;

	find_unit_sizes(emit);
	if (!emit->by_rule)
		return emit->small > 0 ? emit->units : emit->larger;
	for (high = emit->units; low < high;) {
		int64_t middle = low + (high - low) / 2;

		if (tmap_call_algorithm(emit->call)->begin(emit->call, middle) < emit->call->bytes)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Where the first units of a run that are not empty end and begin, from its unit number i on. */
static struct tmap_run run_next_filled(const struct tmap_emit *emit, const struct tmap_run *run,
				       int64_t i)
{
	int64_t end;

#define IS_EMPTY(i) (run_bytes(emit, &(struct tmap_run){ run->first + (i)*run->stride, 1, 1 }) == 0)
	while (i < run->count && IS_EMPTY(i))
		i++;
	for (end = i; end < run->count && !IS_EMPTY(end);)
		end++;
#undef IS_EMPTY
	return (struct tmap_run){ i, end - i, 1 };
}

/* The runs of a message that are not empty: few, whatever the units. */
struct filled_runs {
	size_t count, capacity;
	struct tmap_run *run;
};

static int filled_add(struct filled_runs *filled, int64_t first, int64_t count, int64_t stride,
		      struct tmap_error *err)
{
	if (tmap_grow(&filled->run, &filled->capacity, filled->count + 1, sizeof *filled->run,
		      err) < 0)
		return -1;
	filled->run[filled->count++] = (struct tmap_run){ first, count, stride };
	return 0;
}

/* Only where a rule cuts, empty units lie between others. */
static int filled_add_run(struct filled_runs *filled, const struct tmap_emit *emit,
			  const struct tmap_run *run)
{
	struct tmap_run part = { 0, 0, 1 };

	if (!emit->by_rule) {
		part.count = below(run->first, run->stride, run->count, emit->larger);
		return part.count ?
			filled_add(filled, run->first, part.count, run->stride, emit->err) :
			0;
	}
	while (part = run_next_filled(emit, run, part.first + part.count), part.count)
		if (filled_add(filled, run->first + part.first * run->stride, part.count,
			       run->stride, emit->err) < 0)
			return -1;
	return 0;
}

/* The message without its empty units. */
static int emit_filled(struct tmap_emit *emit, const struct tmap_message *message)
{
	struct tmap_message out = *message;
	struct filled_runs filled = { 0 };
	int status = 0;

	for (int i = 0; i < message->run_count && status == 0; i++)
		status = filled_add_run(&filled, emit, &message->run[i]);
	if (status == 0) {
		out.run = filled.run;
		out.run_count = (int)filled.count;
		status = emit->visitor->message(emit->visitor->context, &out, emit->err);
	}
	free(filled.run);
	return status;
}

int tmap_emit_message(struct tmap_emit *emit, const struct tmap_message *message)
{
	struct tmap_message out = *message;

	out.round = round_emitted(emit, message->round, message->span);
	if (emit->buffer && message->is_word && tmap_emit_flush(emit) < 0)
		return -1;
	if (emit->buffer && !message->is_word)
		return buffer_add(emit,
				  &(struct tmap_round_info){ out.round, message->span,
							     message->times, message->combine,
							     emit->single },
				  message->from, message->to, message->bytes);
	if (tmap_emit_is_foreign(emit, message->from, message->to))
		return 0;
	out.on = emit->on;
	find_unit_sizes(emit);
	if (out.run_count && out.bytes && emit->has_empty && !out.is_word)
		return emit_filled(emit, &out);
	return emit->visitor->message(emit->visitor->context, &out, emit->err);
}

static int emit_shifted(struct tmap_emit *emit, const struct tmap_message *message)
{
	struct tmap_message out = *message;

	if (is_empty(emit, message->bytes))
		return 0;
	out.from = shifted(emit, out.from);
	out.to = shifted(emit, out.to);
	return tmap_emit_message(emit, &out);
}

int tmap_emit_runs(struct tmap_emit *emit, int from, int to, const struct tmap_run *run,
		   int run_count)
{
	struct tmap_message message = {
		.round = emit->round,
		.span = 1,
		.times = 1,
		.from = from,
		.to = to,
		.combine = emit->combine,
	};

	find_unit_sizes(emit);
	for (int i = 0; i < run_count; i++)
		message.bytes += run_bytes(emit, &run[i]);
	if (!emit->visitor->folded) {
		message.run = run;
		message.run_count = run_count;
	}
	return emit_shifted(emit, &message);
}

/* Of units that wrap after so many. */
static int64_t bytes_of(struct tmap_emit *emit, int64_t first, int64_t stride, int64_t count,
			int64_t before)
{
	int64_t bytes = count * emit->small, wrapped = first + before * stride - emit->units;

	if (emit->by_rule)
		return before >= count ?
			run_bytes(emit, &(struct tmap_run){ first, count, stride }) :
			run_bytes(emit, &(struct tmap_run){ first, before, stride }) +
				run_bytes(emit,
					  &(struct tmap_run){ wrapped, count - before, stride });
	if (!emit->larger)
		return bytes;
	if (before >= count)
		return bytes + below(first, stride, count, emit->larger);
	return bytes + below(first, stride, before, emit->larger) +
		below(wrapped, stride, count - before, emit->larger);
}

int tmap_emit_units(struct tmap_emit *emit, int from, int to, int64_t first, int64_t stride,
		    int64_t count)
{
	int64_t units, before;

	find_unit_sizes(emit);
	units = emit->units;
	if (emit->visitor->folded && !emit->larger && !emit->by_rule)
		return tmap_emit_folded(emit, from, to, 1, 1, count * emit->small);
	if (stride < 0) { /* the same units, rising */
		first += stride * (count - 1);
		stride = -stride;
	}
	if (first < 0 || first >= units)
		first = tmap_mod(first, units);
	before = first + stride * (count - 1) < units ? count :
							(units - first + stride - 1) / stride;
	if (emit->visitor->folded)
		return tmap_emit_folded(emit, from, to, 1, 1,
					bytes_of(emit, first, stride, count, before));
	if (before >= count)
		return tmap_emit_runs(emit, from, to, &(struct tmap_run){ first, count, stride },
				      1);
	return tmap_emit_runs(
		emit, from, to,
		(struct tmap_run[]){ { first, before, stride },
				     { first + before * stride - units, count - before, stride } },
		2);
}

bool tmap_emit_takes_shifts(const struct tmap_emit *emit)
{
	return emit->visitor->folded && emit->visitor->shift;
}

bool tmap_emit_is_even(struct tmap_emit *emit)
{
	find_unit_sizes(emit);
	return tmap_emit_takes_shifts(emit) && !emit->larger && !emit->by_rule;
}

int tmap_emit_stride(struct tmap_emit *emit, const struct tmap_shift_pattern *shift)
{
	struct tmap_shift_pattern out = *shift;

	if (is_empty(emit, shift->bytes) || shift->count < 1)
		return 0;
	out.info.round = round_emitted(emit, emit->round, shift->info.span);
	out.info.combine = emit->combine;
	out.info.single = emit->single;
	out.first = shifted(emit, out.first);
	out.ahead = (int)tmap_mod(out.ahead, emit->call->size);
	if (tmap_emit_flush(emit) < 0)
		return -1;
	return emit->visitor->shift(emit->visitor->context, &out, emit->err);
}

/* A shift of fewer messages, or of one for so many ranks, takes longer than these do. */
enum { LEAST_SHIFT = 64, SPARSE = 64 };

/* Messages of so many ranks from r on, each to the one so far ahead, in whatever form takes less time. */
static int emit_row(struct tmap_emit *emit, int r, int count, int ahead,
		    const struct tmap_round_info *info, int64_t bytes)
{
	int size = emit->call->size;

	if (tmap_emit_takes_shifts(emit) && count >= LEAST_SHIFT)
		return tmap_emit_stride(emit,
					&(struct tmap_shift_pattern){ .info = *info,
								      .first = r,
								      .run = count,
								      .step = size,
								      .count = count,
								      .ahead = ahead,
								      .bytes = bytes });
	for (int end = r + count; r < end; r++)
		if (tmap_emit_folded(emit, r, r < size - ahead ? r + ahead : r - (size - ahead),
				     info->span, info->times, bytes) < 0)
			return -1;
	return 0;
}

int tmap_emit_alike(struct tmap_emit *emit, const struct tmap_shift_pattern *senders, int64_t first,
		    int64_t count)
{
	struct tmap_shift_pattern shift = *senders;

	if (tmap_emit_takes_shifts(emit) && shift.count >= LEAST_SHIFT &&
	    shift.step / shift.run < SPARSE) {
		find_unit_sizes(emit);
		shift.info = (struct tmap_round_info){ .span = 1, .times = 1 };
		shift.bytes = run_bytes(emit, &(struct tmap_run){ first, count, 1 });
		return tmap_emit_stride(emit, &shift);
	}
	for (int i = 0; i < shift.count; i++) {
		int from = (int)tmap_shift_pattern_sender(&shift, i), to = from + shift.ahead;

		if (tmap_emit_units(emit, from, to, first, 1, count) < 0)
			return -1;
	}
	return 0;
}

/* Units of two sizes: how many units from this one on are of its size. */
static int64_t until_other_size(const struct tmap_emit *emit, int64_t unit)
{
	return (unit < emit->larger ? emit->larger : emit->units) - unit;
}

/* A shift of units that follow each other. From a rank to the next one the first unit is left, and another one
 * comes behind the last; while both are of one size the bytes stay. */
static int emit_shift_in_rows(struct tmap_emit *emit, int ahead, int64_t unit, int64_t count)
{
	const struct tmap_round_info info = { .span = 1, .times = 1 };
	int64_t size = emit->call->size, units = emit->units, row;

	for (int64_t r = 0; r < size; r += row) {
		int64_t first = tmap_mod(r + unit, units), behind = tmap_mod(first + count, units);
		int64_t before = least(count, units - first);

		row = least(size - r,
			    least(until_other_size(emit, first), until_other_size(emit, behind)));
		if ((first < emit->larger) != (behind < emit->larger))
			row = 1;
		if (emit_row(emit, (int)r, (int)row, ahead, &info,
			     bytes_of(emit, first, 1, count, before)) < 0)
			return -1;
	}
	return 0;
}

int tmap_emit_shift(struct tmap_emit *emit, int64_t ahead, int64_t unit, int64_t stride,
		    int64_t count)
{
	int size = emit->call->size;
	int64_t partner;

	ahead = tmap_mod(ahead, size);
	if (tmap_emit_is_even(emit))
		return tmap_emit_stride(
			emit,
			&(struct tmap_shift_pattern){ .info = { .span = 1, .times = 1 },
						      .run = size,
						      .step = size,
						      .count = size,
						      .ahead = (int)ahead,
						      .bytes = count * emit->small });
	if (tmap_emit_takes_shifts(emit) && !emit->by_rule && stride == 1)
		return emit_shift_in_rows(emit, (int)ahead, unit, count);
	partner = tmap_mod(tmap_emit_rank(emit) - ahead, size);
	for (int r = tmap_emit_next(emit, TMAP_NONE, partner); r < size;
	     r = tmap_emit_next(emit, r, partner)) {
		int to = r < size - (int)ahead ? r + (int)ahead : r - (size - (int)ahead);

		if (tmap_emit_units(emit, r, to, r + unit, stride, count) < 0)
			return -1;
	}
	return 0;
}

int tmap_emit_exchange(struct tmap_emit *emit, int64_t ranks, int64_t d, int64_t units)
{
	int64_t rest = ranks % (2 * d), cut = rest > d ? rest - d : 0; /* pairs of the last 2 d */
	struct tmap_shift_pattern up = { .info = { .span = 1, .times = 1 },
					 .run = (int)d,
					 .step = (int)least(2 * d, INT32_MAX),
					 .count = (int)(ranks / (2 * d) * d + cut),
					 .ahead = (int)d,
					 .bytes = units * emit->small };
	struct tmap_shift_pattern down = up;

	down.first = (int)d;
	down.ahead = -up.ahead;
	return tmap_emit_stride(emit, &up) < 0 ? -1 : tmap_emit_stride(emit, &down);
}

int tmap_emit_exchange_all(struct tmap_emit *emit, int64_t ranks, int64_t d)
{
	int64_t partner;

	if (tmap_emit_is_even(emit))
		return tmap_emit_exchange(emit, ranks, d, 1);
	partner = tmap_emit_rank(emit) ^ d;
	for (int r = tmap_emit_next(emit, TMAP_NONE, partner); r < ranks;
	     r = tmap_emit_next(emit, r, partner))
		if ((r ^ d) < ranks && tmap_emit_units(emit, r, (int)(r ^ d), 0, 1, 1) < 0)
			return -1;
	return 0;
}

int tmap_emit_folded(struct tmap_emit *emit, int from, int to, int64_t span, int64_t times,
		     int64_t bytes)
{
	if (emit->buffer && !is_empty(emit, bytes))
		return buffer_add(emit,
				  &(struct tmap_round_info){ round_emitted(emit, emit->round, span),
							     span, times, emit->combine,
							     emit->single },
				  shifted(emit, from), shifted(emit, to), bytes);
	return emit_shifted(emit,
			    &(struct tmap_message){ .round = emit->round,
						    .span = span,
						    .times = times,
						    .from = from,
						    .to = to,
						    .combine = emit->combine,
						    .bytes = bytes });
}

int tmap_emit_pieces(struct tmap_emit *emit, int from, int to, int64_t span,
		     const struct tmap_run *run)
{
	int64_t filled = tmap_emit_filled_units(emit), times = 0;

	if (run->first < filled)
		times = least(run->count, (filled - run->first + run->stride - 1) / run->stride);
	return tmap_emit_folded(emit, from, to, span, times, run_bytes(emit, run));
}

int tmap_emit_all_pairs(struct tmap_emit *emit, int64_t rounds)
{
	find_unit_sizes(emit);
	if (is_empty(emit, emit->small + emit->larger))
		return 0;
	if (tmap_emit_flush(emit) < 0)
		return -1;
	return emit->visitor->all_pairs(
		emit->visitor->context,
		&(struct tmap_all_pairs){ round_emitted(emit, emit->round, rounds), rounds,
					  emit->small, emit->larger, 1, emit->combine },
		emit->err);
}

/* Messages of so many parts that the units of a run make, empty ones left out. */
static int64_t count_parts(struct tmap_emit *emit, const struct tmap_run *run, int64_t parts)
{
	int64_t filled = tmap_emit_filled_units(emit), count = 0;

	if (!emit->by_rule) {
		count = run->first < filled ? least(run->count, filled - run->first) : 0;
		return (count + parts - 1) / parts;
	}
	for (int64_t at = 0; at < run->count; at += parts)
		count += run_bytes(emit, &(struct tmap_run){ run->first + at, parts, 1 }) > 0;
	return count;
}

/* Blocks of so many units: how many blocks from this one on have the same units of each size. */
static int64_t until_other_block(const struct tmap_emit *emit, int64_t block, int64_t phases)
{
	int64_t larger = emit->larger / phases, cut = emit->larger % phases > 0;

	if (emit->by_rule)
		return 1;
	return block < larger        ? larger - block :
		block < larger + cut ? 1 :
				       emit->units / phases - block;
}

int tmap_emit_ring(struct tmap_emit *emit, int ahead, int64_t phases, int64_t parts)
{
	const struct tmap_call *call = emit->call;
	int64_t rounds = phases / parts * (call->size - 1), messages, all, row;

	find_unit_sizes(emit);
	all = run_bytes(emit, &(struct tmap_run){ 0, emit->units, 1 });

	if (tmap_emit_is_even(emit))
		return tmap_emit_stride(
			emit,
			&(struct tmap_shift_pattern){ .info = { .span = rounds, .times = rounds },
						      .run = call->size,
						      .step = call->size,
						      .count = call->size,
						      .ahead = 1,
						      .bytes = all - all / call->size });
	messages = count_parts(emit, &(struct tmap_run){ 0, emit->units, 1 }, parts);
	for (int64_t r = 0; r < call->size; r += row) {
		int64_t block = (r + 1 + ahead) % call->size;
		struct tmap_run left = { block * phases, phases, 1 };
		struct tmap_round_info info = {
			.span = rounds, .times = messages - count_parts(emit, &left, parts)
		};

		row = least(call->size - r, until_other_block(emit, block, phases));
		if (emit_row(emit, (int)r, (int)row, 1, &info, all - run_bytes(emit, &left)) < 0)
			return -1;
	}
	return 0;
}

int tmap_log2_floor(int64_t n)
{
	int log = 0;

	while (n >>= 1)
		log++;
	return log;
}

int tmap_log2_ceil(int64_t n)
{
	return n > 1 ? tmap_log2_floor(n - 1) + 1 : 0;
}

/* Mostly it is less than p away from 0, which takes no division. */
int64_t tmap_mod(int64_t a, int64_t p)
{
	if (a < 0 && a >= -p)
		a += p;
	if (a >= 0 && a < p)
		return a;
	return a % p < 0 ? a % p + p : a % p;
}
