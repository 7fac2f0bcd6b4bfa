#include "core/group/hierarchy.h"

#include "core/base/mem.h"

#include <stdlib.h>

void tm_hierarchy_fini(struct tm_hierarchy *h)
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
	*h = (struct tm_hierarchy){ 0 };
}

bool tm_hierarchy_has(const struct tm_hierarchy *h, int level, int rank)
{
	return h->level[level].comm[rank] >= h->level[level].first;
}

int tm_hierarchy_above(const struct tm_hierarchy *h, int level, int rank)
{
	return level ? h->level[level - 1].comm[rank] : 0;
}

int tm_hierarchy_partition(struct tm_partition *p, const struct tm_hierarchy *h, int l,
			   struct tm_error *err)
{
	int *key = tm_alloc_raw((size_t)h->size, sizeof *key, err);

	if (!key)
		return -1;
	for (int r = 0; r < h->size; r++)
		key[r] = tm_hierarchy_has(h, l, r) ? h->level[l].comm[r] - h->level[l].first :
			 TM_NONE;
	return tm_partition_init_take(p, key, h->size, h->level[l].end - h->level[l].first, err);
}
