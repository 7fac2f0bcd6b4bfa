/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_probe/digest_group.h"

#include "core/base/mem.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static int digests_rising(const void *left, const void *right, void *context)
{
	const struct tmap_digest *digest = context;
	int a = *(const int *)left, b = *(const int *)right;
	int order = memcmp(digest[a].byte, digest[b].byte, sizeof digest[a].byte);

	return order ? order : (a > b) - (a < b);
}

static bool digest_is_equal(const struct tmap_digest *a, const struct tmap_digest *b)
{
	return memcmp(a->byte, b->byte, sizeof a->byte) == 0;
}

int tmap_digest_group(const struct tmap_digest *digest, int count, int *group, int *first,
		      struct tmap_error *err)
{
	int *order = tmap_alloc_raw((size_t)count, sizeof *order, err);
	int groups = 0, leader = 0;

	if (!order)
		return -1;
	for (int i = 0; i < count; i++)
		order[i] = i;
	qsort_r(order, (size_t)count, sizeof *order, digests_rising, (void *)digest);
	for (int i = 0; i < count; i++) {
		/* the first of a run is its smallest: the group's number is not known yet */
		if (!i || !digest_is_equal(&digest[order[i]], &digest[order[i - 1]]))
			leader = order[i];
		group[order[i]] = leader;
	}
	for (int i = 0; i < count; i++) {
		if (group[i] == i)
			first[groups++] = i;
		group[i] = group[i] == i ? groups - 1 : group[group[i]];
	}
	free(order);
	return groups;
}
