/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/launchers/placement_lint.h"

#include "core/base/mem.h"
#include "core/machine/overlap.h"
#include "formats/launchers/common/pu_owners.h"

#include <assert.h>
#include <stdlib.h>

/* The ranks that get PUs of others, and the first of them. */
struct overlaps {
	const struct tmap_placement *p;
	unsigned char *shares; /* [size] of enum tmap_overlap */
	bool *has_overlap;     /* [size] gets a PU of another rank */
	struct tmap_pu_owners owners;
	int rank, other, pu;
};

static void overlaps_add(struct overlaps *it, int rank, int other, int pu)
{
	if (it->rank == TMAP_NONE) {
		it->rank = rank;
		it->other = other;
		it->pu = pu;
	}
	it->has_overlap[rank] = true;
	it->has_overlap[other] = true;
}

static void overlaps_claim(struct overlaps *it, int rank)
{
	const int *place_of = it->p->place;
	const struct tmap_place *place = &it->p->places[place_of[rank]];

	if (!place->bound || !(it->shares[rank] & TMAP_SHARES_PU))
		return;
	for (int os = tmap_idset_next(&place->pus, TMAP_NONE); os != TMAP_NONE;
	     os = tmap_idset_next(&place->pus, os)) {
		int owner = tmap_pu_owners_claim(&it->owners, it->p->node[rank], os, rank);

		if (owner != TMAP_NONE &&
		    (place_of[owner] != place_of[rank] || (it->shares[rank] & TMAP_CROWDS_CORE)))
			overlaps_add(it, rank, owner, os);
	}
}

static int add_overlap(struct tmap_file_findings *findings, const struct overlaps *it,
		       struct tmap_error *err)
{
	int count = 0;

	for (int r = 0; r < it->p->size; r++)
		count += it->has_overlap[r];
	if (!count)
		return 0;
	return tmap_file_findings_add_take(
		findings, "overlap", 0,
		tmap_format(err,
			    "rank %d gets hardware thread P%d of host '%s', "
			    "which rank %d has too (%d such ranks in the file)",
			    it->rank, it->pu, it->p->machine->node_name[it->p->node[it->rank]],
			    it->other, count),
		tmap_strdup("other cores for all but one of those that share", err), err);
}

static int add_shared_core(struct tmap_file_findings *findings, const struct overlaps *it,
			   struct tmap_error *err)
{
	int count = 0, first = TMAP_NONE;

	for (int r = 0; r < it->p->size; r++) {
		if (it->has_overlap[r] || !(it->shares[r] & TMAP_CROWDS_CORE))
			continue;
		first = first == TMAP_NONE ? r : first;
		count++;
	}
	if (!count)
		return 0;
	return tmap_file_findings_add_take(
		findings, "shared-core", 0,
		tmap_format(err,
			    "rank %d of host '%s' shares a core with other ranks, "
			    "which have its other hardware threads (%d such rank%s "
			    "in the file)",
			    first, it->p->machine->node_name[it->p->node[first]], count,
			    count == 1 ? "" : "s"),
		tmap_strdup("a core for each rank, if arithmetic or memory limits "
			    "the program",
			    err),
		err);
}

int tmap_placement_lint(struct tmap_file_findings *findings, const struct tmap_placement *p,
			struct tmap_error *err)
{
	struct overlaps it = { .p = p, .rank = TMAP_NONE };
	struct tmap_node_fold fold = { 0 };
	int status = -1;

	it.has_overlap = tmap_alloc((size_t)p->size, sizeof *it.has_overlap, err);
	if (it.has_overlap && tmap_pu_owners_init(&it.owners, p->machine, err) == 0 &&
	    tmap_node_fold_init(&fold, p, err) == 0)
		it.shares = tmap_overlap_find(p, &fold, err);
	for (int i = 0; it.shares && i < p->size; i++) {
		assert(fold.rank); /* they were found by it */
		overlaps_claim(&it, fold.rank[i]);
	}
	if (it.shares && add_overlap(findings, &it, err) == 0)
		status = add_shared_core(findings, &it, err);
	tmap_node_fold_fini(&fold);
	free(it.shares);
	free(it.has_overlap);
	tmap_pu_owners_fini(&it.owners);
	return status;
}
