#include "core/group/lanes.h"

#include "core/machine/device.h"
#include "core/machine/node_fold.h"
#include "core/base/mem.h"

#include <stdlib.h>

void tm_lanes_fini(struct tm_lanes *lanes)
{
	free(lanes->node);
	free(lanes->first);
	free(lanes->rank);
	free(lanes->group_first);
	free(lanes->leader);
	*lanes = (struct tm_lanes){ 0 };
}

int tm_lanes_ranks(const struct tm_lanes *lanes, int node)
{
	return lanes->first[node + 1] - lanes->first[node];
}

int tm_lanes_groups(const struct tm_lanes *lanes, int node)
{
	return lanes->group_first[node + 1] - lanes->group_first[node];
}

int tm_lanes_driver(const struct tm_lanes *lanes, int node, int lane)
{
	int groups = tm_lanes_groups(lanes, node);

	if (lanes->is_virtual)
		lane = (int)((int64_t)lane * groups / lanes->lane_count);
	return lane < groups ? lanes->leader[lanes->group_first[node] + lane] : TM_NONE;
}

int tm_lanes_first_lane(const struct tm_lanes *lanes, int node, int group)
{
	int64_t groups = tm_lanes_groups(lanes, node), all = lanes->lane_count;

	return lanes->is_virtual ? (int)((group * all + groups - 1) / groups) : group;
}

void tm_lanes_group(const struct tm_lanes *lanes, int node, int group, int *begin, int *end)
{
	int64_t ranks = tm_lanes_ranks(lanes, node), groups = tm_lanes_groups(lanes, node);

	*begin = lanes->first[node] + (int)(ranks * group / groups);
	*end = lanes->first[node] + (int)(ranks * (group + 1) / groups);
}

void tm_lanes_elect(struct tm_lanes *lanes, int rank)
{
	int node = 0, begin, end;

	while (lanes->node[node] != lanes->placement->node[rank])
		node++;
	for (int g = 0; g < tm_lanes_groups(lanes, node); g++) {
		tm_lanes_group(lanes, node, g, &begin, &end);
		for (int i = begin; i < end; i++)
			if (lanes->rank[i] == rank)
				lanes->leader[lanes->group_first[node] + g] = rank;
	}
}

static int compare_ranks(const void *a, const void *b)
{
	const int *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

int tm_lanes_members(const struct tm_lanes *lanes, int lane, int *member)
{
	bool is_rising = true;
	int count = 0;

	for (int i = 0; i < lanes->node_count; i++) {
		int driver = tm_lanes_driver(lanes, i, lane);

		if (driver == TM_NONE)
			continue;
		is_rising = is_rising && (count == 0 || member[count - 1] < driver);
		member[count++] = driver;
	}
	if (!is_rising)
		qsort(member, (size_t)count, sizeof *member, compare_ranks);
	return count;
}

bool tm_lanes_are_plain(const struct tm_lanes *lanes)
{
	return lanes->node_count > 1 && lanes->order.regular && lanes->order.consecutive;
}

/* The nodes in the order of their smallest rank, with their ranks. */
static int sort_nodes(struct tm_lanes *lanes, struct tm_error *err)
{
	const struct tm_placement *p = lanes->placement;
	struct tm_node_fold fold = { 0 };
	int at = 0;

	if (tm_node_fold_init(&fold, p, err) < 0)
		return -1;
	for (int r = 0; r < p->size; r++) {
		int n = p->node[r];

		if (fold.rank[fold.first[n]] != r)
			continue;
		lanes->node[lanes->node_count] = n;
		lanes->first[lanes->node_count++] = at;
		for (int i = fold.first[n]; i < fold.first[n + 1]; i++)
			lanes->rank[at++] = fold.rank[i];
	}
	lanes->first[lanes->node_count] = at;
	tm_node_fold_fini(&fold);
	return 0;
}

/* How near an adapter is to each place: PUs of the smallest object that holds both. */
static int *find_reach(const struct tm_placement *p, struct tm_error *err)
{
	int *reach = tm_alloc((size_t)p->place_count, sizeof *reach, err);

	for (int i = 0; reach && i < p->place_count; i++) {
		const struct tm_place *place = &p->places[i];

		reach[i] = tm_adapter_reach(&p->machine->topology[place->topology], place->object);
	}
	return reach;
}

static int closest(const struct tm_lanes *lanes, const int *reach, int begin, int end)
{
	const int *place = lanes->placement->place;
	int best = lanes->rank[begin];

	for (int i = begin + 1; i < end; i++)
		if (reach[place[lanes->rank[i]]] < reach[place[best]])
			best = lanes->rank[i];
	return best;
}

static int form_groups(struct tm_lanes *lanes, struct tm_error *err)
{
	int *reach = find_reach(lanes->placement, err);
	int at = 0;

	if (!reach)
		return -1;
	for (int i = 0; i < lanes->node_count; i++) {
		int ranks = tm_lanes_ranks(lanes, i);

		lanes->group_first[i] = at;
		at += ranks < lanes->lane_count ? ranks : lanes->lane_count;
		lanes->group_first[i + 1] = at;
		for (int g = 0; g < tm_lanes_groups(lanes, i); g++) {
			int begin, end;

			tm_lanes_group(lanes, i, g, &begin, &end);
			lanes->leader[lanes->group_first[i] + g] =
				closest(lanes, reach, begin, end);
		}
	}
	free(reach);
	return 0;
}

static int fill(struct tm_lanes *lanes, int k, struct tm_error *err)
{
	size_t size = (size_t)lanes->placement->size, nodes;

	if (tm_order_find(&lanes->order, lanes->placement, err) < 0)
		return -1;
	if (k != TM_NONE && (k < 1 || k > lanes->order.ranks_max))
		return tm_fail(err, TM_INPUT, "%d lanes are not possible: the fullest node has %d "
			       "rank%s", k, lanes->order.ranks_max,
			       lanes->order.ranks_max == 1 ? "" : "s");
	lanes->lane_count = k == TM_NONE ? lanes->order.ranks_max : k;
	nodes = (size_t)lanes->order.used_nodes;
	lanes->node = tm_alloc_raw(nodes, sizeof *lanes->node, err);
	lanes->first = tm_alloc_raw(nodes + 1, sizeof *lanes->first, err);
	lanes->rank = tm_alloc_raw(size, sizeof *lanes->rank, err);
	lanes->group_first = tm_alloc_raw(nodes + 1, sizeof *lanes->group_first, err);
	lanes->leader = tm_alloc_raw(size, sizeof *lanes->leader, err);
	if (!lanes->node || !lanes->first || !lanes->rank || !lanes->group_first ||
	    !lanes->leader || sort_nodes(lanes, err) < 0)
		return -1;
	return form_groups(lanes, err);
}

int tm_lanes_init(struct tm_lanes *lanes, const struct tm_placement *placement, int k,
		  struct tm_error *err)
{
	*lanes = (struct tm_lanes){ .placement = placement, .is_virtual = k != TM_NONE };
	if (fill(lanes, k, err) == 0)
		return 0;
	tm_lanes_fini(lanes);
	return -1;
}
