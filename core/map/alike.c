/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/map/alike.h"

#include "core/base/hash.h"
#include "core/base/mem.h"
#include "core/pattern/rows.h"

#include <math.h>
#include <stdlib.h>

enum { SLOTS = 2 * TMAP_ALIKE_STEPS_MOST };

/* Sums of bytes up to this are exact in whatever order, also where both ends of a message count. */
static const double most_bytes = (double)(INT64_C(1) << 51);

int64_t tmap_alike_whole(double bytes)
{
	return bytes < 1 ? 1 : bytes < 9e18 ? (int64_t)llround(bytes) : INT64_MAX;
}

static void tree_fini(struct tmap_alike_tree *tree)
{
	free(tree->step);
	free(tree->slot);
	*tree = (struct tmap_alike_tree){ 0 };
}

static int tree_init(struct tmap_alike_tree *tree, struct tmap_error *err)
{
	tree->slot = tmap_alloc(SLOTS, sizeof *tree->slot, err);
	if (!tree->slot || tmap_grow(&tree->step, &tree->capacity, 1, sizeof *tree->step, err) < 0)
		return -1;
	tree->step[0] = (struct tmap_alike_step){ TMAP_NONE, 0, 0 };
	tree->count = 1;
	return 0;
}

/* The step that comes after another one, added if it is new. 1: there are too many. */
static int tree_go(struct tmap_alike_tree *tree, int *at, int what, struct tmap_error *err)
{
	uint64_t key = (uint64_t)*at << 32 | (uint32_t)what;
	const struct tmap_alike_step *step;
	int after = tree->step[*at].after;
	size_t i;

	if (after && tree->step[after].what == what) {
		*at = after;
		return 0;
	}
	i = (size_t)(tmap_hash_add(TMAP_HASH, key) & (SLOTS - 1));
	for (; tree->slot[i]; i = (i + 1) & (SLOTS - 1)) {
		step = &tree->step[tree->slot[i]];
		if (step->before == *at && step->what == what) {
			tree->step[*at].after = tree->slot[i];
			*at = tree->slot[i];
			return 0;
		}
	}
	if (tree->count == TMAP_ALIKE_STEPS_MOST)
		return 1;
	if (tmap_grow(&tree->step, &tree->capacity, (size_t)tree->count + 1, sizeof *tree->step,
		      err) < 0)
		return -1;
	tree->step[tree->count] = (struct tmap_alike_step){ *at, what, 0 };
	tree->step[*at].after = tree->count;
	tree->slot[i] = tree->count;
	*at = tree->count++;
	return 0;
}

void tmap_alike_fini(struct tmap_alike *alike)
{
	tree_fini(&alike->rows);
	tree_fini(&alike->works);
	free(alike->row);
	free(alike->work);
	*alike = (struct tmap_alike){ 0 };
}

/* The number of a size; TMAP_NONE: there are too many. @p last is where it probably is. */
static int size_find(struct tmap_alike *alike, int last, int64_t whole)
{
	if (last < alike->size_count && alike->size[last] == whole)
		return last;
	for (int i = 0; i < alike->size_count; i++)
		if (alike->size[i] == whole)
			return i;
	if (alike->size_count == TMAP_ALIKE_SIZES_MOST)
		return TMAP_NONE;
	alike->size[alike->size_count] = whole;
	return alike->size_count++;
}

/* The messages of a rank, here and at those that get them. 1: ranks are not alike. */
static int row_add(struct tmap_alike *alike, const struct tmap_pattern_rows *rows,
		   const struct tmap_pair_kinds *kinds, struct tmap_error *err)
{
	struct tmap_position left = tmap_pair_position(kinds, rows->rank);
	int at = 0, size = 0, work, status = 0;
	double bytes = 0;

	for (int e = 0; e < rows->count && status == 0; e++) {
		int i = rows->turn ? rows->turn[e] : e, to = rows->peer[i];

		if (rows->sent[i] <= 0)
			continue;
		if (rows->sent[i] != bytes) {
			bytes = rows->sent[i];
			size = size_find(alike, size, tmap_alike_whole(bytes));
			if (size == TMAP_NONE)
				return 1;
		}
		alike->number[size]++;
		status = tree_go(&alike->rows, &at,
				 size * kinds->count +
					 tmap_pair_kind(kinds, left, tmap_pair_position(kinds, to)),
				 err);
		work = alike->work[to];
		if (status == 0)
			status = tree_go(&alike->works, &work, at, err);
		alike->work[to] = (uint16_t)work;
	}
	alike->row[rows->rank] = (uint16_t)at;
	work = alike->work[rows->rank];
	if (status == 0 && at > 0)
		status = tree_go(&alike->works, &work, -1 - at, err);
	alike->work[rows->rank] = (uint16_t)work;
	return status;
}

static bool bytes_are_exact(const struct tmap_alike *alike)
{
	double sum = 0;

	for (int i = 0; i < alike->size_count; i++)
		sum += (double)alike->number[i] * (double)alike->size[i];
	return sum <= most_bytes;
}

int tmap_alike_find(struct tmap_alike *alike, const struct tmap_cost_model *model,
		    const struct tmap_pattern *pattern, const struct tmap_neighborhood *order,
		    struct tmap_error *err)
{
	const struct tmap_pair_kinds *kinds = &model->kinds;
	size_t ranks = (size_t)pattern->size;
	struct tmap_alike made = { .is_found = true, .kinds = kinds->count };
	struct tmap_pattern_rows rows = { 0 };
	int status = 0;

	if (alike->is_found)
		return 0;
	made.row = tmap_alloc_raw(ranks, sizeof *made.row, err);
	made.work = tmap_alloc(ranks, sizeof *made.work, err);
	if (!made.row || !made.work || tree_init(&made.rows, err) < 0 ||
	    tree_init(&made.works, err) < 0 ||
	    tmap_pattern_rows_init(&rows, pattern, order, false, err) < 0)
		status = -1;
	while (status == 0 && tmap_pattern_rows_next(&rows))
		status = row_add(&made, &rows, kinds, err);
	tmap_pattern_rows_fini(&rows);
	if (status == 0 && !bytes_are_exact(&made))
		status = 1;
	if (status != 0)
		tmap_alike_fini(&made);
	if (status < 0)
		return -1;
	if (status > 0)
		made = (struct tmap_alike){ .is_found = true, .is_vain = true };
	free(made.rows.slot);
	free(made.works.slot);
	made.rows.slot = made.works.slot = NULL;
	*alike = made;
	return 0;
}
