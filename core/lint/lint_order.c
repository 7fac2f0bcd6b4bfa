/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/lint/lint_rules.h"

#include "core/base/mem.h"

#include <stdlib.h>

enum { PMI_LIMIT = 1024 }; /* bytes of a value that PMI-1 implementations pass, with its zero */

static int ranks_on(const struct tmap_node_fold *fold, int n)
{
	return fold->first[n + 1] - fold->first[n];
}

/* Add the ranks of the marked nodes, in rising order, and take the marks. */
static int collect_take(struct tmap_finding *finding, const struct tmap_placement *p, bool *marked,
			struct tmap_error *err)
{
	int status = 0;

	for (int r = 0; r < p->size && status == 0; r++)
		if (marked[p->node[r]])
			status = tmap_idset_add(&finding->ranks, r, err);
	free(marked);
	return status;
}

int tmap_lint_uneven(struct tmap_finding *finding, const struct tmap_inspection *it,
		     struct tmap_error *err)
{
	const struct tmap_order *order = &it->order;
	int nodes = it->placement->machine->node_count, odd = 0, example = TMAP_NONE;
	int usual = order->ranks_usual;
	bool *marked;
	char *text;

	if (order->regular)
		return 0;
	marked = tmap_alloc((size_t)nodes, sizeof *marked, err);
	for (int n = 0; marked && n < nodes; n++) {
		int count = ranks_on(&it->fold, n);

		if (!count || count == usual)
			continue;
		odd++;
		example = n;
		marked[n] = true;
	}
	if (!marked || collect_take(finding, it->placement, marked, err) < 0)
		return -1;
	finding->reason = tmap_format(err,
				      "%d of %d nodes have another number of ranks than the usual "
				      "%d (%s has %d): the communicator is irregular, and lane and "
				      "hierarchical collectives fall back",
				      odd, order->used_nodes, usual,
				      it->placement->machine->node_name[example],
				      ranks_on(&it->fold, example));
	text = tmap_format(err, "put %d ranks on every node{: |even %lld %d %d|}", usual,
			   (long long)usual * order->used_nodes, usual, order->used_nodes);
	finding->fix = text ? tmap_lint_fix(finding, text, err) : NULL;
	free(text);
	return tmap_lint_done(finding);
}

static bool is_interval(const struct tmap_node_fold *fold, int n)
{
	int last = fold->first[n + 1] - 1;

	return fold->rank[last] - fold->rank[fold->first[n]] == last - fold->first[n];
}

int tmap_lint_not_consecutive(struct tmap_finding *finding, const struct tmap_inspection *it,
			      struct tmap_error *err)
{
	const struct tmap_node_fold *fold = &it->fold;
	int count = it->placement->machine->node_count, nodes = 0, example = TMAP_NONE;
	char text[TMAP_ORDER_ROOM];
	bool *marked;

	if (it->order.consecutive)
		return 0;
	marked = tmap_alloc((size_t)count, sizeof *marked, err);
	for (int n = 0; marked && n < count; n++) {
		if (!ranks_on(fold, n) || is_interval(fold, n))
			continue;
		if (nodes++ == 0)
			example = n;
		marked[n] = true;
	}
	if (!marked || collect_take(finding, it->placement, marked, err) < 0)
		return -1;
	finding->reason =
		tmap_format(err,
			    "the ranks of %d of %d nodes are not contiguous (%s has %d, %d, "
			    "...; order %s): lane and hierarchical collectives that count "
			    "ranks node by node fall back",
			    nodes, it->order.used_nodes, it->placement->machine->node_name[example],
			    fold->rank[fold->first[example]], fold->rank[fold->first[example] + 1],
			    tmap_order_print(&it->order, text));
	finding->fix = tmap_lint_fix(
		finding,
		"number the ranks node after node{ with |block|}, or reorder "
		"them (topomap lanes --fix), or split a communicator whose keys follow "
		"the nodes",
		err);
	return tmap_lint_done(finding);
}

