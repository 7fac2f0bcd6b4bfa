/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/algorithms/smp.h"

#include "core/algorithms/phase.h"
#include "core/algorithms/tables.h"
#include "core/base/mem.h"
#include "core/group/lanes.h"

#include <stdlib.h>
#include <string.h>

/* Who takes part: the ranks of each node, of each but the first, of that of the root alone where it
 * is late, or the leaders; or what is no phase: the root and its node's leader, rank 0 and the root,
 * the last rank of each node and its leader, each leader and the next one, a word for the ranks of
 * each node. */
enum where {
	END,
	WITHIN,
	WITHIN_LATER,
	WITHIN_LATE,
	BETWEEN,
	FROM_ROOT,
	TO_ROOT,
	LAST_TO_LEADER,
	TO_NEXT,
	WORD
};

struct step {
	enum where where;
	enum tmap_collective collective;
	int param; /* of the algorithm */
	enum tmap_buffer on;
};

enum { MOST_STEPS = 6, NO_PARAM = -1 };
enum { WORD_BYTES = 4, RELEASE_BYTES = 1 }; /* of a scan, and of a bcast that ends a barrier */

enum { BCAST_LEAD, BCAST_BETWEEN, BCAST_WITHIN, BCAST_SEGMENT, BCAST_LATER };
enum { REDUCE_LEAD, REDUCE_BETWEEN, REDUCE_WITHIN, REDUCE_SEGMENT, REDUCE_PIECE };
enum { ALL_REDUCE, ALL_UP, ALL_DOWN, ALL_BCAST, ALL_SEGMENT, ALL_PIECE };
enum { BARRIER_BETWEEN, BARRIER_WITHIN, BARRIER_RELEASE };
enum { SCAN_BETWEEN, SCAN_WITHIN, SCAN_BCAST };

/* Of each collective: its steps, the first and the end of those that segments go through, and its
 * parameters; NO_PARAM: it has none. */
static const struct plan {
	struct step step[MOST_STEPS + 1];
	int first, end;
	int lead, segment, piece, later;
} plans[TMAP_COLLECTIVE_COUNT] = {
	[TMAP_BCAST] = { { { FROM_ROOT, TMAP_BCAST, NO_PARAM, 0 },
			   { BETWEEN, TMAP_BCAST, BCAST_BETWEEN, 0 },
			   { WITHIN, TMAP_BCAST, BCAST_WITHIN, 0 } },
			 1,
			 3,
			 BCAST_LEAD,
			 BCAST_SEGMENT,
			 NO_PARAM,
			 BCAST_LATER },
	[TMAP_REDUCE] = { { { WITHIN, TMAP_REDUCE, REDUCE_WITHIN, 0 },
			    { BETWEEN, TMAP_REDUCE, REDUCE_BETWEEN, 0 },
			    { WITHIN_LATE, TMAP_REDUCE, REDUCE_WITHIN, 0 },
			    { TO_ROOT, TMAP_REDUCE, NO_PARAM, 0 } },
			  0,
			  2,
			  REDUCE_LEAD,
			  REDUCE_SEGMENT,
			  REDUCE_PIECE,
			  NO_PARAM },
	[TMAP_ALLREDUCE] = { { { WITHIN, TMAP_REDUCE, ALL_REDUCE, 0 },
			       { BETWEEN, TMAP_REDUCE, ALL_UP, 0 },
			       { BETWEEN, TMAP_BCAST, ALL_DOWN, 0 },
			       { WITHIN, TMAP_BCAST, ALL_BCAST, 0 } },
			     0,
			     4,
			     NO_PARAM,
			     ALL_SEGMENT,
			     ALL_PIECE,
			     NO_PARAM },
	[TMAP_BARRIER] = { { { WITHIN, TMAP_BARRIER, BARRIER_WITHIN, 0 },
			     { BETWEEN, TMAP_BARRIER, BARRIER_BETWEEN, 0 },
			     { WITHIN, TMAP_BARRIER, BARRIER_RELEASE, 0 } },
			   0,
			   3,
			   NO_PARAM,
			   NO_PARAM,
			   NO_PARAM,
			   NO_PARAM },
	[TMAP_SCAN] = { { { WITHIN, TMAP_SCAN, SCAN_WITHIN, TMAP_VECTOR },
			  { LAST_TO_LEADER, TMAP_SCAN, NO_PARAM, TMAP_TOTAL },
			  { BETWEEN, TMAP_EXSCAN, SCAN_BETWEEN, TMAP_COPY_SCAN },
			  { TO_NEXT, TMAP_SCAN, NO_PARAM, TMAP_ANSWER },
			  { WORD, TMAP_BCAST, SCAN_BCAST, TMAP_ANSWER },
			  { WITHIN_LATER, TMAP_BCAST, SCAN_BCAST, TMAP_ANSWER } },
			0,
			6,
			NO_PARAM,
			NO_PARAM,
			NO_PARAM,
			NO_PARAM },
};

