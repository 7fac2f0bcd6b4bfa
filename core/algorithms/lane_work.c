/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/algorithms/lane_work.h"

#include "core/base/mem.h"

#include <limits.h>
#include <stdlib.h>

void tmap_lane_work_fini(struct tmap_lane_work *work)
{
	tmap_lanes_fini(&work->lanes);
	if (work->order != work->member)
		free(work->order);
	free(work->block.first);
	free(work->block.count);
	free(work->receivers.first);
	free(work->receivers.count);
	free(work->start);
	free(work->member);
	free(work->root);
	free(work->team_start);
	free(work->team_root);
	free(work->begin);
	free(work->slice);
	*work = (struct tmap_lane_work){ 0 };
}

static bool call_is_scan(const struct tmap_call *call)
{
	enum tmap_collective collective = tmap_call_algorithm(call)->collective;

	return collective == TMAP_SCAN || collective == TMAP_EXSCAN;
}

static bool call_is_alltoall(const struct tmap_call *call)
{
	return tmap_call_algorithm(call)->collective == TMAP_ALLTOALL;
}

static int lanes_form(struct tmap_lane_work *work, int k, struct tmap_error *err)
{
	const struct tmap_call *call = work->call;
	const struct tmap_placement *placement = call->metric->placement;
	const struct tmap_collective_row *row =
		&tmap_collective_rows[tmap_call_algorithm(call)->collective];
	struct tmap_order order;

	if (tmap_order_find(&order, placement, err) < 0)
		return -1;
	if (call_is_scan(call) && !order.consecutive)
		return tmap_fail(err, TMAP_INPUT,
				 "lanes of %s need nodes that hold intervals of "
				 "ranks, one after the other",
				 row->word.name);
	if (tmap_lanes_init(&work->lanes, placement, k ? k : order.ranks_usual, err) < 0)
		return -1;
	if ((int64_t)work->lanes.lane_count * work->lanes.node_count > INT_MAX)
		return tmap_fail(err, TMAP_INPUT,
				 "%d lanes over %d nodes have more than 2^31 - 1 "
				 "members",
				 work->lanes.lane_count, work->lanes.node_count);
	if (row->has_root)
		tmap_lanes_elect(&work->lanes, call->root);
	while (work->lanes.node[work->root_node] != placement->node[call->root])
		work->root_node++;
	work->groups = work->lanes.group_first[work->lanes.node_count];
	work->is_full = tmap_lanes_are_single(&work->lanes) &&
		work->groups == work->lanes.lane_count * work->lanes.node_count;
	return 0;
}

static int lane_work_allocate(struct tmap_lane_work *work, struct tmap_error *err)
{
	size_t lanes = (size_t)work->lanes.lane_count, groups = (size_t)work->groups;
	size_t members = lanes * (size_t)work->lanes.node_count;
	size_t most = members > groups ? members : groups, blocks = work->is_full ? lanes : most;
	size_t teams = tmap_lanes_are_single(&work->lanes) ? (size_t)work->lanes.node_count :
							     groups;
	bool has_order = !work->is_full && !work->is_one_vector;

#define ROOM(name, size) (work->name = tmap_alloc_raw(size, sizeof *work->name, err))
#define STRETCHES(name, size) (ROOM(name.first, size) && ROOM(name.count, size))
	return ROOM(start, lanes + 1) && ROOM(member, members) && ROOM(root, lanes) &&
			ROOM(slice, lanes) && ROOM(begin, lanes + 1) &&
			(!has_order || ROOM(order, (size_t)work->call->size)) &&
			ROOM(team_start, teams + 1) && ROOM(team_root, teams) &&
			STRETCHES(block, blocks) &&
			(!call_is_alltoall(work->call) || STRETCHES(receivers, most)) ?
		0 :
		-1;
#undef STRETCHES
#undef ROOM
}

/* Where a lane begins in a vector that is cut by as many. */
static int64_t lane_begin(const struct tmap_lane_work *work, int64_t lane)
{
	int64_t units = tmap_unit_count(work->call), lanes = work->lanes.lane_count;

	return lane * (units / lanes) + (lane < units % lanes ? lane : units % lanes);
}

/* The group of node i that puts its blocks into a lane, or TMAP_NONE. */
static int lane_group(const struct tmap_lanes *lanes, int node, int lane)
{
	int group = (int)((int64_t)lane * tmap_lanes_groups(lanes, node) / lanes->lane_count);

	return tmap_lanes_first_lane(lanes, node, group) == lane ? group : TMAP_NONE;
}

/* The members of a lane, and their ranks in order[], where *at moves on. */
static void lane_fill(struct tmap_lane_work *work, int lane, int *at)
{
	const struct tmap_lanes *lanes = &work->lanes;

	for (int i = 0; i < lanes->node_count; i++) {
		int64_t member = (int64_t)lane * lanes->node_count + i;
		int group = lane_group(lanes, i, lane), begin = 0, end = 0;

		work->member[member] = tmap_lanes_driver(lanes, i, lane);
		if (group != TMAP_NONE)
			tmap_lanes_group(lanes, i, group, &begin, &end);
		for (int r = begin; work->order && r < end; r++)
			work->order[*at + r - begin] = lanes->rank[r];
		*at += end - begin;
	}
}

