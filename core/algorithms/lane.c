/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/algorithms/lane.h"

#include "core/algorithms/lane_work.h"

#include <string.h>

enum { LANES, INNER, THIRD, FOURTH, FIRST_WORD = -1 }; /* parameters; or the first of the words */
/* Which communicators: groups with their leaders, the leaders of each node, of the root's node
 * only, of all but the first node, the lanes, or all ranks of each node. */
enum where { END, GROUPS, LATER_GROUPS, LEADERS, ROOT_LEADERS, LATER_LEADERS, ACROSS, NODES };

struct step {
	enum where where;
	enum tmap_collective collective;
	int param; /* of the algorithm */
	enum tmap_buffer on;
};

enum { MOST_STEPS = 6 };

static const struct step steps[TMAP_COLLECTIVE_COUNT][MOST_STEPS + 1] = {
	[TMAP_BCAST] = { { ROOT_LEADERS, TMAP_SCATTER, THIRD, 0 },
			 { ACROSS, TMAP_BCAST, INNER, 0 },
			 { LEADERS, TMAP_ALLGATHER, FOURTH, 0 },
			 { GROUPS, TMAP_BCAST, FIRST_WORD, 0 } },
	[TMAP_ALLGATHER] = { { GROUPS, TMAP_GATHER, FIRST_WORD, 0 },
			     { ACROSS, TMAP_ALLGATHER, INNER, 0 },
			     { LEADERS, TMAP_ALLGATHER, THIRD, 0 },
			     { GROUPS, TMAP_BCAST, FIRST_WORD, 0 } },
	[TMAP_GATHER] = { { GROUPS, TMAP_GATHER, FIRST_WORD, 0 },
			  { ACROSS, TMAP_GATHER, INNER, 0 },
			  { ROOT_LEADERS, TMAP_GATHER, THIRD, 0 } },
	[TMAP_SCATTER] = { { ROOT_LEADERS, TMAP_SCATTER, THIRD, 0 },
			   { ACROSS, TMAP_SCATTER, INNER, 0 },
			   { GROUPS, TMAP_SCATTER, FIRST_WORD, 0 } },
	[TMAP_REDUCE] = { { GROUPS, TMAP_REDUCE, FIRST_WORD, 0 },
			  { LEADERS, TMAP_REDUCE_SCATTER, THIRD, 0 },
			  { ACROSS, TMAP_REDUCE, INNER, 0 },
			  { ROOT_LEADERS, TMAP_GATHER, FOURTH, 0 } },
	[TMAP_ALLREDUCE] = { { GROUPS, TMAP_REDUCE, FIRST_WORD, 0 },
			     { LEADERS, TMAP_REDUCE_SCATTER, THIRD, 0 },
			     { ACROSS, TMAP_ALLREDUCE, INNER, 0 },
			     { LEADERS, TMAP_ALLGATHER, FOURTH, 0 },
			     { GROUPS, TMAP_BCAST, FIRST_WORD, 0 } },
	[TMAP_REDUCE_SCATTER] = { { GROUPS, TMAP_REDUCE, FIRST_WORD, 0 },
				  { LEADERS, TMAP_REDUCE_SCATTER, THIRD, 0 },
				  { ACROSS, TMAP_REDUCE_SCATTER, INNER, 0 },
				  { GROUPS, TMAP_SCATTER, FIRST_WORD, 0 } },
	[TMAP_REDUCE_SCATTER_BLOCK] = { { GROUPS, TMAP_REDUCE, FIRST_WORD, 0 },
					{ LEADERS, TMAP_REDUCE_SCATTER, THIRD, 0 },
					{ ACROSS, TMAP_REDUCE_SCATTER, INNER, 0 },
					{ GROUPS, TMAP_SCATTER, FIRST_WORD, 0 } },
	[TMAP_ALLTOALL] = { { GROUPS, TMAP_GATHER, FIRST_WORD, 0 },
			    { ACROSS, TMAP_ALLTOALL, INNER, 0 },
			    { LEADERS, TMAP_ALLTOALL, THIRD, 0 },
			    { GROUPS, TMAP_SCATTER, FIRST_WORD, 0 } },
#define SCAN_STEPS \
	{ GROUPS, TMAP_REDUCE, FIRST_WORD, TMAP_COPY }, \
		{ LEADERS, TMAP_REDUCE_SCATTER, THIRD, TMAP_COPY }, \
		{ ACROSS, TMAP_EXSCAN, INNER, TMAP_COPY_SCAN }, \
		{ LATER_LEADERS, TMAP_ALLGATHER, FOURTH, TMAP_ANSWER }, \
	{ \
		LATER_GROUPS, TMAP_BCAST, FIRST_WORD, TMAP_ANSWER \
	}
	[TMAP_SCAN] = { SCAN_STEPS, { NODES, TMAP_SCAN, INNER, TMAP_VECTOR } },
	[TMAP_EXSCAN] = { SCAN_STEPS, { NODES, TMAP_EXSCAN, INNER, TMAP_VECTOR } },
};

