#include "core/algorithms/lane_work.h"

#include "core/base/mem.h"

#include <limits.h>
#include <stdlib.h>

void tmap_lane_work_fini(struct tmap_lane_work *work)
{
	tmap_lanes_fini(&work->lanes);
	free(work->order);
	free(work->block_first);
	free(work->block_count);
	free(work->node_first);
	free(work->node_count);
	free(work->lane_start);
	free(work->lane_member);
	free(work->lane_root);
	free(work->start);
	free(work->root);
	free(work->lane_first);
	free(work->slice);
	free(work->first);
	free(work->count);
	free(work->group_first);
	free(work->group_count);
	*work = (struct tmap_lane_work){ 0 };
}

static bool is_scan(const struct tmap_call *call)
{
	enum tmap_collective collective = tmap_call_algorithm(call)->collective;

	return collective == TMAP_SCAN || collective == TMAP_EXSCAN;
}

static int form_lanes(struct tmap_lane_work *work, int k, struct tmap_error *err)
{
	const struct tmap_call *call = work->call;
	const struct tmap_placement *placement = call->metric->placement;
	const struct tmap_collective_row *row =
		&tmap_collective_rows[tmap_call_algorithm(call)->collective];
	struct tmap_order order;

	if (tmap_order_find(&order, placement, err) < 0)
		return -1;
	if (is_scan(call) && !order.consecutive)
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
	return 0;
}

static int allocate(struct tmap_lane_work *work, struct tmap_error *err)
{
	size_t lanes = (size_t)work->lanes.lane_count, groups = (size_t)work->groups;
	size_t members = lanes * (size_t)work->lanes.node_count;

#define ROOM(member, count) (work->member = tmap_alloc_raw(count, sizeof *work->member, err))
	return ROOM(order, (size_t)work->call->size) && ROOM(block_first, members) &&
			ROOM(block_count, members) && ROOM(node_first, members) &&
			ROOM(node_count, members) && ROOM(lane_start, lanes + 1) &&
			ROOM(lane_member, members) && ROOM(lane_root, lanes) &&
			ROOM(start, groups + 1) && ROOM(root, groups) &&
			ROOM(lane_first, lanes + 1) && ROOM(slice, lanes) && ROOM(first, groups) &&
			ROOM(count, groups) && ROOM(group_first, groups) &&
			ROOM(group_count, groups) ?
		0 :
		-1;
}

/* Where a lane begins in a vector that is cut by as many. */
static int64_t cut(const struct tmap_lane_work *work, int64_t lane)
{
	int64_t units = tmap_unit_count(work->call), lanes = work->lanes.lane_count;

	return lane * (units / lanes) + (lane < units % lanes ? lane : units % lanes);
}

/* The group of node i that puts its blocks into a lane, or TMAP_NONE. */
static int group_in(const struct tmap_lanes *lanes, int node, int lane)
{
	int group = (int)((int64_t)lane * tmap_lanes_groups(lanes, node) / lanes->lane_count);

	return tmap_lanes_first_lane(lanes, node, group) == lane ? group : TMAP_NONE;
}

/* The members of a lane and their blocks; *at moves on in order[]. */
static void fill_lane(struct tmap_lane_work *work, int lane, int *at)
{
	const struct tmap_lanes *lanes = &work->lanes;

	for (int i = 0; i < lanes->node_count; i++) {
		int64_t seat = (int64_t)lane * lanes->node_count + i;
		int group = group_in(lanes, i, lane), begin = 0, end = 0;

		work->lane_member[seat] = tmap_lanes_driver(lanes, i, lane);
		work->node_first[seat] = lanes->first[i];
		work->node_count[seat] = tmap_lanes_ranks(lanes, i);
		if (group != TMAP_NONE)
			tmap_lanes_group(lanes, i, group, &begin, &end);
		work->block_first[seat] = *at;
		work->block_count[seat] = end - begin;
		for (; begin < end; begin++)
			work->order[(*at)++] = lanes->rank[begin];
	}
}

static void fill_lanes(struct tmap_lane_work *work)
{
	int count = work->lanes.lane_count, at = 0;

	for (int l = 0; l < count; l++) {
		int64_t begin = cut(work, l);

		work->lane_first[l] = work->is_one_vector ? begin : at;
		work->lane_start[l] = l * work->lanes.node_count;
		work->lane_root[l] = work->root_node;
		work->slice[l] = (struct tmap_run){ begin, cut(work, l + 1) - begin, 1 };
		fill_lane(work, l, &at);
	}
	work->lane_first[count] = work->is_one_vector ? cut(work, count) : at;
	work->lane_start[count] = count * work->lanes.node_count;
}

static void fill_leaders(struct tmap_lane_work *work)
{
	const struct tmap_lanes *lanes = &work->lanes;

	for (int i = 0; i < lanes->node_count; i++)
		for (int g = 0; g < tmap_lanes_groups(lanes, i); g++) {
			int at = lanes->group_first[i] + g, begin, end;

			tmap_lanes_group(lanes, i, g, &begin, &end);
			work->group_first[at] = begin;
			work->group_count[at] = end - begin;
			work->first[at] = work->lane_first[tmap_lanes_first_lane(lanes, i, g)];
			work->count[at] = work->lane_first[tmap_lanes_first_lane(lanes, i, g + 1)] -
				work->first[at];
		}
}

int tmap_lane_work_init(struct tmap_lane_work *work, const struct tmap_call *call, int lanes,
			struct tmap_error *err)
{
	*work = (struct tmap_lane_work){ .call = call,
					 .is_one_vector = tmap_call_algorithm(call)->pieces ==
						 tmap_piece_a_byte };
	if (form_lanes(work, lanes, err) < 0 || allocate(work, err) < 0) {
		tmap_lane_work_fini(work);
		return -1;
	}
	fill_lanes(work);
	fill_leaders(work);
	return 0;
}

/* Where a rank stands among others. */
static int seat_of(const int *member, int rank)
{
	int seat = 0;

	while (member[seat] != rank)
		seat++;
	return seat;
}

struct tmap_comms tmap_lane_groups(struct tmap_lane_work *work, int from)
{
	const struct tmap_lanes *lanes = &work->lanes;
	int first = lanes->group_first[from];

	for (int g = first; g < work->groups; g++) {
		int begin = (int)work->group_first[g];

		work->start[g - first] = begin;
		work->start[g - first + 1] = begin + (int)work->group_count[g];
		work->root[g - first] = seat_of(lanes->rank + begin, lanes->leader[g]);
	}
	return (struct tmap_comms){ work->groups - first, work->start, lanes->rank, work->root };
}

struct tmap_comms tmap_lane_leaders(struct tmap_lane_work *work, int from, int to)
{
	const struct tmap_lanes *lanes = &work->lanes;
	bool has_root = tmap_collective_rows[tmap_call_algorithm(work->call)->collective].has_root;

	for (int i = from; i < to; i++) {
		work->start[i - from] = lanes->group_first[i];
		work->start[i - from + 1] = lanes->group_first[i + 1];
		work->root[i - from] = has_root && i == work->root_node ?
			seat_of(lanes->leader + lanes->group_first[i], work->call->root) :
			0;
	}
	return (struct tmap_comms){ to - from, work->start, lanes->leader, work->root };
}