static int decimal_length(int number)
{
	int length = 1;

	for (; number > 9; number /= 10)
		length++;
	return length;
}

/* Length of PMI_process_mapping, "(vector,(0,2,4),...)", for the first @p size ranks: blocks of
 * neighbouring nodes that take equally many ranks each in turn, nodes being numbered as they
 * first appear. O(p). */
static int64_t mapping_length(const struct tmap_placement *p, int size, int *number)
{
	int64_t length = 8; /* "(vector" and ")" */
	int known = 0, first = TMAP_NONE, nodes = 0, each = 0;

	for (int r = 0; r < size;) {
		int at = p->node[r], run = r;

		if (!number[at])
			number[at] = ++known;
		while (r < size && p->node[r] == at)
			r++;
		run = r - run;
		if (first != TMAP_NONE && number[at] - 1 == first + nodes && run == each) {
			nodes++;
			continue;
		}
		if (first != TMAP_NONE)
			length += 5 + decimal_length(first) + decimal_length(nodes) +
				decimal_length(each);
		first = number[at] - 1;
		nodes = 1;
		each = run;
	}
	return length + 5 + decimal_length(first) + decimal_length(nodes) + decimal_length(each);
}

int tmap_lint_long_mapping(struct tmap_finding *finding, const struct tmap_inspection *it,
			   struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	int *number = tmap_alloc((size_t)p->machine->node_count, sizeof *number, err);
	int64_t length, period = p->size;

	if (!number)
		return -1;
	/* readers begin again where the list ends */
	if (it->order.kind == TMAP_ORDER_CYCLIC)
		period = it->order.used_nodes;
	else if (it->order.kind == TMAP_ORDER_PLANE)
		period = (int64_t)it->order.used_nodes * it->order.plane;
	length = mapping_length(p, (int)(period < p->size ? period : p->size), number);
	free(number);
	if (length < PMI_LIMIT)
		return 0;
	if (tmap_idset_add_range(&finding->ranks, 0, p->size - 1, err) < 0)
		return -1;
	finding->reason = tmap_format(err,
				      "the launcher's map of ranks to nodes takes %lld bytes, and "
				      "PMI values of some MPI libraries (Cray MPICH) end at %d",
				      (long long)length, PMI_LIMIT);
	finding->fix = tmap_format(err,
				   "use an order with a short description (block, cyclic), or "
				   "reorder ranks inside the program");
	return tmap_lint_done(finding);
}

/* Index of the level of the topmost switches if these leave nodes apart, else TMAP_NONE. */
static int parted_level(const struct tmap_inspection *it)
{
	const struct tmap_machine *machine = it->placement->machine;

	if (!machine->tier_count)
		return TMAP_NONE;
	return tmap_levels_find(&it->levels, machine->tier[machine->tier_count - 1].name);
}

int tmap_lint_no_common_switch(struct tmap_finding *finding, const struct tmap_inspection *it,
			       struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	int level = parted_level(it), example = TMAP_NONE;

	for (int r = 1; level != TMAP_NONE && r < p->size; r++) {
		if (tmap_levels_number(&it->levels, level, p->node[r], 0) ==
		    tmap_levels_number(&it->levels, level, p->node[0], 0))
			continue;
		if (example == TMAP_NONE)
			example = p->node[r];
		if (tmap_idset_add(&finding->ranks, r, err) < 0)
			return -1;
	}
	if (example == TMAP_NONE)
		return 0;
	finding->reason =
		tmap_format(err,
			    "%d rank%s on nodes that no known switch joins with %s, where "
			    "rank 0 is (%s, for one)",
			    TMAP_LINT_ARE(tmap_lint_ranks(finding)),
			    p->machine->node_name[p->node[0]], p->machine->node_name[example]);
	finding->fix = tmap_format(err,
				   "if a switch joins them, describe it in the network file; "
				   "else take nodes of one network");
	return tmap_lint_done(finding);
}