/* What "auto" stands for: the fewest rounds and bytes at any size. At powers of two pairs of ranks
 * have them, too, and cross fewer packages and switches than the circulant graph. */
static const struct {
	const char *power_of_two, *other;
} automatic[TMAP_COLLECTIVE_COUNT] = {
	[TMAP_ALLREDUCE] = { "rabenseifner", "circulant" },
	[TMAP_REDUCE_SCATTER] = { "recursive_halving", "circulant" },
};

/* The words of the phases, and "auto" behind them. */
static const char *word_or_auto(enum tmap_collective collective, int64_t i)
{
	const char *name = tmap_phase_name(collective, i);

	return name || (i > 0 && !tmap_phase_name(collective, i - 1)) ? name : "auto";
}

static const char *allreduce_words(int64_t i)
{
	return word_or_auto(TMAP_ALLREDUCE, i);
}

static const char *reduce_scatter_words(int64_t i)
{
	return word_or_auto(TMAP_REDUCE_SCATTER, i);
}

#define WORDS(name, text, list) \
	{ \
		.key = name, .summary = text, .word_at = list, .most = 63 \
	}
#define AUTO(name, text, list) \
	{ \
		.key = name, .summary = text, .word_at = list, .preset_word = "auto", .most = 63 \
	}
#define LANES_PARAM \
	{ \
		.key = "lanes", \
		.summary = "of each node; 0: as many as most nodes have " \
			   "ranks; 1: one leader a node", \
		.most = INT32_MAX \
	}
#define ON_LANES(list) WORDS("inner", "algorithm on the lanes", list)
#define ON_NODES(name, list) WORDS(name, "algorithm on the nodes", list)
#define REDUCE_SCATTER_ON_NODES(name) \
	AUTO(name, \
	     "algorithm on the nodes; auto: recursive_halving for a power of two, else circulant", \
	     reduce_scatter_words)
#define PARAMS(...) \
	{ \
		LANES_PARAM, __VA_ARGS__, \
		{ \
			.key = NULL \
		} \
	}

const struct tmap_param tmap_lane_bcast[] = PARAMS(ON_LANES(tmap_bcast_phases),
						   ON_NODES("scatter", tmap_scatter_phases),
						   ON_NODES("allgather", tmap_allgather_phases));
const struct tmap_param tmap_lane_reduce[] = PARAMS(ON_LANES(tmap_reduce_phases),
						    REDUCE_SCATTER_ON_NODES("reduce_scatter"),
						    ON_NODES("gather", tmap_gather_phases));
const struct tmap_param tmap_lane_gather[] =
	PARAMS(ON_LANES(tmap_gather_phases), ON_NODES("node", tmap_gather_phases));
const struct tmap_param tmap_lane_scatter[] =
	PARAMS(ON_LANES(tmap_scatter_phases), ON_NODES("node", tmap_scatter_phases));
const struct tmap_param tmap_lane_allgather[] =
	PARAMS(ON_LANES(tmap_allgather_phases), ON_NODES("node", tmap_allgather_phases));
const struct tmap_param tmap_lane_allreduce[] = PARAMS(
	AUTO("inner",
	     "algorithm on the lanes; auto: rabenseifner for a power of two, else circulant",
	     allreduce_words),
	REDUCE_SCATTER_ON_NODES("reduce_scatter"), ON_NODES("allgather", tmap_allgather_phases));
const struct tmap_param tmap_lane_reduce_scatter[] = PARAMS(
	AUTO("inner",
	     "algorithm on the lanes; auto: recursive_halving for a power of two, else circulant",
	     reduce_scatter_words),
	REDUCE_SCATTER_ON_NODES("node"));
const struct tmap_param tmap_lane_alltoall[] =
	PARAMS(ON_LANES(tmap_alltoall_phases), ON_NODES("node", tmap_alltoall_phases));
const struct tmap_param tmap_lane_scan[] = PARAMS(
	WORDS("inner", "algorithm on the lanes, and of scans on the nodes", tmap_scan_phases),
	REDUCE_SCATTER_ON_NODES("reduce_scatter"), ON_NODES("allgather", tmap_allgather_phases));

