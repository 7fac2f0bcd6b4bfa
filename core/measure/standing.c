/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/measure/standing.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double row_seconds(const struct tmap_measured_row *row)
{
	return row->experiment->seconds.median;
}

static double size_best(const struct tmap_measured_size *size)
{
	double best = INFINITY;

	for (int i = 0; i < size->count; i++)
		best = fmin(best, row_seconds(&size->row[i]));
	return best;
}

static struct tmap_standing *standing_find(struct tmap_standing *list, int count, const char *name)
{
	for (int i = 0; i < count; i++)
		if (strcmp(list[i].name, name) == 0)
			return &list[i];
	return NULL;
}

static int standing_compare(const void *a, const void *b)
{
	const struct tmap_standing *left = a, *right = b;

	if (left->best != right->best)
		return left->best > right->best ? -1 : 1;
	if (left->behind != right->behind)
		return left->behind < right->behind ? -1 : 1;
	return strcmp(left->name, right->name);
}

/* The library's own choice is the last of the first ones, if it is behind these. */
static void native_promote(struct tmap_standing *list, int count, int most)
{
	struct tmap_standing *native = standing_find(list, count, "native");
	struct tmap_standing it;

	if (!native || native - list < most)
		return;
	it = *native;
	memmove(&list[most], &list[most - 1], (size_t)(native - &list[most - 1]) * sizeof *list);
	list[most - 1] = it;
}

int tmap_standings_make(struct tmap_standing **list, int *count,
			const struct tmap_measured *measured, int most, struct tmap_error *err)
{
	struct tmap_standing *made = tmap_alloc((size_t)measured->row_count, sizeof *made, err);
	int names = 0;

	if (!made)
		return -1;
	for (int s = 0; s < measured->count; s++) {
		const struct tmap_measured_size *size = &measured->size[s];
		double best = size_best(size);

		for (int i = 0; i < size->count; i++) {
			const char *name = size->row[i].experiment->algorithm;
			struct tmap_standing *it = standing_find(made, names, name);
			double seconds = row_seconds(&size->row[i]);

			if (!it)
				it = &made[names++];
			it->name = name;
			it->sizes++;
			it->best += seconds <= best;
			if (seconds > best) /* and of no time, it is far behind */
				it->behind += fmin(log(seconds / best), 100);
		}
	}
	for (int i = 0; i < names; i++)
		made[i].behind /= made[i].sizes;
	if (names)
		qsort(made, (size_t)names, sizeof *made, standing_compare);
	native_promote(made, names, most);
	*list = made;
	*count = names;
	return 0;
}
