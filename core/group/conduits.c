#include "core/group/conduits.h"

static bool is_better(const struct tmap_hierarchy *h, const int *key, int rank, int best)
{
	if (best == h->root || rank == h->root)
		return rank == h->root;
	return key[rank] < key[best];
}

void tmap_hierarchy_find_conduits(struct tmap_hierarchy *h, const int *key)
{
	for (int c = 0; c < h->comm_count; c++) {
		int64_t i = h->member_first[c];
		int best = h->member[i];

		while (++i < h->member_first[c + 1])
			if (is_better(h, key, h->member[i], best))
				best = h->member[i];
		h->conduit[c] = best;
	}
}

/* Lists by communicator, sorted by counting: first the items of each are counted, two places
 * further on, so that placing them leaves every start where it belongs. */
struct lists {
	int comm_count;
	int64_t *first;
	int *item;
	bool is_placing;
};

static void lists_add(const struct lists *lists, int comm, int rank)
{
	if (lists->is_placing)
		lists->item[lists->first[comm + 1]++] = rank;
	else if (comm + 2 <= lists->comm_count)
		lists->first[comm + 2]++;
}

/* @p add adds a rank to the lists of its communicators. */
static void lists_fill(const struct tmap_hierarchy *h, int64_t *first, int *item,
		       void (*add)(const struct tmap_hierarchy *, int, const struct lists *))
{
	struct lists lists = { h->comm_count, first, item, false };

	for (int c = 0; c <= h->comm_count; c++)
		first[c] = 0;
	for (int r = 0; r < h->size; r++)
		add(h, r, &lists);
	for (int c = 2; c <= h->comm_count; c++)
		first[c] += first[c - 1];
	lists.is_placing = true;
	for (int r = 0; r < h->size; r++)
		add(h, r, &lists);
}

static void add_to_comms(const struct tmap_hierarchy *h, int rank, const struct lists *lists)
{
	lists_add(lists, 0, rank);
	for (int l = 0; l < h->level_count; l++)
		if (tmap_hierarchy_has(h, l, rank))
			lists_add(lists, h->level[l].comm[rank], rank);
}

/* Its innermost communicator, and as long as it is the conduit of one, the one above. */
static void add_to_groups(const struct tmap_hierarchy *h, int rank, const struct lists *lists)
{
	int comm = tmap_hierarchy_above(h, h->level_count, rank);

	lists_add(lists, comm, rank);
	for (int l = h->level_count - 1; l >= 0 && h->conduit[comm] == rank; l--) {
		if (!tmap_hierarchy_has(h, l, rank))
			continue;
		comm = tmap_hierarchy_above(h, l, rank);
		lists_add(lists, comm, rank);
	}
}

void tmap_hierarchy_find_members(struct tmap_hierarchy *h)
{
	lists_fill(h, h->member_first, h->member, add_to_comms);
}

void tmap_hierarchy_find_groups(struct tmap_hierarchy *h)
{
	lists_fill(h, h->group_first, h->group, add_to_groups);
}