/* The phase of a step, but for its algorithm. */
static struct tmap_phase step_phase(struct tmap_lane_work *work, const struct step *step)
{
	const struct tmap_lanes *lanes = &work->lanes;
	int nodes = lanes->node_count, root = work->root_node;
	const int *item = work->order;
	struct tmap_phase phase = {
		.block = { TMAP_LIST_PART, item, work->block.first, work->block.count, 0 },
		.receivers = { TMAP_LIST_PART, lanes->rank, work->receivers.first,
			       work->receivers.count, 0 }
	};

	switch (step->where) {
	case GROUPS:
	case LATER_GROUPS:
		phase.teams = tmap_lane_groups(work, step->where == LATER_GROUPS);
		phase.block.kind = step->collective == TMAP_SCATTER ? TMAP_LIST_ALL : TMAP_LIST_OWN;
		phase.receivers.kind = step->collective == TMAP_SCATTER ? TMAP_LIST_OWN :
									  TMAP_LIST_ALL;
		if (tmap_call_algorithm(work->call)->collective != TMAP_ALLTOALL)
			phase.block.kind = TMAP_LIST_OWN;
		break;
	case ACROSS:
		phase.teams = tmap_lane_across(work);
		phase.slice = work->slice;
		if (work->is_full)
			phase.block.kind = TMAP_LIST_OWN;
		break;
	case NODES:
		phase.teams = (struct tmap_comms){ nodes, lanes->first, lanes->rank, NULL };
		break;
	default:
		phase.block.period = work->is_full ? work->lanes.lane_count : 0;
		phase.teams = tmap_lane_leaders(
			work, step->where == ROOT_LEADERS ? root : step->where == LATER_LEADERS,
			step->where == ROOT_LEADERS ? root + 1 : nodes);
	}
	return phase;
}

/* Groups of one rank have nothing to do among themselves. */
static bool step_is_idle(const struct tmap_lane_work *work, const struct step *step)
{
	return (step->where == GROUPS || step->where == LATER_GROUPS) &&
		tmap_lanes_are_single(&work->lanes);
}

static bool teams_are_powers_of_two(const struct tmap_comms *teams)
{
	for (int t = 0; t < teams->count; t++) {
		int size = teams->start[t + 1] - teams->start[t];

		if (size & (size - 1))
			return false;
	}
	return true;
}

/* The word of a parameter that such a step runs: its own, or what "auto" stands for in these
 * teams. */
static int64_t step_word(const struct step *step, int64_t value, const struct tmap_comms *teams)
{
	enum tmap_collective collective = step->collective;
	const char *name, *wanted;

	if (tmap_phase_name(collective, value))
		return value;
	wanted = teams_are_powers_of_two(teams) ? automatic[collective].power_of_two :
						  automatic[collective].other;
	for (value = 0; (name = tmap_phase_name(collective, value)); value++)
		if (strcmp(name, wanted) == 0)
			break;
	return value;
}

/* Emit the steps one after the other; without an emit only check that they can be run. *choice gets
 * the words that are. */
static int lane_steps_run(struct tmap_lane_work *work, struct tmap_emit *emit,
			  struct tmap_spec *choice, struct tmap_error *err)
{
	const struct tmap_call *call = work->call;
	const struct step *step = steps[tmap_call_algorithm(call)->collective];
	int status = 0;

	for (; step->where != END && status == 0; step++) {
		struct tmap_phase phase;
		int64_t word = 0;

		if (step_is_idle(work, step))
			continue;
		phase = step_phase(work, step);
		if (step->param != FIRST_WORD)
			choice->value[step->param] = word =
				step_word(step, call->choice.value[step->param], &phase.teams);
		phase.choice = tmap_phase_spec(step->collective, word);
		if (emit)
			emit->on = step->on;
		status = emit ? tmap_phase_emit(emit, &phase) : tmap_phase_check(&phase, err);
	}
	return status;
}

static int lane_run(const struct tmap_call *call, struct tmap_emit *emit, struct tmap_spec *choice,
		    struct tmap_error *err)
{
	struct tmap_lane_work work;
	struct tmap_spec made = call->choice;
	int status = tmap_lane_work_init(&work, call, (int)call->choice.value[LANES], err);

	if (status < 0)
		return -1;
	status = lane_steps_run(&work, emit, &made, err);
	tmap_lane_work_fini(&work);
	if (status == 0 && choice)
		*choice = made;
	return status;
}

int tmap_lane_check(const struct tmap_call *call, struct tmap_error *err)
{
	return lane_run(call, NULL, NULL, err);
}

int tmap_lane_resolve(const struct tmap_call *call, struct tmap_spec *choice,
		      struct tmap_error *err)
{
	return lane_run(call, NULL, choice, err);
}

int tmap_lane(struct tmap_emit *emit)
{
	return lane_run(emit->call, emit, NULL, emit->err);
}
