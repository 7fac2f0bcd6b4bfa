#include "core/rank_trees.h"

#include <stddef.h>

struct row {
	struct tm_word word;
	int (*parent)(int number);
};

static int clear_highest_bit(int number)
{
	int bit = 1;

	while (bit <= number / 2)
		bit *= 2;
	return number - bit;
}

static int clear_lowest_bit(int number)
{
	return number & (number - 1);
}

static const struct row rows[] = {
	[TM_BINOMIAL_NEAR] = { { "binomial_near", "binomial as Open MPI broadcasts" },
			       clear_highest_bit },
	[TM_BINOMIAL_FAR] = { { "binomial_far", "binomial as MPICH broadcasts" },
			      clear_lowest_bit },
	{ { NULL, NULL }, NULL },
};

const struct tm_words tm_rank_trees = TM_WORDS("tree", rows);

int tm_rank_tree_init(struct tm_tree *tree, enum tm_rank_tree kind, const struct tm_metric *metric,
		      int root, struct tm_error *err)
{
	int size = metric->placement->size;

	if (tm_tree_alloc(tree, size, root, err) < 0)
		return -1;
	for (int number = 1; number < size; number++) {
		int64_t rank = (int64_t)root + number;
		int64_t parent = (int64_t)root + rows[kind].parent(number);

		tree->parent[rank % size] = (int)(parent % size);
	}
	tm_tree_set_distances(tree, metric);
	return 0;
}

int tm_rank_ring_init(struct tm_ring *ring, const struct tm_metric *metric, struct tm_error *err)
{
	if (tm_ring_alloc(ring, metric->placement->size, err) < 0)
		return -1;
	for (int r = 0; r < ring->size; r++)
		ring->order[r] = r;
	tm_ring_set_distances(ring, metric);
	return 0;
}
