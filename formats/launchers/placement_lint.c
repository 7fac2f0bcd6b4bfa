#include "formats/launchers/placement_lint.h"

#include "core/base/mem.h"
#include "core/machine/overlap.h"

#include <stdlib.h>

/* Who has each PU of the node that is looked at, and the first rank that gets one of another. */
struct meeting {
	const struct tmap_placement *p;
	unsigned char *shares; /* [size] of enum tmap_overlap */
	bool *meets;           /* [size] gets a PU of another rank */
	int *owner;            /* [room] by OS index: the first rank */
	int *node;             /* [room] node + 1 that this was said for */
	int rank, other, pu;
};

static size_t room_of(const struct tmap_machine *machine)
{
	int room = 0;

	for (int t = 0; t < machine->topology_count; t++)
		for (int i = 0; i < machine->topology[t].pu_count; i++)
			if (machine->topology[t].pu[i].os >= room)
				room = machine->topology[t].pu[i].os + 1;
	return (size_t)room;
}

static void meet(struct meeting *it, int rank, int other, int pu)
{
	if (it->rank == TMAP_NONE) {
		it->rank = rank;
		it->other = other;
		it->pu = pu;
	}
	it->meets[rank] = true;
	it->meets[other] = true;
}

static void seat_rank(struct meeting *it, int rank)
{
	const int *place_of = it->p->place;
	const struct tmap_place *place = &it->p->places[place_of[rank]];
	int node = it->p->node[rank];

	if (!place->bound || !(it->shares[rank] & TMAP_SHARES_PU))
		return;
	for (int os = tmap_idset_next(&place->pus, TMAP_NONE); os != TMAP_NONE;
	     os = tmap_idset_next(&place->pus, os)) {
		if (it->node[os] != node + 1)
			it->owner[os] = rank;
		else if (place_of[it->owner[os]] != place_of[rank] ||
			 (it->shares[rank] & TMAP_CROWDS_CORE))
			meet(it, rank, it->owner[os], os);
		it->node[os] = node + 1;
	}
}

static int add_overlap(struct tmap_file_findings *findings, const struct meeting *it,
		       struct tmap_error *err)
{
	int count = 0;

	for (int r = 0; r < it->p->size; r++)
		count += it->meets[r];
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

static int add_shared_core(struct tmap_file_findings *findings, const struct meeting *it,
			   struct tmap_error *err)
{
	int count = 0, first = TMAP_NONE;

	for (int r = 0; r < it->p->size; r++) {
		if (it->meets[r] || !(it->shares[r] & TMAP_CROWDS_CORE))
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
	size_t room = room_of(p->machine);
	struct meeting it = { .p = p, .rank = TMAP_NONE };
	struct tmap_node_fold fold = { 0 };
	int status = -1;

	it.meets = tmap_alloc((size_t)p->size, sizeof *it.meets, err);
	it.owner = tmap_alloc(room, sizeof *it.owner, err);
	it.node = tmap_alloc(room, sizeof *it.node, err);
	if (it.meets && it.owner && it.node && tmap_node_fold_init(&fold, p, err) == 0)
		it.shares = tmap_overlap_find(p, &fold, err);
	for (int i = 0; it.shares && i < p->size; i++)
		seat_rank(&it, fold.rank[i]);
	if (it.shares && add_overlap(findings, &it, err) == 0)
		status = add_shared_core(findings, &it, err);
	tmap_node_fold_fini(&fold);
	free(it.shares);
	free(it.meets);
	free(it.owner);
	free(it.node);
	return status;
}