static void lanes_fill(struct tmap_lane_work *work)
{
	int count = work->lanes.lane_count, at = 0;

	if (work->is_full && !work->is_one_vector)
		work->order = work->member;
	for (int l = 0; l < count; l++) {
		int64_t begin = lane_begin(work, l);

		work->begin[l] = work->is_one_vector ? begin : at;
		work->start[l] = l * work->lanes.node_count;
		work->root[l] = work->root_node;
		work->slice[l] = (struct tmap_run){ begin, lane_begin(work, l + 1) - begin, 1 };
		lane_fill(work, l, &at);
	}
	work->begin[count] = work->is_one_vector ? lane_begin(work, count) : at;
	work->start[count] = count * work->lanes.node_count;
}

int tmap_lane_work_init(struct tmap_lane_work *work, const struct tmap_call *call, int lanes,
			struct tmap_error *err)
{
	*work = (struct tmap_lane_work){ .call = call,
					 .is_one_vector = tmap_call_algorithm(call)->pieces ==
						 tmap_piece_a_byte };
	if (lanes_form(work, lanes, err) < 0 || lane_work_allocate(work, err) < 0) {
		tmap_lane_work_fini(work);
		return -1;
	}
	lanes_fill(work);
	return 0;
}

/* The number of a rank among the members of a communicator. */
static int member_find(const int *member, int rank)
{
	int i = 0;

	while (member[i] != rank)
		i++;
	return i;
}

struct tmap_comms tmap_lane_groups(struct tmap_lane_work *work, int from)
{
	const struct tmap_lanes *lanes = &work->lanes;
	int first = lanes->group_first[from];

	for (int i = from; i < lanes->node_count; i++)
		for (int g = lanes->group_first[i]; g < lanes->group_first[i + 1]; g++) {
			int begin, end;

			tmap_lanes_group(lanes, i, g - lanes->group_first[i], &begin, &end);
			work->team_start[g - first] = begin;
			work->team_start[g - first + 1] = end;
			work->team_root[g - first] =
				member_find(lanes->rank + begin, lanes->leader[g]);
		}
	return (struct tmap_comms){ work->groups - first, work->team_start, lanes->rank,
				    work->team_root };
}

/* Of each node's group in a lane its ranks, in order[]; the receivers are all ranks of the node. Nobody asks
 * for that where the lane has a slice of a vector. */
static void across_fill(struct tmap_lane_work *work)
{
	const struct tmap_lanes *lanes = &work->lanes;
	int64_t member = 0, at = 0;
	bool has_block = !work->is_full && !work->is_one_vector;

	for (int lane = 0; lane < lanes->lane_count; lane++)
		for (int i = 0; i < lanes->node_count; i++, member++) {
			int group = lane_group(lanes, i, lane), begin = 0, end = 0;

			if (group != TMAP_NONE)
				tmap_lanes_group(lanes, i, group, &begin, &end);
			if (has_block) {
				work->block.first[member] = at;
				work->block.count[member] = end - begin;
			}
			at += end - begin;
			if (!work->receivers.first)
				continue;
			work->receivers.first[member] = lanes->first[i];
			work->receivers.count[member] = tmap_lanes_ranks(lanes, i);
		}
}

/* Of each leader what it has of its node; the receivers are the ranks of its group. */
static void leaders_fill(struct tmap_lane_work *work)
{
	const struct tmap_lanes *lanes = &work->lanes;

	for (int i = 0; i < lanes->node_count; i++)
		for (int g = 0; g < tmap_lanes_groups(lanes, i); g++) {
			int at = lanes->group_first[i] + g, begin, end;
			int64_t first = work->begin[tmap_lanes_first_lane(lanes, i, g)];

			if (i == 0 || !work->is_full) {
				work->block.first[at] = first;
				work->block.count[at] =
					work->begin[tmap_lanes_first_lane(lanes, i, g + 1)] - first;
			}
			if (!work->receivers.first)
				continue;
			tmap_lanes_group(lanes, i, g, &begin, &end);
			work->receivers.first[at] = begin;
			work->receivers.count[at] = end - begin;
		}
}

struct tmap_comms tmap_lane_across(struct tmap_lane_work *work)
{
	across_fill(work);
	return (struct tmap_comms){ work->lanes.lane_count, work->start, work->member, work->root };
}

struct tmap_comms tmap_lane_leaders(struct tmap_lane_work *work, int from, int to)
{
	const struct tmap_lanes *lanes = &work->lanes;
	bool has_root = tmap_collective_rows[tmap_call_algorithm(work->call)->collective].has_root;

	leaders_fill(work);
	for (int i = from; i < to; i++) {
		work->team_start[i - from] = lanes->group_first[i];
		work->team_start[i - from + 1] = lanes->group_first[i + 1];
		work->team_root[i - from] = has_root && i == work->root_node ?
			member_find(lanes->leader + lanes->group_first[i], work->call->root) :
			0;
	}
	return (struct tmap_comms){ to - from, work->team_start, lanes->leader, work->team_root };
}