enum { FIRST, COLUMN, SWAPPED, LATE };
static const char *const bcast_leads[] = {
	[FIRST] = "first", [COLUMN] = "column", [SWAPPED] = "swapped", NULL
};
static const char *const reduce_leads[] = { "first", "column", "swapped", [LATE] = "late", NULL };

/* A barrier's release: the same barrier again, or a bcast. */
static const char *release_word(int64_t i)
{
	return i ? tmap_bcast_phases(i - 1) : "barrier";
}

#define WORDS(name, text, list) \
	{ \
		.key = name, .summary = text, .word_at = list, .most = 63 \
	}
#define LEAD(choices, text) \
	{ \
		.key = "lead", \
		.summary = "which rank leads a node: the first, or, in the column of the root, " \
			   "that with the root's number; swapped: so, and between these the root " \
			   "and the first change their places" text, \
		.words = choices, .most = INT32_MAX \
	}
#define SIZE(name, text) \
	{ \
		.key = name, .summary = text, .is_size = true, .most = INT64_MAX \
	}
#define SEGMENT SIZE("segment", "bytes of a segment of the vector; 0: all")
#define PIECE \
	SIZE("piece", \
	     "bytes of a part of a whole segment that is reduced between the leaders; 0: all")
#define LAST \
	{ \
		.key = NULL \
	}

const struct tmap_param tmap_smp_bcast[] = {
	LEAD(bcast_leads, ""),
	WORDS("between", "algorithm between the leaders", tmap_bcast_phases),
	WORDS("within", "algorithm within the nodes", tmap_bcast_phases),
	SEGMENT,
	WORDS("later", "algorithm between the leaders for all but the first segment",
	      tmap_bcast_phases),
	LAST,
};
const struct tmap_param tmap_smp_reduce[] = {
	LEAD(reduce_leads, "; late: the first, and the root's node comes last, to the root"),
	WORDS("between", "algorithm between the leaders", tmap_reduce_phases),
	WORDS("within", "algorithm within the nodes", tmap_reduce_phases),
	SEGMENT,
	PIECE,
	LAST,
};
const struct tmap_param tmap_smp_allreduce[] = {
	WORDS("reduce", "algorithm within the nodes, before", tmap_reduce_phases),
	WORDS("up", "reduce between the leaders", tmap_reduce_phases),
	WORDS("down", "bcast between the leaders", tmap_bcast_phases),
	WORDS("bcast", "algorithm within the nodes, after", tmap_bcast_phases),
	SEGMENT,
	PIECE,
	LAST,
};
const struct tmap_param tmap_smp_barrier[] = {
	WORDS("between", "algorithm between the leaders", tmap_barrier_phases),
	WORDS("within", "algorithm within the nodes", tmap_barrier_phases),
	WORDS("release", "within the nodes at last: the barrier again, or this bcast",
	      release_word),
	LAST,
};
const struct tmap_param tmap_smp_scan[] = {
	WORDS("between", "algorithm between the leaders", tmap_scan_phases),
	WORDS("within", "algorithm within the nodes", tmap_scan_phases),
	WORDS("bcast", "algorithm of the bcasts within the nodes", tmap_bcast_phases),
	LAST,
};

struct smp_work {
	const struct tmap_call *call;
	const struct plan *plan;
	struct tmap_lanes nodes;
	int *swapped;              /* [nodes]: the leaders, root_at and 0 having changed places */
	int *leader, *lead_at;     /* [nodes]: by rank rising, a rank; and its place on its node */
	int root_at;               /* the leader of the root's node, or of rank 0, in leader[] */
	int root_leader;           /* the leader of the root's node: a rank */
	int root_node, root_place; /* the root's node, and its place there */
	int *others;            /* [ranks]: those of all nodes but the root's, where that is late */
	int *others_first;      /* [nodes] */
	struct tmap_run *slice; /* [nodes] */
	int across[2];          /* start of the team of leaders */
};

