#include "core/group/lanes_order.h"

#include "core/base/mem.h"
#include "core/base/string.h"

#include <stdlib.h>
#include <string.h>

void tmap_lanes_order_fini(struct tmap_lanes_order *order)
{
	free(order->reason);
	free(order->hint);
	free(order->odd);
	free(order->place_of);
	*order = (struct tmap_lanes_order){ 0 };
}

static int find_odd(struct tmap_lanes_order *order, const struct tmap_lanes *lanes,
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
static void add_uneven(struct tmap_str *str, const struct tmap_lanes_order *order,
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
static void add_scattered(struct tmap_str *str, const struct tmap_lanes_order *order,
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

static void add_hint(struct tmap_str *str, const struct tmap_lanes *lanes)
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
		      "drive several lanes (--lanes %d)",
		      str->length ? "; " : "", nodes->ranks_usual,
		      (long long)nodes->ranks_usual * lanes->node_count, nodes->ranks_usual,
		      nodes->ranks_max);
}

static int lanes_explain(struct tmap_lanes_order *order, const struct tmap_lanes *lanes,
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
		add_uneven(&reason, order, lanes);
	if (!lanes->order.consecutive) {
		tmap_str_add(&reason, reason.length ? ", and " : "");
		add_scattered(&reason, order, lanes);
	}
	add_hint(&hint, lanes);
	order->reason = tmap_str_take(&reason, err);
	order->hint = tmap_str_take(&hint, err);
	return order->reason && order->hint ? 0 : -1;
}

/* The ranks node after node are those whose places the ranks 0, 1, ... take. */
static int lanes_renumber(struct tmap_lanes_order *order, const struct tmap_lanes *lanes,
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
	if (find_odd(order, lanes, err) == 0 && lanes_explain(order, lanes, err) == 0 &&
	    lanes_renumber(order, lanes, err) == 0)
		return 0;
	tmap_lanes_order_fini(order);
	return -1;
}
