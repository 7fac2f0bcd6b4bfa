/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/lint/part_search.h"
#include "core/lint/lint_rules.h"

#include "core/base/mem.h"

#include <stdlib.h>

static void by_part_fini(struct tmap_ranks_by_part *it)
{
	free(it->first);
	free(it->rank);
}

static int by_part_init(struct tmap_ranks_by_part *it, const struct tmap_inspection *inspection,
			struct tmap_error *err)
{
	const struct tmap_mpmd *parts = &inspection->parts;
	const struct tmap_placement *p = inspection->placement;

	it->count = parts->count ? parts->count : 1;
	it->first = tmap_alloc((size_t)it->count + 2, sizeof *it->first, err);
	it->rank = tmap_alloc_raw((size_t)p->size, sizeof *it->rank, err);
	if (!it->first || !it->rank)
		return -1;
	for (int r = 0; r < p->size; r++)
		it->first[tmap_mpmd_of(parts, p, r) + 2]++;
	for (int i = 0; i < it->count; i++)
		it->first[i + 2] += it->first[i + 1];
	for (int r = 0; r < p->size; r++)
		it->rank[it->first[tmap_mpmd_of(parts, p, r) + 1]++] = r;
	return 0;
}

void tmap_part_search_fini(struct tmap_part_search *it)
{
	by_part_fini(&it->parts);
	free(it->is_in);
	free(it->on_node);
	free(it->used);
	free(it->with_rank);
}

static int search_init(struct tmap_part_search *it, const struct tmap_inspection *inspection,
		       struct tmap_error *err)
{
	size_t size = (size_t)inspection->placement->size;
	size_t nodes = (size_t)inspection->placement->machine->node_count;

	*it = (struct tmap_part_search){ .inspection = inspection };
	it->is_in = tmap_alloc(size, sizeof *it->is_in, err);
	it->on_node = tmap_alloc(nodes, sizeof *it->on_node, err);
	it->used = tmap_alloc_raw(nodes, sizeof *it->used, err);
	it->with_rank = tmap_alloc(size + 1, sizeof *it->with_rank, err);
	return it->is_in && it->on_node && it->used && it->with_rank ?
		by_part_init(&it->parts, inspection, err) :
		-1;
}

enum tmap_lint_answer tmap_part_search_run(struct tmap_part_search *it,
					   const struct tmap_inspection *inspection,
					   void (*find)(struct tmap_part_search *it, int part),
					   struct tmap_finding *finding, struct tmap_error *err)
{
	if (search_init(it, inspection, err) < 0)
		return TMAP_LINT_FAILED;
	for (int i = 0; i < it->parts.count; i++)
		find(it, i);
	if (!it->nodes)
		return TMAP_LINT_NOTHING;
	for (int r = 0; r < inspection->placement->size; r++)
		if (it->is_in[r] && tmap_idset_add(&finding->ranks, r, err) < 0)
			return TMAP_LINT_FAILED;
	tmap_lint_figure(finding, "nodes", it->nodes);
	tmap_lint_figure(finding, "used_nodes", it->used_nodes);
	return TMAP_LINT_FOUND;
}
