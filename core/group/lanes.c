/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/group/lanes.h"

#include "core/base/mem.h"
#include "core/base/string.h"
#include "core/machine/device.h"
#include "core/machine/partition.h"

#include <stdlib.h>
#include <string.h>

void tmap_lanes_fini(struct tmap_lanes *lanes)
{
	free(lanes->node);
	free(lanes->first);
	free(lanes->group_first);
	if (lanes->leader != lanes->rank)
		free(lanes->leader);
	free(lanes->rank);
	*lanes = (struct tmap_lanes){ 0 };
}

int tmap_lanes_ranks(const struct tmap_lanes *lanes, int node)
{
	return lanes->first[node + 1] - lanes->first[node];
}

int tmap_lanes_groups(const struct tmap_lanes *lanes, int node)
{
	return lanes->group_first[node + 1] - lanes->group_first[node];
}

int tmap_lanes_driver(const struct tmap_lanes *lanes, int node, int lane)
{
	int groups = tmap_lanes_groups(lanes, node);

	if (lanes->is_virtual)
		lane = (int)((int64_t)lane * groups / lanes->lane_count);
	return lane < groups ? lanes->leader[lanes->group_first[node] + lane] : TMAP_NONE;
}

int tmap_lanes_first_lane(const struct tmap_lanes *lanes, int node, int group)
{
	int64_t groups = tmap_lanes_groups(lanes, node), all = lanes->lane_count;

	return lanes->is_virtual ? (int)((group * all + groups - 1) / groups) : group;
}

void tmap_lanes_group(const struct tmap_lanes *lanes, int node, int group, int *begin, int *end)
{
	int64_t ranks = tmap_lanes_ranks(lanes, node), groups = tmap_lanes_groups(lanes, node);

	*begin = lanes->first[node] + (int)(ranks * group / groups);
	*end = lanes->first[node] + (int)(ranks * (group + 1) / groups);
}

