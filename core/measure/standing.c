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

static int name_compare(const void *a, const void *b)
{
	const struct tmap_standing *left = a, *right = b;

	return strcmp(left->name, right->name);
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
	int at = 0;
	struct tmap_standing it;

	while (at < count && strcmp(list[at].name, "native") != 0)
		at++;
	if (at == count || at < most)
		return;
	it = list[at];
	memmove(&list[most], &list[most - 1], (size_t)(at - (most - 1)) * sizeof *list);
	list[most - 1] = it;
}

/* One of each row; returns how many. */
static int rows_stand(struct tmap_standing *list, const struct tmap_measured *measured)
{
	int rows = 0;

	for (int s = 0; s < measured->count; s++) {
		const struct tmap_measured_size *size = &measured->size[s];
		double best = size_best(size);

		for (int i = 0; i < size->count; i++) {
			double seconds = row_seconds(&size->row[i]);

			list[rows++] = (struct tmap_standing){
				.name = size->row[i].experiment->algorithm,
				.sizes = 1,
				.best = seconds <= best,
				/* of no time, it is far behind */
				.behind = seconds > best ? fmin(log(seconds / best), 100) : 0,
			};
		}
	}
	return rows;
}

/* Those of one name are one; returns how many there are. */
static int names_join(struct tmap_standing *list, int rows)
{
	int names = 0;

	for (int i = 0; i < rows; i++) {
		struct tmap_standing *it = &list[names ? names - 1 : 0];

		if (!names || strcmp(it->name, list[i].name) != 0) {
			list[names++] = list[i];
			continue;
		}
		it->sizes++;
		it->best += list[i].best;
		it->behind += list[i].behind;
	}
	for (int i = 0; i < names; i++)
		list[i].behind /= list[i].sizes;
	return names;
}

int tmap_standings_make(struct tmap_standing **list, int *count,
			const struct tmap_measured *measured, int most, struct tmap_error *err)
{
	struct tmap_standing *made = tmap_alloc((size_t)measured->row_count, sizeof *made, err);

	if (!made)
		return -1;
	*count = rows_stand(made, measured);
	if (*count)
		qsort(made, (size_t)*count, sizeof *made, name_compare);
	*count = names_join(made, *count);
	if (*count)
		qsort(made, (size_t)*count, sizeof *made, standing_compare);
	native_promote(made, *count, most);
	*list = made;
	return 0;
}
