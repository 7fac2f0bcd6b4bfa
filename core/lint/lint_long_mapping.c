/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/lint/lint_rules.h"

#include "core/base/mem.h"

#include <stdlib.h>

enum { PMI_LIMIT = 1024 }; /* bytes of a value that PMI-1 implementations pass, with its zero */

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
	char *order;

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
	order = tmap_lint_order_fix(finding, it, false, err);
	finding->fix = order ? tmap_format(err, "%s, or reorder them inside the program", order) :
			       NULL;
	free(order);
	if (!finding->fix)
		return TMAP_LINT_FAILED;
	return tmap_lint_found_take(
		finding,
		tmap_format(err, "the launcher's map of ranks to nodes takes %lld bytes",
			    (long long)length),
		err);
}