void tmap_lanes_elect(struct tmap_lanes *lanes, int rank)
{
	int node = 0, begin, end;

	while (lanes->node[node] != lanes->placement->node[rank])
		node++;
	for (int g = 0; g < tmap_lanes_groups(lanes, node); g++) {
		tmap_lanes_group(lanes, node, g, &begin, &end);
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

int tmap_lanes_members(const struct tmap_lanes *lanes, int lane, int *member)
{
	bool is_rising = true;
	int count = 0;

	for (int i = 0; i < lanes->node_count; i++) {
		int driver = tmap_lanes_driver(lanes, i, lane);

		if (driver == TMAP_NONE)
			continue;
		is_rising = is_rising && (count == 0 || member[count - 1] < driver);
		member[count++] = driver;
	}
	if (!is_rising)
		qsort(member, (size_t)count, sizeof *member, compare_ranks);
	return count;
}

bool tmap_lanes_are_plain(const struct tmap_lanes *lanes)
{
	return lanes->node_count > 1 && lanes->order.regular && lanes->order.consecutive;
}

/* The nodes in the order of their smallest rank, with their ranks: the sets of a partition. */
static int lanes_sort_nodes(struct tmap_lanes *lanes, struct tmap_error *err)
{
	const struct tmap_placement *p = lanes->placement;
	size_t size = (size_t)p->size;
	int *key = tmap_alloc_raw(size, sizeof *key, err);
	struct tmap_partition nodes;

	if (!key)
		return -1;
	memcpy(key, p->node, size * sizeof *key);
	if (tmap_partition_init_take(&nodes, key, p->size, p->machine->node_count, err) < 0)
		return -1;
	if (tmap_partition_list(&nodes, err) < 0) {
		tmap_partition_fini(&nodes);
		return -1;
	}
	lanes->node_count = nodes.count;
	lanes->first = nodes.first;
	lanes->rank = nodes.member;
	nodes.first = nodes.member = NULL;
	tmap_partition_fini(&nodes);
	for (int i = 0; i < lanes->node_count; i++)
		lanes->node[i] = p->node[lanes->rank[lanes->first[i]]];
	return 0;
}

/* How near an adapter is to each place: PUs of the smallest object that holds both. */
static int *adapter_pus_of_places(const struct tmap_placement *p, struct tmap_error *err)
{
	int *pus = tmap_alloc((size_t)p->place_count, sizeof *pus, err);

	for (int i = 0; pus && i < p->place_count; i++) {
		const struct tmap_place *place = &p->places[i];

		pus[i] = tmap_adapter_common_pus(&p->machine->topology[place->topology],
						 place->object);
	}
	return pus;
}

static int group_leader(const struct tmap_lanes *lanes, const int *pus, int begin, int end)
{
	const int *place = lanes->placement->place;
	int best = lanes->rank[begin];

	for (int i = begin + 1; i < end; i++)
		if (pus[place[lanes->rank[i]]] < pus[place[best]])
			best = lanes->rank[i];
	return best;
}

static void lanes_form_groups(struct tmap_lanes *lanes)
{
	int at = 0;

	for (int i = 0; i < lanes->node_count; i++) {
		int ranks = tmap_lanes_ranks(lanes, i);

		lanes->group_first[i] = at;
		at += ranks < lanes->lane_count ? ranks : lanes->lane_count;
	}
	lanes->group_first[lanes->node_count] = at;
}

bool tmap_lanes_are_single(const struct tmap_lanes *lanes)
{
	return lanes->group_first[lanes->node_count] == lanes->placement->size;
}

static int lanes_find_leaders(struct tmap_lanes *lanes, struct tmap_error *err)
{
	size_t groups = (size_t)lanes->group_first[lanes->node_count];
	int *pus;

	if (tmap_lanes_are_single(lanes)) {
		lanes->leader = lanes->rank;
		return 0;
	}
	lanes->leader = tmap_alloc_raw(groups, sizeof *lanes->leader, err);
	pus = lanes->leader ? adapter_pus_of_places(lanes->placement, err) : NULL;
	if (!pus)
		return -1;
	for (int i = 0; i < lanes->node_count; i++)
		for (int g = 0; g < tmap_lanes_groups(lanes, i); g++) {
			int begin, end;

			tmap_lanes_group(lanes, i, g, &begin, &end);
			lanes->leader[lanes->group_first[i] + g] =
				group_leader(lanes, pus, begin, end);
		}
	free(pus);
	return 0;
}

static int lanes_fill(struct tmap_lanes *lanes, int k, struct tmap_error *err)
{
	size_t nodes;

	if (tmap_order_find(&lanes->order, lanes->placement, err) < 0)
		return -1;
	if (k != TMAP_NONE && (k < 1 || k > lanes->order.ranks_max))
		return tmap_fail(err, TMAP_INPUT,
				 "%d lanes are not possible: the fullest node has %d "
				 "rank%s",
				 k, lanes->order.ranks_max, lanes->order.ranks_max == 1 ? "" : "s");
	lanes->lane_count = k == TMAP_NONE ? lanes->order.ranks_max : k;
	nodes = (size_t)lanes->order.used_nodes;
	lanes->node = tmap_alloc_raw(nodes, sizeof *lanes->node, err);
	lanes->group_first = tmap_alloc_raw(nodes + 1, sizeof *lanes->group_first, err);
	if (!lanes->node || !lanes->group_first || lanes_sort_nodes(lanes, err) < 0)
		return -1;
	lanes_form_groups(lanes);
	return lanes_find_leaders(lanes, err);
}

int tmap_lanes_init(struct tmap_lanes *lanes, const struct tmap_placement *placement, int k,
		    struct tmap_error *err)
{
	*lanes = (struct tmap_lanes){ .placement = placement, .is_virtual = k != TMAP_NONE };
	if (lanes_fill(lanes, k, err) == 0)
		return 0;
	tmap_lanes_fini(lanes);
	return -1;
}

void tmap_lanes_order_fini(struct tmap_lanes_order *order)
{
	free(order->reason);
	free(order->hint);
	free(order->odd);
	free(order->place_of);
	*order = (struct tmap_lanes_order){ 0 };
}

static int order_find_odd(struct tmap_lanes_order *order, const struct tmap_lanes *lanes,
			  struct tmap_error *err)
{
	order->odd = tmap_alloc((size_t)lanes->node_count, sizeof *order->odd, err);
	if (!order->odd)
		return -1;
	for (int i = 0; i < lanes->node_count; i++) {
		int first = lanes->first[i], last = lanes->first[i + 1] - 1;
		struct tmap_odd_node odd = {
			.node = i,
			.is_uneven = tmap_lanes_ranks(lanes, i) != lanes->order.ranks_usual,
			.is_scattered = lanes->rank[last] - lanes->rank[first] != last - first
		};

		if (odd.is_uneven || odd.is_scattered)
			order->odd[order->odd_count++] = odd;
	}
	return 0;
}

/* "2 of 9 nodes have another number of ranks than the usual 4 (n3 has 2)" */
static void reason_add_uneven(struct tmap_str *str, const struct tmap_lanes_order *order,
			      const struct tmap_lanes *lanes)
{
	int count = 0, example = 0;

	for (int i = 0; i < order->odd_count; i++)
		if (order->odd[i].is_uneven && count++ == 0)
			example = order->odd[i].node;
	tmap_str_addf(
		str, "%d of %d nodes %s another number of ranks than the usual %d (%s has %d)",
		count, lanes->node_count, count == 1 ? "has" : "have", lanes->order.ranks_usual,
		lanes->placement->machine->node_name[lanes->node[example]],
		tmap_lanes_ranks(lanes, example));
}

/* "the ranks of 2 of 4 nodes are not contiguous (n0 has 0, 2, ...)" */
static void reason_add_scattered(struct tmap_str *str, const struct tmap_lanes_order *order,
				 const struct tmap_lanes *lanes)
{
	int count = 0, example = 0;

	for (int i = 0; i < order->odd_count; i++)
		if (order->odd[i].is_scattered && count++ == 0)
			example = order->odd[i].node;
	tmap_str_addf(str, "the ranks of %d of %d nodes are not contiguous (%s has %d, %d, ...)",
		      count, lanes->node_count,
		      lanes->placement->machine->node_name[lanes->node[example]],
		      lanes->rank[lanes->first[example]], lanes->rank[lanes->first[example] + 1]);
}

static void hint_add(struct tmap_str *str, const struct tmap_lanes *lanes)
{
	const struct tmap_order *nodes = &lanes->order;

	if (!nodes->consecutive)
		tmap_str_addf(str,
			      "number the ranks node after node: in the same places with a "
			      "rankfile (topomap lanes --fix | topomap suggest-rankfile --mapper "
			      "identity), or inside the program with MPI_Comm_split and the new "
			      "ranks as keys");
	if (nodes->regular && !nodes->consecutive)
		tmap_str_addf(str,
			      ", or in a new mapping (-n %d --map-by ppr:%d:node --rank-by "
			      "slot)",
			      lanes->placement->size, nodes->ranks_usual);
	if (nodes->regular)
		return;
	tmap_str_addf(str,
		      "%sno order of the ranks makes the nodes even: put %d on each (-n %lld "
		      "--map-by ppr:%d:node --rank-by slot), or let the ranks of smaller nodes "
		      "use several lanes (--lanes %d)",
		      str->length ? "; " : "", nodes->ranks_usual,
		      (long long)nodes->ranks_usual * lanes->node_count, nodes->ranks_usual,
		      nodes->ranks_max);
}

static int order_explain(struct tmap_lanes_order *order, const struct tmap_lanes *lanes,
			 struct tmap_error *err)
{
	struct tmap_str reason = TMAP_STR_INIT, hint = TMAP_STR_INIT;

	if (tmap_lanes_are_plain(lanes))
		return 0;
	if (lanes->node_count == 1) {
		order->reason = tmap_strdup("all ranks are on one node", err);
		return order->reason ? 0 : -1;
	}
	if (!lanes->order.regular)
		reason_add_uneven(&reason, order, lanes);
	if (!lanes->order.consecutive) {
		tmap_str_add(&reason, reason.length ? ", and " : "");
		reason_add_scattered(&reason, order, lanes);
	}
	hint_add(&hint, lanes);
	order->reason = tmap_str_take(&reason, err);
	order->hint = tmap_str_take(&hint, err);
	return order->reason && order->hint ? 0 : -1;
}

/* The ranks node after node are those whose places the ranks 0, 1, ... take. */
static int order_renumber(struct tmap_lanes_order *order, const struct tmap_lanes *lanes,
			  struct tmap_error *err)
{
	size_t size = (size_t)lanes->placement->size;

	if (lanes->order.consecutive)
		return 0;
	order->place_of = tmap_alloc_raw(size, sizeof *order->place_of, err);
	if (!order->place_of)
		return -1;
	memcpy(order->place_of, lanes->rank, size * sizeof *order->place_of);
	return 0;
}

int tmap_lanes_order_init(struct tmap_lanes_order *order, const struct tmap_lanes *lanes,
			  struct tmap_error *err)
{
	*order = (struct tmap_lanes_order){ 0 };
	if (order_find_odd(order, lanes, err) == 0 && order_explain(order, lanes, err) == 0 &&
	    order_renumber(order, lanes, err) == 0)
		return 0;
	tmap_lanes_order_fini(order);
	return -1;
}
