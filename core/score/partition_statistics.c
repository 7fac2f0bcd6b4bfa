#include "core/score/partition_statistics.h"

#include "core/base/mem.h"

#include <stdlib.h>

void tmap_partition_statistics_fini(struct tmap_partition_statistics *statistics)
{
	free(statistics->ranks);
	*statistics = (struct tmap_partition_statistics){ 0 };
}

int tmap_partition_statistics_init(struct tmap_partition_statistics *statistics,
				   const struct tmap_partition *sets,
				   const struct tmap_placement *placement, int root,
				   struct tmap_error *err)
{
	struct tmap_partition_statistics made = { 0 };
	int64_t p = placement->size;
	int before = TMAP_NONE;

	made.ranks = tmap_alloc((size_t)sets->count, sizeof *made.ranks, err);
	if (!made.ranks)
		return -1;
	for (int r = 0; r < p; r++) {
		int set = tmap_partition_set(sets, placement, r);

		made.ranks[set]++;
		made.runs += set != before;
		before = set;
	}
	for (int s = 0; s < sets->count; s++) {
		made.sets += made.ranks[s] > 0;
		made.apart += made.ranks[s] * (p - made.ranks[s]);
	}
	made.outside = (made.sets - 1) * p;
	made.beyond_root = p - made.ranks[tmap_partition_set(sets, placement, root)];
	*statistics = made;
	return 0;
}
