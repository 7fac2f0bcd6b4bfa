#include "core/group/hierarchy.h"

#include "core/base/mem.h"

#include <stdlib.h>

void tmap_hierarchy_fini(struct tmap_hierarchy *h)
{
	for (int l = 0; l < h->level_count; l++) {
		free(h->level[l].name);
		free(h->level[l].comm);
	}
	free(h->level);
	free(h->split);
	free(h->conduit);
	free(h->member_first);
	free(h->member);
	free(h->group_first);
	free(h->group);
	*h = (struct tmap_hierarchy){ 0 };
}

bool tmap_hierarchy_has(const struct tmap_hierarchy *h, int level, int rank)
{
	return h->level[level].comm[rank] >= h->level[level].first;
}

int tmap_hierarchy_above(const struct tmap_hierarchy *h, int level, int rank)
{
	return level ? h->level[level - 1].comm[rank] : 0;
}

int tmap_hierarchy_partition(struct tmap_partition *p, const struct tmap_hierarchy *h, int l,
			     struct tmap_error *err)
{
	int *key = tmap_alloc_raw((size_t)h->size, sizeof *key, err);

	if (!key)
		return -1;
	for (int r = 0; r < h->size; r++)
		key[r] = tmap_hierarchy_has(h, l, r) ? h->level[l].comm[r] - h->level[l].first :
						       TMAP_NONE;
	return tmap_partition_init_take(p, key, h->size, h->level[l].end - h->level[l].first, err);
}
