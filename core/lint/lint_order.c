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

static int cores_of(const struct tmap_inspection *it, int class)
{
	return tmap_topology_allowed_cores(
		tmap_machine_topology(it->placement->machine, it->fold.example[class]));
}

/* Has each used node a rank a core? Then it is the nodes that are uneven. */
static bool is_full(const struct tmap_inspection *it)
{
	for (int c = 0; c < it->fold.class_count; c++)
		if (ranks_on(&it->fold, it->fold.example[c]) != cores_of(it, c))
			return false;
	return true;
}

static bool has_room(const struct tmap_inspection *it, int ranks)
{
	for (int c = 0; c < it->fold.class_count; c++)
		if (cores_of(it, c) < ranks)
			return false;
	return true;
}

enum tmap_lint_answer tmap_lint_uneven(struct tmap_finding *finding,
				       const struct tmap_inspection *it, struct tmap_error *err)
{
	const struct tmap_order *order = &it->order;
	int nodes = it->placement->machine->node_count, odd = 0, example = TMAP_NONE;
	int usual = order->ranks_usual;
	int64_t total = it->placement->size;
	bool *marked;
	char *text;

	if (order->regular || is_full(it))
		return TMAP_LINT_NOTHING;
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
		return TMAP_LINT_FAILED;
	tmap_lint_figure(finding, "nodes", odd);
	tmap_lint_figure(finding, "used_nodes", order->used_nodes);
	tmap_lint_figure(finding, "ranks", ranks_on(&it->fold, example));
	tmap_lint_figure(finding, "usual_ranks", order->ranks_usual);
	/* as many ranks as now, if that comes out even */
	if (total % order->used_nodes == 0)
		usual = (int)(total / order->used_nodes);
	total = (int64_t)usual * order->used_nodes;
	text = has_room(it, usual) ?
		tmap_format(err, "put %d ranks on every node{: |even %lld %d %d|}", usual,
			    (long long)total, usual, order->used_nodes) :
		tmap_strdup("put as many ranks on every node, or take nodes with as many cores",
			    err);
	finding->fix = text ? tmap_lint_fix(finding, text, err) : NULL;
	free(text);
	if (!finding->fix)
		return TMAP_LINT_FAILED;
	return tmap_lint_found_take(
		finding,
		tmap_format(err,
			    "%d of %d nodes have another number of ranks than the usual %d (%s has "
			    "%d)",
			    odd, order->used_nodes, order->ranks_usual,
			    it->placement->machine->node_name[example],
			    ranks_on(&it->fold, example)),
		err);
}

static bool is_interval(const struct tmap_node_fold *fold, int n)
{
	int last = fold->first[n + 1] - 1;

	return fold->rank[last] - fold->rank[fold->first[n]] == last - fold->first[n];
}

enum tmap_lint_answer tmap_lint_not_consecutive(struct tmap_finding *finding,
						const struct tmap_inspection *it,
						struct tmap_error *err)
{
	const struct tmap_node_fold *fold = &it->fold;
	int count = it->placement->machine->node_count, nodes = 0, example = TMAP_NONE;
	char text[TMAP_ORDER_ROOM], *order;
	bool *marked;

	if (it->order.consecutive)
		return TMAP_LINT_NOTHING;
	marked = tmap_alloc((size_t)count, sizeof *marked, err);
	for (int n = 0; marked && n < count; n++) {
		if (!ranks_on(fold, n) || is_interval(fold, n))
			continue;
		if (nodes++ == 0)
			example = n;
		marked[n] = true;
	}
	if (!marked || collect_take(finding, it->placement, marked, err) < 0)
		return TMAP_LINT_FAILED;
	tmap_lint_figure(finding, "nodes", nodes);
	tmap_lint_figure(finding, "used_nodes", it->order.used_nodes);
	order = tmap_lint_order_fix(finding, it, false, err);
	finding->fix = order ? tmap_format(err,
					   "%s, or reorder them (topomap lanes --fix), or split a "
					   "communicator whose keys follow the nodes",
					   order) :
			       NULL;
	free(order);
	if (!finding->fix)
		return TMAP_LINT_FAILED;
	return tmap_lint_found_take(
		finding,
		tmap_format(err,
			    "the ranks of %d of %d nodes are not contiguous (%s has %d, %d, ...; "
			    "order %s)",
			    nodes, it->order.used_nodes, it->placement->machine->node_name[example],
			    fold->rank[fold->first[example]], fold->rank[fold->first[example] + 1],
			    tmap_order_print(&it->order, text)),
		err);
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

enum tmap_lint_answer tmap_lint_long_mapping(struct tmap_finding *finding,
					     const struct tmap_inspection *it,
					     struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	int *number = tmap_alloc((size_t)p->machine->node_count, sizeof *number, err);
	int64_t length, period = p->size;

	if (!number)
		return TMAP_LINT_FAILED;
	/* readers begin again where the list ends */
	if (it->order.kind == TMAP_ORDER_CYCLIC)
		period = it->order.used_nodes;
	else if (it->order.kind == TMAP_ORDER_PLANE)
		period = (int64_t)it->order.used_nodes * it->order.plane;
	length = mapping_length(p, (int)(period < p->size ? period : p->size), number);
	free(number);
	if (length < PMI_LIMIT)
		return TMAP_LINT_NOTHING;
	if (tmap_idset_add_range(&finding->ranks, 0, p->size - 1, err) < 0)
		return TMAP_LINT_FAILED;
	tmap_lint_figure(finding, "bytes", (double)length);
	tmap_lint_figure(finding, "most_bytes", PMI_LIMIT - 1);
	return tmap_lint_found_take(
		finding,
		tmap_format(err, "the launcher's map of ranks to nodes takes %lld bytes",
			    (long long)length),
		err);
}

/* Index of the level of the topmost switches if these leave nodes apart, else TMAP_NONE. */
static int parted_level(const struct tmap_inspection *it)
{
	const struct tmap_machine *machine = it->placement->machine;

	if (!machine->tier_count)
		return TMAP_NONE;
	return tmap_levels_find(&it->levels, machine->tier[machine->tier_count - 1].name);
}

enum tmap_lint_answer tmap_lint_no_common_switch(struct tmap_finding *finding,
						 const struct tmap_inspection *it,
						 struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	int level = parted_level(it), example = TMAP_NONE;

	if (!p->machine->tier_count && it->order.used_nodes > 1)
		return tmap_lint_skipped_take(finding,
					      tmap_strdup("the placement has no switches", err));
	for (int r = 1; level != TMAP_NONE && r < p->size; r++) {
		if (tmap_levels_number(&it->levels, level, p->node[r], 0) ==
		    tmap_levels_number(&it->levels, level, p->node[0], 0))
			continue;
		if (example == TMAP_NONE)
			example = p->node[r];
		if (tmap_idset_add(&finding->ranks, r, err) < 0)
			return TMAP_LINT_FAILED;
	}
	if (example == TMAP_NONE)
		return TMAP_LINT_NOTHING;
	return tmap_lint_found_take(
		finding,
		tmap_format(err,
			    "%d rank%s on nodes that no known switch joins with %s, where rank 0 "
			    "is (%s, for one)",
			    TMAP_LINT_ARE(tmap_lint_ranks(finding)),
			    p->machine->node_name[p->node[0]], p->machine->node_name[example]),
		err);
}
