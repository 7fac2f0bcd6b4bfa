/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/mappers/closest.h"

#include "core/base/mem.h"

#include <stdlib.h>

int tmap_closest_init(struct tmap_closest *closest, const struct tmap_nest *nest,
		      struct tmap_error *err)
{
	size_t count = (size_t)nest->count;
	struct tmap_closest made = { .nest = nest };

	made.next = tmap_alloc_raw(count + 1, sizeof *made.next, err);
	made.at = tmap_alloc_raw(count, sizeof *made.at, err);
	made.of = tmap_alloc_raw(count, sizeof *made.of, err);
	if (!made.next || !made.at || !made.of) {
		tmap_closest_fini(&made);
		return -1;
	}
	for (int x = 0; x <= nest->count; x++)
		made.next[x] = x;
	for (int x = 0; x < nest->count; x++)
		made.at[x] = made.of[x] = TMAP_NONE;
	*closest = made;
	return 0;
}

void tmap_closest_fini(struct tmap_closest *closest)
{
	free(closest->next);
	free(closest->at);
	free(closest->of);
	*closest = (struct tmap_closest){ 0 };
}

/* The first free position from @p x on; nest->count where there is none. */
static int position_next_free(struct tmap_closest *closest, int x)
{
	int *next = closest->next;

	while (next[x] != x)
		x = next[x] = next[next[x]];
	return x;
}

static int position_find(struct tmap_closest *closest, int to)
{
	const struct tmap_nest *nest = closest->nest;

	for (int l = nest->depth - 1; l >= 0 && to != TMAP_NONE; l--) {
		int set = tmap_nest_set(nest, l, closest->of[to]);
		int x = position_next_free(closest, nest->start[l][set]);

		if (x < nest->start[l][set + 1])
			return x;
	}
	return position_next_free(closest, 0);
}

void tmap_closest_put(struct tmap_closest *closest, int rank, int to)
{
	int x = position_find(closest, to);

	closest->at[x] = rank;
	closest->of[rank] = x;
	closest->next[x] = x + 1;
}

void tmap_closest_fill(struct tmap_closest *closest)
{
	for (int i = 0; i < closest->nest->count; i++)
		if (closest->of[i] == TMAP_NONE)
			tmap_closest_put(closest, i, TMAP_NONE);
}