static int64_t param_value(const struct smp_work *work, int param)
{
	return param == NO_PARAM ? 0 : work->call->choice.value[param];
}

static void smp_work_fini(struct smp_work *work)
{
	tmap_lanes_fini(&work->nodes);
	free(work->leader);
	free(work->swapped);
	free(work->lead_at);
	free(work->slice);
	free(work->others);
	free(work->others_first);
}

static int compare_ranks(const void *a, const void *b)
{
	const int *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* The place of a rank among those of its node. */
static int rank_find_place(const struct tmap_lanes *nodes, int rank, int *node)
{
	for (int i = 0; i < nodes->node_count; i++)
		for (int at = nodes->first[i]; at < nodes->first[i + 1]; at++)
			if (nodes->rank[at] == rank) {
				*node = i;
				return at - nodes->first[i];
			}
	return TMAP_NONE;
}

/* Leaders; a node's own is lead_at[node] from its first rank on. */
static void leaders_find(struct smp_work *work)
{
	int64_t lead = param_value(work, work->plan->lead);

	work->root_place = rank_find_place(&work->nodes, work->call->root, &work->root_node);
	for (int i = 0; i < work->nodes.node_count; i++) {
		work->lead_at[i] = lead == COLUMN || lead == SWAPPED ? work->root_place : 0;
		work->leader[i] = work->nodes.rank[work->nodes.first[i] + work->lead_at[i]];
	}
	work->root_leader = work->leader[work->root_node];
	qsort(work->leader, (size_t)work->nodes.node_count, sizeof *work->leader, compare_ranks);
	work->root_at = 0;
	if (lead != FIRST || work->plan->step[0].where == FROM_ROOT)
		while (work->leader[work->root_at] != work->root_leader)
			work->root_at++;
	for (int i = 0; i < work->nodes.node_count; i++)
		work->swapped[i] = work->leader[i];
	work->swapped[0] = work->leader[work->root_at];
	work->swapped[work->root_at] = work->leader[0];
}

/* The ranks of all nodes but the root's. */
static int others_find(struct smp_work *work, struct tmap_error *err)
{
	const struct tmap_lanes *nodes = &work->nodes;
	int count = 0, ranks = 0;

	work->others = tmap_alloc_raw((size_t)work->call->size, sizeof *work->others, err);
	work->others_first =
		tmap_alloc_raw((size_t)nodes->node_count, sizeof *work->others_first, err);
	if (!work->others || !work->others_first)
		return -1;
	work->others_first[0] = 0;
	for (int i = 0; i < nodes->node_count; i++) {
		if (i == work->root_node)
			continue;
		for (int at = nodes->first[i]; at < nodes->first[i + 1]; at++)
			work->others[ranks++] = nodes->rank[at];
		work->others_first[++count] = ranks;
	}
	return 0;
}

static int smp_work_init(struct smp_work *work, const struct tmap_call *call,
			 struct tmap_error *err)
{
	struct smp_work made = { .call = call,
				 .plan = &plans[tmap_call_algorithm(call)->collective] };
	size_t nodes;

	if (tmap_lanes_init(&made.nodes, call->metric->placement, TMAP_NONE, err) < 0)
		return -1;
	nodes = (size_t)made.nodes.node_count;
	made.across[1] = made.nodes.node_count;
	made.leader = tmap_alloc_raw(nodes, sizeof *made.leader, err);
	made.swapped = tmap_alloc_raw(nodes, sizeof *made.swapped, err);
	made.lead_at = tmap_alloc_raw(nodes, sizeof *made.lead_at, err);
	made.slice = tmap_alloc_raw(nodes, sizeof *made.slice, err);
	if (!made.leader || !made.swapped || !made.lead_at || !made.slice) {
		smp_work_fini(&made);
		return -1;
	}
	leaders_find(&made);
	if (param_value(&made, made.plan->lead) == LATE && others_find(&made, err) < 0) {
		smp_work_fini(&made);
		return -1;
	}
	*work = made;
	return 0;
}

/* The algorithm of a step for a segment. */
static struct tmap_spec step_inner(const struct smp_work *work, const struct step *step,
				   int64_t segment)
{
	int param = step->param;
	int64_t word = 0;

	if (step->where == WORD) { /* it is short, whatever the vector is */
		while (strcmp(tmap_bcast_phases(word), "binomial_far") != 0)
			word++;
		return tmap_phase_spec(TMAP_BCAST, word);
	}
	if (step->where == BETWEEN && segment > 0 && work->plan->later != NO_PARAM)
		param = work->plan->later;
	word = work->call->choice.value[param];
	if (step->collective == TMAP_BARRIER && param == BARRIER_RELEASE)
		return word ?
			tmap_phase_spec(TMAP_BCAST, word - 1) :
			tmap_phase_spec(TMAP_BARRIER, work->call->choice.value[BARRIER_WITHIN]);
	return tmap_phase_spec(step->collective, word);
}

/* Libnbc, which has reductions and all but the first segment of a broadcast, swaps. */
static bool step_is_swapped(const struct smp_work *work, const struct step *step, int64_t segment)
{
	return step->where == BETWEEN && param_value(work, work->plan->lead) == SWAPPED &&
		(step->collective == TMAP_REDUCE || segment > 0);
}

static struct tmap_comms step_teams(const struct smp_work *work, const struct step *step,
				    int64_t segment)
{
	int later = step->where == WITHIN_LATER;

	if (step_is_swapped(work, step, segment))
		return (struct tmap_comms){ 1, work->across, work->swapped, NULL };
	if (step->where == BETWEEN)
		return (struct tmap_comms){ 1, work->across, work->leader, &work->root_at };
	if (step->where == WITHIN_LATE)
		return (struct tmap_comms){ 1, work->nodes.first + work->root_node,
					    work->nodes.rank, &work->root_place };
	if (work->others)
		return (struct tmap_comms){ work->nodes.node_count - 1, work->others_first,
					    work->others, work->lead_at };
	return (struct tmap_comms){ work->nodes.node_count - later, work->nodes.first + later,
				    work->nodes.rank, work->lead_at + later };
}

static bool step_is_phase(const struct step *step)
{
	return step->where == WITHIN || step->where == WITHIN_LATER || step->where == WITHIN_LATE ||
		step->where == BETWEEN;
}

static int smp_steps_check(struct smp_work *work, struct tmap_error *err)
{
	for (const struct step *step = work->plan->step; step->where != END; step++)
		for (int64_t segment = 0; segment < 2 && step_is_phase(step); segment++) {
			const struct tmap_phase phase = { .choice = step_inner(work, step, segment),
							  .teams =
								  step_teams(work, step, segment) };

			if (tmap_phase_check(&phase, err) < 0)
				return -1;
		}
	return 0;
}

int tmap_smp_check(const struct tmap_call *call, struct tmap_error *err)
{
	const char *name = call->choice.row->word.name;
	struct smp_work work;
	int64_t lead;
	int status = 0;

	if (!call->metric || !call->metric->placement)
		return tmap_fail(err, TMAP_INPUT,
				 "%s splits the ranks by their nodes: it needs a placement", name);
	if (smp_work_init(&work, call, err) < 0)
		return tmap_wrap(err, "%s", name);
	lead = param_value(&work, work.plan->lead);
	if ((lead == COLUMN || lead == SWAPPED) && !work.nodes.order.regular)
		status = tmap_fail(
			err, TMAP_INPUT,
			"a column of leaders needs equally many ranks on each node; there "
			"are %d to %d",
			work.nodes.order.ranks_min, work.nodes.order.ranks_max);
	else if (tmap_call_algorithm(call)->collective == TMAP_SCAN &&
		 !work.nodes.order.consecutive)
		status = tmap_fail(err, TMAP_INPUT,
				   "scans need the ranks of each node to be consecutive");
	if (status == 0)
		status = smp_steps_check(&work, err);
	smp_work_fini(&work);
	return status < 0 ? tmap_wrap(err, "%s", name) : 0;
}

int64_t tmap_smp_pieces(const struct tmap_call *call)
{
	struct smp_work work = { .call = call,
				 .plan = &plans[tmap_call_algorithm(call)->collective] };
	int64_t segment = param_value(&work, work.plan->segment);
	struct tmap_call inner = { .size = call->size, .bytes = call->bytes };

	if ((segment && segment < call->bytes) || param_value(&work, work.plan->piece))
		return tmap_piece_a_byte(call);
	for (const struct step *step = work.plan->step; step->where != END; step++) {
		if (!step_is_phase(step))
			continue;
		inner.choice = step_inner(&work, step, 0);
		if (tmap_unit_count(&inner) > 1)
			return tmap_piece_a_byte(call);
	}
	return 1;
}

/* A vector from a rank to another in a round of its own. */
static int whole_emit(struct smp_work *work, struct tmap_emit *emit, int from, int to)
{
	if (from == to)
		return 0;
	if (tmap_emit_units(emit, from, to, 0, 1, tmap_unit_count(work->call)) < 0)
		return -1;
	emit->round++;
	return 0;
}

/* From the last rank of each node to its leader, or from each leader to the next one, all in one round.
 * The latter bears no units: what it says that one can tell from what it has got. */
static int hand_over(struct smp_work *work, struct tmap_emit *emit, bool to_next)
{
	int64_t units = tmap_unit_count(work->call);
	struct tmap_message message = { .round = emit->round, .span = 1, .times = 1 };

	message.bytes = tmap_run_bytes(work->call, &(struct tmap_run){ 0, units, 1 });
	for (int i = 0; i < work->nodes.node_count - to_next; i++) {
		message.from = work->nodes.rank[work->nodes.first[i + 1] - 1];
		message.to = work->leader[i];
		if (to_next) {
			message.from = work->leader[i];
			message.to = work->leader[i + 1];
		}
		if (message.from == message.to || !message.bytes)
			continue;
		if ((to_next ? tmap_emit_message(emit, &message) :
			       tmap_emit_units(emit, message.from, message.to, 0, 1, units)) < 0)
			return -1;
	}
	emit->round++;
	return 0;
}

/* A phase whose messages stand for others: a word instead of a vector, or for as many segments, each
 * so many rounds after the one before. */
struct stand_in {
	struct tmap_emit *emit;
	int64_t word_bytes; /* 0: it is no word */
	int64_t times, period;
};

static int stand_in_emit(void *context, const struct tmap_message *message, struct tmap_error *err)
{
	const struct stand_in *it = context;
	struct tmap_message made = *message;

	(void)err;
	made.span += (it->times - 1) * it->period;
	made.times *= it->times;
	made.bytes *= it->times;
	if (it->word_bytes) {
		made.is_word = true;
		made.bytes = it->word_bytes;
	}
	if (it->word_bytes == WORD_BYTES)
		made.run_count = 0;
	return tmap_emit_message(it->emit, &made);
}

static int stand_in_phase(struct stand_in *it, const struct tmap_phase *phase)
{
	struct tmap_emit *outer = it->emit;
	struct tmap_visitor visitor = { .folded = outer->visitor->folded,
					.message = stand_in_emit,
					.context = it };
	struct tmap_emit emit = { .call = outer->call,
				  .visitor = &visitor,
				  .err = outer->err,
				  .round = outer->round,
				  .filled_end = outer->round,
				  .on = outer->on };
	int status = tmap_phase_emit(&emit, phase);

	outer->round = emit.round;
	return status;
}

/* A step for the units from @p first on, for so many segments alike. */
static int phase_run(struct smp_work *work, struct tmap_emit *emit, const struct step *step,
		     int64_t segment, struct tmap_run slice, struct stand_in *instead)
{
	const struct tmap_phase phase = { .choice = step_inner(work, step, segment),
					  .teams = step_teams(work, step, segment),
					  .slice = work->slice };

	for (int i = 0; i < work->nodes.node_count; i++)
		work->slice[i] = slice;
	return instead ? stand_in_phase(instead, &phase) : tmap_phase_emit(emit, &phase);
}

/* A step for one segment, a part after another where a whole one is cut. */
static int segment_run(struct smp_work *work, struct tmap_emit *emit, const struct step *step,
		       int64_t segment, struct stand_in *instead)
{
	int64_t units = tmap_unit_count(work->call), length, part;
	int64_t size = param_value(work, work->plan->segment);
	struct tmap_run slice = { 0, units, 1 };

	size = size && size < units ? size : units;
	slice.first = segment * size;
	length = slice.first + size <= units ? size : units - slice.first;
	part = step->where == BETWEEN && step->collective == TMAP_REDUCE && length == size ?
		param_value(work, work->plan->piece) :
		0;
	for (int64_t at = 0; at < length; at += slice.count) {
		slice.first = segment * size + at;
		slice.count = part && part < length - at ? part : length - at;
		if (phase_run(work, emit, step, segment, slice, instead) < 0)
			return -1;
	}
	return 0;
}

/* Task @p task: each step for the segment that has come to it, the last step first. */
static int task_run(struct smp_work *work, struct tmap_emit *emit, int64_t task, int64_t segments,
		    struct stand_in *instead)
{
	const struct plan *plan = work->plan;

	for (int i = plan->end - 1; i >= plan->first; i--) {
		int64_t segment = task - (i - plan->first);

		if (segment >= 0 && segment < segments &&
		    segment_run(work, emit, &plan->step[i], segment, instead) < 0)
			return -1;
	}
	return 0;
}

enum { FEW_TASKS = 4 };

/* Up to now, but for empty ones. */
static int64_t rounds_emitted(const struct tmap_emit *emit)
{
	return emit->filled_end - emit->empty;
}

/* All segments through all steps. Folded, the tasks that do the same are one, but for the first. */
static int tasks_run(struct smp_work *work, struct tmap_emit *emit)
{
	int64_t steps = work->plan->end - work->plan->first;
	int64_t segments =
		tmap_segments(tmap_unit_count(work->call), param_value(work, work->plan->segment));
	/* those with all steps, none of them for the last segment, and not for the first, which may
	 * go another way */
	int64_t first = steps, end = segments - 1;

	for (int64_t task = 0; task < segments + steps - 1; task++) {
		int64_t before = rounds_emitted(emit);

		if (task_run(work, emit, task, segments, NULL) < 0)
			return -1;
		if (emit->visitor->folded && task == first && end - task > FEW_TASKS) {
			struct stand_in rest = { .emit = emit,
						 .times = end - 1 - task,
						 .period = rounds_emitted(emit) - before };

			if (task_run(work, emit, task + 1, segments, &rest) < 0)
				return -1;
			emit->round = emit->filled_end;
			task = end - 1;
		}
	}
	return 0;
}

/* Is it the bcast of a byte that ends a barrier? */
static bool step_is_release(const struct smp_work *work, const struct step *step)
{
	return step->collective == TMAP_BARRIER && step->param == BARRIER_RELEASE &&
		work->call->choice.value[BARRIER_RELEASE];
}

/* A step that segments do not go through, or one that is no phase. */
static int step_run(struct smp_work *work, struct tmap_emit *emit, const struct step *step)
{
	struct stand_in word = { .emit = emit, .word_bytes = WORD_BYTES, .times = 1 };
	struct stand_in release = { .emit = emit, .word_bytes = RELEASE_BYTES, .times = 1 };
	const struct tmap_run all = { 0, tmap_unit_count(work->call), 1 };

	switch (step->where) {
	case FROM_ROOT:
		return whole_emit(work, emit, work->call->root, work->root_leader);
	case TO_ROOT:
		return param_value(work, work->plan->lead) == FIRST ?
			whole_emit(work, emit, work->leader[0], work->call->root) :
			0;
	case WITHIN_LATE:
		return work->others ? phase_run(work, emit, step, 0, all, NULL) : 0;
	case LAST_TO_LEADER:
	case TO_NEXT:
		return hand_over(work, emit, step->where == TO_NEXT);
	case WORD:
		return phase_run(work, emit, step, 0, all, &word);
	default:
		return phase_run(work, emit, step, 0, all,
				 step_is_release(work, step) ? &release : NULL);
	}
}

int tmap_smp(struct tmap_emit *emit)
{
	struct smp_work work;
	const struct plan *plan;
	int status = smp_work_init(&work, emit->call, emit->err);

	if (status < 0)
		return -1;
	plan = work.plan;
	for (int i = 0; plan->step[i].where != END && status == 0; i++) {
		emit->on = plan->step[i].on;
		emit->combine = false;
		if (plan->segment == NO_PARAM || i < plan->first || i >= plan->end)
			status = step_run(&work, emit, &plan->step[i]);
		else if (i == plan->first)
			status = tasks_run(&work, emit);
	}
	emit->on = TMAP_VECTOR;
	smp_work_fini(&work);
	return status;
}
