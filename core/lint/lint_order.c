#include "core/lint/lint_rules.h"

#include "core/base/mem.h"

#include <stdlib.h>

enum { PMI_LIMIT = 1024 }; /* bytes of a value that PMI-1 implementations pass, with its zero */

static int ranks_on(const struct tm_node_fold *fold, int n)
{
	return fold->first[n + 1] - fold->first[n];
}

/* Add the ranks of the marked nodes, in rising order, and take the marks. */
static int collect_take(struct tm_finding *finding, const struct tm_placement *p, bool *marked,
			struct tm_error *err)
{
	int status = 0;

	for (int r = 0; r < p->size && status == 0; r++)
		if (marked[p->node[r]])
			status = tm_idset_add(&finding->ranks, r, err);
	free(marked);
	return status;
}

int tm_lint_uneven(struct tm_finding *finding, const struct tm_inspection *it,
		   struct tm_error *err)
{
	const struct tm_order *order = &it->order;
	int nodes = it->placement->machine->node_count, odd = 0, example = TM_NONE;
	int usual = order->ranks_usual;
	bool *marked;

	if (order->regular)
		return 0;
	marked = tm_alloc((size_t)nodes, sizeof *marked, err);
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
	finding->reason = tm_format(err, "%d of %d nodes have another number of ranks than the usual "
				    "%d (%s has %d): the communicator is irregular, and lane and "
				    "hierarchical collectives fall back", odd, order->used_nodes,
				    usual, it->placement->machine->node_name[example],
				    ranks_on(&it->fold, example));
	finding->mend = tm_format(err, "put %d ranks on every node (-n %lld --map-by ppr:%d:node)",
				  usual, (long long)usual * order->used_nodes, usual);
	return tm_lint_done(finding);
}

static bool is_interval(const struct tm_node_fold *fold, int n)
{
	int last = fold->first[n + 1] - 1;

	return fold->rank[last] - fold->rank[fold->first[n]] == last - fold->first[n];
}

int tm_lint_not_consecutive(struct tm_finding *finding, const struct tm_inspection *it,
			    struct tm_error *err)
{
	const struct tm_node_fold *fold = &it->fold;
	int count = it->placement->machine->node_count, nodes = 0, example = TM_NONE;
	char text[TM_ORDER_ROOM];
	bool *marked;

	if (it->order.consecutive)
		return 0;
	marked = tm_alloc((size_t)count, sizeof *marked, err);
	for (int n = 0; marked && n < count; n++) {
		if (!ranks_on(fold, n) || is_interval(fold, n))
			continue;
		if (nodes++ == 0)
			example = n;
		marked[n] = true;
	}
	if (!marked || collect_take(finding, it->placement, marked, err) < 0)
		return -1;
	finding->reason = tm_format(err, "the ranks of %d of %d nodes are no interval (%s has %d, %d, "
				    "...; order %s): lane and hierarchical collectives that count "
				    "ranks node by node fall back", nodes, it->order.used_nodes,
				    it->placement->machine->node_name[example],
				    fold->rank[fold->first[example]],
				    fold->rank[fold->first[example] + 1],
				    tm_order_print(&it->order, text));
	finding->mend = tm_format(err, "number the ranks node after node (--map-by core or --rank-by "
				  "slot), reorder them (topomap lanes --mend), or split a "
				  "communicator whose keys follow the nodes");
	return tm_lint_done(finding);
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
static int64_t mapping_length(const struct tm_placement *p, int size, int *number)
{
	int64_t length = 8; /* "(vector" and ")" */
	int known = 0, first = TM_NONE, nodes = 0, each = 0;

	for (int r = 0; r < size;) {
		int at = p->node[r], run = r;

		if (!number[at])
			number[at] = ++known;
		while (r < size && p->node[r] == at)
			r++;
		run = r - run;
		if (first != TM_NONE && number[at] - 1 == first + nodes && run == each) {
			nodes++;
			continue;
		}
		if (first != TM_NONE)
			length += 5 + decimal_length(first) + decimal_length(nodes) +
				  decimal_length(each);
		first = number[at] - 1;
		nodes = 1;
		each = run;
	}
	return length + 5 + decimal_length(first) + decimal_length(nodes) + decimal_length(each);
}

int tm_lint_long_mapping(struct tm_finding *finding, const struct tm_inspection *it,
			 struct tm_error *err)
{
	const struct tm_placement *p = it->placement;
	int *number = tm_alloc((size_t)p->machine->node_count, sizeof *number, err);
	int64_t length, period = p->size;

	if (!number)
		return -1;
	/* readers begin again where the list ends */
	if (it->order.kind == TM_ORDER_CYCLIC)
		period = it->order.used_nodes;
	else if (it->order.kind == TM_ORDER_PLANE)
		period = (int64_t)it->order.used_nodes * it->order.plane;
	length = mapping_length(p, (int)(period < p->size ? period : p->size), number);
	free(number);
	if (length < PMI_LIMIT)
		return 0;
	if (tm_idset_add_range(&finding->ranks, 0, p->size - 1, err) < 0)
		return -1;
	finding->reason = tm_format(err, "the launcher's map of ranks to nodes takes %lld bytes, and "
				    "PMI values of some MPI libraries (Cray MPICH) end at %d",
				    (long long)length, PMI_LIMIT);
	finding->mend = tm_format(err, "use an order with a short description (block, cyclic), or "
				  "reorder ranks inside the program");
	return tm_lint_done(finding);
}

/* Index of the level of the topmost switches if these leave nodes apart, else TM_NONE. */
static int parted_level(const struct tm_inspection *it)
{
	const struct tm_machine *machine = it->placement->machine;

	if (!machine->tier_count)
		return TM_NONE;
	return tm_levels_find(&it->levels, machine->tier[machine->tier_count - 1].name);
}

int tm_lint_no_common_switch(struct tm_finding *finding, const struct tm_inspection *it,
			     struct tm_error *err)
{
	const struct tm_placement *p = it->placement;
	int level = parted_level(it), example = TM_NONE;

	for (int r = 1; level != TM_NONE && r < p->size; r++) {
		if (tm_levels_number(&it->levels, level, p->node[r], 0) ==
		    tm_levels_number(&it->levels, level, p->node[0], 0))
			continue;
		if (example == TM_NONE)
			example = p->node[r];
		if (tm_idset_add(&finding->ranks, r, err) < 0)
			return -1;
	}
	if (example == TM_NONE)
		return 0;
	finding->reason = tm_format(err, "%d rank%s on nodes that no known switch joins with %s, where "
				    "rank 0 is (%s, for one)", TM_LINT_ARE(tm_lint_ranks(finding)),
				    p->machine->node_name[p->node[0]],
				    p->machine->node_name[example]);
	finding->mend = tm_format(err, "if a switch joins them, describe it in the network file; "
				  "else take nodes of one network");
	return tm_lint_done(finding);
}
