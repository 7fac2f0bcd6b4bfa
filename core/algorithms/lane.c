#include "core/algorithms/lane.h"

#include "core/algorithms/lane_work.h"

enum { LANES, INNER, THIRD, FOURTH, FIRST_WORD = -1 }; /* parameters; or the first of the words */
enum { RABENSEIFNER = 3 }; /* of tm_allreduce_phases: the fewest bytes at any size */

/* Which communicators: groups with their leaders, the leaders of each node, of the root's node
 * only, of all but the first node, the lanes, or all ranks of each node. */
enum where { END, GROUPS, LATER_GROUPS, LEADERS, ROOT_LEADERS, LATER_LEADERS, ACROSS, NODES };

struct step {
	enum where where;
	enum tm_collective collective;
	int param;           /* that says which algorithm */
	enum tm_buffer on;
};

enum { MOST_STEPS = 6 };

static const struct step steps[TM_COLLECTIVE_COUNT][MOST_STEPS + 1] = {
	[TM_BCAST] = {
		{ ROOT_LEADERS, TM_SCATTER, THIRD, 0 }, { ACROSS, TM_BCAST, INNER, 0 },
		{ LEADERS, TM_ALLGATHER, FOURTH, 0 }, { GROUPS, TM_BCAST, FIRST_WORD, 0 } },
	[TM_ALLGATHER] = {
		{ GROUPS, TM_GATHER, FIRST_WORD, 0 }, { ACROSS, TM_ALLGATHER, INNER, 0 },
		{ LEADERS, TM_ALLGATHER, THIRD, 0 }, { GROUPS, TM_BCAST, FIRST_WORD, 0 } },
	[TM_GATHER] = {
		{ GROUPS, TM_GATHER, FIRST_WORD, 0 }, { ACROSS, TM_GATHER, INNER, 0 },
		{ ROOT_LEADERS, TM_GATHER, THIRD, 0 } },
	[TM_SCATTER] = {
		{ ROOT_LEADERS, TM_SCATTER, THIRD, 0 }, { ACROSS, TM_SCATTER, INNER, 0 },
		{ GROUPS, TM_SCATTER, FIRST_WORD, 0 } },
	[TM_REDUCE] = {
		{ GROUPS, TM_REDUCE, FIRST_WORD, 0 }, { LEADERS, TM_REDUCE_SCATTER, THIRD, 0 },
		{ ACROSS, TM_REDUCE, INNER, 0 }, { ROOT_LEADERS, TM_GATHER, FOURTH, 0 } },
	[TM_ALLREDUCE] = {
		{ GROUPS, TM_REDUCE, FIRST_WORD, 0 }, { LEADERS, TM_REDUCE_SCATTER, THIRD, 0 },
		{ ACROSS, TM_ALLREDUCE, INNER, 0 }, { LEADERS, TM_ALLGATHER, FOURTH, 0 },
		{ GROUPS, TM_BCAST, FIRST_WORD, 0 } },
	[TM_REDUCE_SCATTER] = {
		{ GROUPS, TM_REDUCE, FIRST_WORD, 0 }, { LEADERS, TM_REDUCE_SCATTER, THIRD, 0 },
		{ ACROSS, TM_REDUCE_SCATTER, INNER, 0 }, { GROUPS, TM_SCATTER, FIRST_WORD, 0 } },
	[TM_REDUCE_SCATTER_BLOCK] = {
		{ GROUPS, TM_REDUCE, FIRST_WORD, 0 }, { LEADERS, TM_REDUCE_SCATTER, THIRD, 0 },
		{ ACROSS, TM_REDUCE_SCATTER, INNER, 0 }, { GROUPS, TM_SCATTER, FIRST_WORD, 0 } },
	[TM_ALLTOALL] = {
		{ GROUPS, TM_GATHER, FIRST_WORD, 0 }, { ACROSS, TM_ALLTOALL, INNER, 0 },
		{ LEADERS, TM_ALLTOALL, THIRD, 0 }, { GROUPS, TM_SCATTER, FIRST_WORD, 0 } },
#define SCAN_STEPS \
		{ GROUPS, TM_REDUCE, FIRST_WORD, TM_COPY }, \
		{ LEADERS, TM_REDUCE_SCATTER, THIRD, TM_COPY }, \
		{ ACROSS, TM_EXSCAN, INNER, TM_COPY_SCAN }, \
		{ LATER_LEADERS, TM_ALLGATHER, FOURTH, TM_ANSWER }, \
		{ LATER_GROUPS, TM_BCAST, FIRST_WORD, TM_ANSWER }
	[TM_SCAN] = { SCAN_STEPS, { NODES, TM_SCAN, INNER, TM_VECTOR } },
	[TM_EXSCAN] = { SCAN_STEPS, { NODES, TM_EXSCAN, INNER, TM_VECTOR } },
};

#define WORDS(name, text, list) { .key = name, .summary = text, .words = list, .most = 63 }
#define LANES_PARAM { .key = "lanes", .summary = "of each node; 0: as many as most nodes have " \
		      "ranks; 1: one leader a node", .most = INT32_MAX }
#define ON_LANES(list) WORDS("inner", "algorithm on the lanes", list)
#define ON_NODES(name, list) WORDS(name, "algorithm on the nodes", list)
#define PARAMS(...) { LANES_PARAM, __VA_ARGS__, { .key = NULL } }

