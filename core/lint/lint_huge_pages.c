/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/lint/lint_rules.h"

#include "core/base/mem.h"

/* A few, as services take them, are none for programs: of its memory less than one part in so many. */
enum { FEW_PAGES = 64 };

static bool has_pages(const struct tmap_memory *memory)
{
	return memory->huge_bytes && memory->huge_bytes >= memory->size_bytes / FEW_PAGES;
}

/* The node has huge pages, and none of them where the PUs are. */
static bool is_far_from_pages(const struct tmap_topology *topo, const struct tmap_place *place)
{
	bool any = false;

	for (int m = 0; m < topo->memory_count; m++) {
		const struct tmap_memory *memory = &topo->memory[m];

		if (!has_pages(memory) || memory->object == TMAP_NONE)
			continue;
		any = true;
		for (int pu = topo->object[memory->object].first_pu;
		     pu < topo->object[memory->object].end_pu; pu++)
			if (tmap_idset_contains(&place->pus, topo->pu[pu].os))
				return false;
	}
	return any;
}

enum tmap_lint_answer tmap_lint_huge_pages(struct tmap_finding *finding,
					   const struct tmap_inspection *it, struct tmap_error *err)
{
	if (tmap_lint_collect_places(finding, it, is_far_from_pages, err) < 0)
		return TMAP_LINT_FAILED;
	if (!tmap_lint_ranks(finding))
		return TMAP_LINT_NOTHING;
	return tmap_lint_found_take(
		finding,
		tmap_strdup(
			"on NUMA nodes without huge pages, while others of their node have some",
			err),
		err);
}
