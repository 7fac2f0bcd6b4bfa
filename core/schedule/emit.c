#include "core/schedule/emit.h"

/* Messages without bytes are not sent, but for a barrier's. */
static bool is_empty(const struct tm_emit *emit, int64_t bytes)
{
	return bytes == 0 && tm_call_algorithm(emit->call)->collective != TM_BARRIER;
}

static int shifted(const struct tm_emit *emit, int rank)
{
	return rank < emit->call->size - emit->shift ? rank + emit->shift :
						       rank - (emit->call->size - emit->shift);
}

static int tell(struct tm_emit *emit, const struct tm_message *message)
{
	struct tm_message told = *message;

	if (is_empty(emit, message->bytes))
		return 0;
	told.from = shifted(emit, told.from);
	told.to = shifted(emit, told.to);
	return emit->sink->message(emit->sink->context, &told, emit->err);
}

int tm_emit_runs(struct tm_emit *emit, int from, int to, const struct tm_run *run, int run_count)
{
	struct tm_message message = {
		.round = emit->round, .span = 1, .times = 1, .from = from, .to = to,
		.combine = emit->combine,
	};

	for (int i = 0; i < run_count; i++)
		message.bytes += tm_run_bytes(emit->call, &run[i]);
	if (!emit->sink->folded) {
		message.run = run;
		message.run_count = run_count;
	}
	return tell(emit, &message);
}

int tm_emit_units(struct tm_emit *emit, int from, int to, int64_t first, int64_t stride,
		  int64_t count)
{
	int64_t units = tm_unit_count(emit->call), start, before;

	if (stride < 0) { /* the same units, rising */
		first += stride * (count - 1);
		stride = -stride;
	}
	start = tm_mod(first, units);
	before = (units - start + stride - 1) / stride;
	if (before >= count)
		return tm_emit_runs(emit, from, to, &(struct tm_run){ start, count, stride }, 1);
	return tm_emit_runs(emit, from, to, (struct tm_run[]){
		{ start, before, stride },
		{ start + before * stride - units, count - before, stride } }, 2);
}

int tm_emit_folded(struct tm_emit *emit, int from, int to, int64_t span, int64_t times,
		   int64_t bytes)
{
	return tell(emit, &(struct tm_message){
		.round = emit->round, .span = span, .times = times, .from = from, .to = to,
		.combine = emit->combine, .bytes = bytes });
}

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* Number of units that are not empty: the first ones. */
static int64_t filled_units(const struct tm_call *call)
{
	int64_t units = tm_unit_count(call);

	if (tm_unit_bytes(call, units - 1) > 0)
		return units;
	return tm_run_bytes(call, &(struct tm_run){ 0, units, 1 }); /* of one byte each */
}

int tm_emit_pieces(struct tm_emit *emit, int from, int to, int64_t span,
		   const struct tm_run *run)
{
	int64_t filled = filled_units(emit->call), times = 0;

	if (run->first < filled)
		times = least(run->count, (filled - run->first + run->stride - 1) / run->stride);
	return tm_emit_folded(emit, from, to, span, times, tm_run_bytes(emit->call, run));
}

int tm_emit_all_pairs(struct tm_emit *emit, int64_t rounds)
{
	const struct tm_call *call = emit->call;
	int64_t bytes = tm_unit_bytes(call, tm_unit_count(call) - 1);
	int64_t units = tm_unit_count(call), larger = 0;

	if (tm_unit_bytes(call, 0) > bytes)
		larger = tm_run_bytes(call, &(struct tm_run){ 0, units, 1 }) - units * bytes;
	return emit->sink->all_pairs(emit->sink->context, &(struct tm_all_pairs){
		emit->round, rounds, bytes, larger }, emit->err);
}

int tm_emit_ring(struct tm_emit *emit, int ahead, int64_t phases, int64_t parts)
{
	const struct tm_call *call = emit->call;
	int64_t filled = filled_units(call);
	int64_t all = tm_run_bytes(call, &(struct tm_run){ 0, tm_unit_count(call), 1 });

	for (int r = 0; r < call->size; r++) {
		struct tm_run left = { (r + 1 + ahead) % call->size * phases, phases, 1 };
		int64_t missing = left.first < filled ? least(phases, filled - left.first) : 0;
		int64_t sent = (filled + parts - 1) / parts - (missing + parts - 1) / parts;

		if (tm_emit_folded(emit, r, (r + 1) % call->size, phases / parts * (call->size - 1),
				   sent, all - tm_run_bytes(call, &left)) < 0)
			return -1;
	}
	return 0;
}

int tm_log2_floor(int64_t n)
{
	int log = 0;

	while (n >>= 1)
		log++;
	return log;
}

int tm_log2_ceil(int64_t n)
{
	return n > 1 ? tm_log2_floor(n - 1) + 1 : 0;
}

int64_t tm_mod(int64_t a, int64_t p)
{
	return a % p < 0 ? a % p + p : a % p;
}