const struct tm_param tm_lane_bcast[] = PARAMS(
	ON_LANES(tm_bcast_phases), ON_NODES("scatter", tm_scatter_phases),
	ON_NODES("allgather", tm_allgather_phases));
const struct tm_param tm_lane_reduce[] = PARAMS(
	ON_LANES(tm_reduce_phases), ON_NODES("reduce_scatter", tm_reduce_scatter_phases),
	ON_NODES("gather", tm_gather_phases));
const struct tm_param tm_lane_gather[] = PARAMS(
	ON_LANES(tm_gather_phases), ON_NODES("node", tm_gather_phases));
const struct tm_param tm_lane_scatter[] = PARAMS(
	ON_LANES(tm_scatter_phases), ON_NODES("node", tm_scatter_phases));
const struct tm_param tm_lane_allgather[] = PARAMS(
	ON_LANES(tm_allgather_phases), ON_NODES("node", tm_allgather_phases));
const struct tm_param tm_lane_allreduce[] = PARAMS(
	{ .key = "inner", .summary = "algorithm on the lanes", .words = tm_allreduce_phases,
	  .preset = RABENSEIFNER, .most = 63 },
	ON_NODES("reduce_scatter", tm_reduce_scatter_phases),
	ON_NODES("allgather", tm_allgather_phases));
const struct tm_param tm_lane_reduce_scatter[] = PARAMS(
	ON_LANES(tm_reduce_scatter_phases), ON_NODES("node", tm_reduce_scatter_phases));
const struct tm_param tm_lane_alltoall[] = PARAMS(
	ON_LANES(tm_alltoall_phases), ON_NODES("node", tm_alltoall_phases));
const struct tm_param tm_lane_scan[] = PARAMS(
	WORDS("inner", "algorithm on the lanes, and of scans on the nodes", tm_scan_phases),
	ON_NODES("reduce_scatter", tm_reduce_scatter_phases),
	ON_NODES("allgather", tm_allgather_phases));

/* The phase of a step, but for its algorithm. */
static struct tm_phase phase_of(struct tm_lane_work *work, const struct step *step)
{
	const struct tm_lanes *lanes = &work->lanes;
	int nodes = lanes->node_count, root = work->root_node;
	const int *item = work->is_one_vector ? NULL : work->order;
	struct tm_lists order = { TM_LIST_PART, item, NULL, NULL };
	struct tm_phase phase = { .block = order, .receivers = { TM_LIST_PART, lanes->rank, NULL,
								 NULL } };

	switch (step->where) {
	case GROUPS: case LATER_GROUPS:
		phase.teams = tm_lane_groups(work, step->where == LATER_GROUPS);
		phase.block.kind = step->collective == TM_SCATTER ? TM_LIST_ALL : TM_LIST_OWN;
		phase.receivers.kind = step->collective == TM_SCATTER ? TM_LIST_OWN : TM_LIST_ALL;
		if (tm_call_algorithm(work->call)->collective != TM_ALLTOALL)
			phase.block.kind = TM_LIST_OWN;
		break;
	case ACROSS:
		phase.teams = (struct tm_teams){ lanes->lane_count, work->lane_start,
						 work->lane_member, work->lane_root };
		phase.slice = work->slice;
		phase.block.first = work->block_first;
		phase.block.count = work->block_count;
		phase.receivers.first = work->node_first;
		phase.receivers.count = work->node_count;
		break;
	case NODES:
		phase.teams = (struct tm_teams){ nodes, lanes->first, lanes->rank, NULL };
		break;
	default:
		phase.teams = tm_lane_leaders(work, step->where == ROOT_LEADERS ? root :
					      step->where == LATER_LEADERS,
					      step->where == ROOT_LEADERS ? root + 1 : nodes);
		phase.block.first = work->first;
		phase.block.count = work->count;
		phase.receivers.first = work->group_first;
		phase.receivers.count = work->group_count;
	}
	return phase;
}

/* Takes the steps one after the other; without an emit it is only looked whether they can be. */
static int walk(struct tm_lane_work *work, struct tm_emit *emit, struct tm_error *err)
{
	const struct tm_call *call = work->call;
	const struct step *step = steps[tm_call_algorithm(call)->collective];
	int status = 0;

	for (; step->where != END && status == 0; step++) {
		struct tm_phase phase = phase_of(work, step);

		phase.choice = tm_phase_choice(step->collective, step->param == FIRST_WORD ? 0 :
					       call->choice.value[step->param]);
		if (emit)
			emit->on = step->on;
		status = emit ? tm_phase_emit(emit, &phase) : tm_phase_check(&phase, err);
	}
	return status;
}

int tm_lane_check(const struct tm_call *call, struct tm_error *err)
{
	struct tm_lane_work work;
	int status = tm_lane_work_init(&work, call, (int)call->choice.value[LANES], err);

	if (status < 0)
		return -1;
	status = walk(&work, NULL, err);
	tm_lane_work_fini(&work);
	return status;
}

int tm_lane(struct tm_emit *emit)
{
	struct tm_lane_work work;
	int status = tm_lane_work_init(&work, emit->call, (int)emit->call->choice.value[LANES],
				       emit->err);

	if (status < 0)
		return -1;
	status = walk(&work, emit, emit->err);
	tm_lane_work_fini(&work);
	return status;
}
