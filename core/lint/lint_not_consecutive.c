/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/lint/lint_rules.h"
#include "core/lint/part_search.h"

#include "core/base/mem.h"
#include "core/lint/advice.h"

#include <stdlib.h>

/* Nodes to which a part's ranks come back after another node. */
static void part_find_split(struct tmap_part_search *it, int part)
{
	const int *node = it->inspection->placement->node;
	const int *first = it->parts.rank + it->parts.first[part];
	const int *end = it->parts.rank + it->parts.first[part + 1];
	int used = 0, split = 0, example = TMAP_NONE;

	/* how often one comes to each node */
	for (const int *r = first; r < end; r++) {
		if (r > first && node[*r] == node[r[-1]])
			continue;
		if (it->on_node[node[*r]]++ == 0)
			it->used[used++] = node[*r];
	}
	for (const int *r = first; r < end; r++)
		it->is_in[*r] = it->on_node[node[*r]] > 1;
	for (int i = 0; i < used; i++) {
		int *visits = &it->on_node[it->used[i]];

		if (*visits > 1) {
			split++;
			if (example == TMAP_NONE || it->used[i] < example)
				example = it->used[i];
		}
		*visits = 0;
	}
	if (split && !it->nodes) {
		it->nodes = split;
		it->used_nodes = used;
		it->example = example;
		it->part = part;
	}
}

/* The first two ranks of the part on the node. */
static void find_two(const struct tmap_part_search *it, int two[2])
{
	const int *first = it->parts.rank + it->parts.first[it->part];
	const int *end = it->parts.rank + it->parts.first[it->part + 1];
	int count = 0;

	for (const int *r = first; r < end && count < 2; r++)
		if (it->inspection->placement->node[*r] == it->example)
			two[count++] = *r;
}

/* Is block order advised, or can no order be? Else nothing is gained by it but for calls that count
 * ranks node by node, and what is gained may be less than what others lose. */
static bool is_worse_than_block(const struct tmap_advice *advice)
{
	bool is_timed = false;

	for (int i = 0; i < advice->count; i++)
		is_timed = is_timed || advice->call[i].here_s > 0;
	return !is_timed ||
		(advice->order != TMAP_NONE && !tmap_advice_order_at(advice->order)->by_turns);
}

/* How much it weighs, and what is to be done. */
static int not_consecutive_judge(struct tmap_finding *finding, const struct tmap_inspection *it,
				 struct tmap_error *err)
{
	struct tmap_advice own = { 0 };
	const struct tmap_advice *advice = tmap_lint_advice(it, &own, err);
	bool is_worse = advice && is_worse_than_block(advice);
	struct tmap_str fix = TMAP_STR_INIT;
	char *order;

	tmap_advice_fini(&own);
	if (!advice)
		return -1;
	if (!is_worse) {
		finding->severity = TMAP_SEVERITY_HINT;
		finding->fix = tmap_strdup("for what counts ranks node by node, split a "
					   "communicator whose keys follow the nodes",
					   err);
		return finding->fix ? 0 : -1;
	}
	order = tmap_lint_order_fix(finding, it, false, err);
	if (!order)
		return -1;
	tmap_str_addf(&fix, "%s, or reorder them (topomap lanes --fix", order);
	free(order);
	tmap_job_command_end(&fix, "lanes", it->words);
	tmap_str_add(&fix, "), or split a communicator whose keys follow the nodes");
	finding->fix = tmap_str_take(&fix, err);
	return finding->fix ? 0 : -1;
}

enum tmap_lint_answer tmap_lint_not_consecutive(struct tmap_finding *finding,
						const struct tmap_inspection *it,
						struct tmap_error *err)
{
	enum tmap_lint_answer answer;
	char text[TMAP_ORDER_ROOM];
	int two[2] = { 0, 0 };
	struct tmap_part_search search;

	if (it->order.consecutive)
		return TMAP_LINT_NOTHING;
	answer = tmap_part_search_run(&search, it, part_find_split, finding, err);
	if (answer != TMAP_LINT_FOUND)
		goto out;
	answer = TMAP_LINT_FAILED;
	if (not_consecutive_judge(finding, it, err) < 0)
		goto out;
	find_two(&search, two);
	answer = tmap_lint_found_take(
		finding,
		tmap_format(
			err,
			"ranks not contiguous on %d of %d node%s (%s has %d, %d, ...; order %s)",
			search.nodes, search.used_nodes, search.used_nodes == 1 ? "" : "s",
			it->placement->machine->node_name[search.example], two[0], two[1],
			tmap_order_print(&it->order, text)),
		err);
out:
	tmap_part_search_fini(&search);
	return answer;
}
