/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/base/mem.h"
#include "core/cost/merge.h"
#include "lib/handles.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static int distances_init(struct topomap_distances *it, const struct topomap_placement *placement,
			  const char *scale, const struct topomap_profile *profile,
			  struct tmap_error *err)
{
	int found;

	if (tmap_handle_check(placement, TMAP_HANDLE_PLACEMENT, err) < 0 ||
	    (profile && tmap_handle_check(profile, TMAP_HANDLE_PROFILE, err) < 0))
		return -1;
	found = scale ?
		tmap_keywords_find_among(&tmap_scales, TMAP_SCALES_WITH_LATENCY, scale, err) :
		TMAP_SCALE_PROCESS;
	if (found == TMAP_NONE) {
		err->kind = err->kind == TMAP_INPUT ? TMAP_USAGE : err->kind;
		return -1;
	}
	it->placement = tmap_handle_hold(placement);
	it->scale = (enum tmap_scale)found;
	if (tmap_metric_init(&it->metric, &it->placement->placement, it->scale, err) < 0)
		return -1;
	if (tmap_scale_rows[found].by_profile) {
		it->profile = profile ? tmap_handle_hold(profile) : NULL;
		it->costs = tmap_public_profile(profile, &it->placement->placement);
		tmap_metric_set_latencies(&it->metric, &it->costs);
	}
	return 0;
}

struct topomap_distances *topomap_distances_new(const struct topomap_placement *placement,
						const char *scale,
						const struct topomap_profile *profile,
						struct topomap_error *err)
{
	struct tmap_error why;
	struct topomap_distances *made = tmap_handle_new(TMAP_HANDLE_DISTANCES, sizeof *made, &why);

	if (made && distances_init(made, placement, scale, profile, &why) == 0)
		return made;
	topomap_distances_free(made);
	tmap_public_error(err, &why);
	return NULL;
}

static int matrix_init(struct tmap_matrix *matrix, int size, const double *value,
		       struct tmap_error *err)
{
	if (tmap_argument_check(value, "value", err) < 0)
		return -1;
	if (size < 1)
		return tmap_fail(err, TMAP_USAGE, "%d ranks: there is at least one", size);
	if (tmap_matrix_init(matrix, size, err) < 0)
		return -1;
	memcpy(matrix->value, value, (size_t)size * (size_t)size * sizeof *value);
	return tmap_matrix_check(matrix, err);
}

struct topomap_distances *topomap_distances_new_measured(int size, const double *value,
							 struct topomap_error *err)
{
	struct tmap_error why;
	struct topomap_distances *made = tmap_handle_new(TMAP_HANDLE_DISTANCES, sizeof *made, &why);

	if (made) {
		made->scale = TMAP_SCALE_MEASURED;
		if (matrix_init(&made->matrix, size, value, &why) == 0)
			return made;
	}
	topomap_distances_free(made);
	tmap_public_error(err, &why);
	return NULL;
}

void topomap_distances_free(struct topomap_distances *distances)
{
	if (!distances || !tmap_handle_release(distances, TMAP_HANDLE_DISTANCES))
		return;
	tmap_metric_fini(&distances->metric);
	tmap_matrix_fini(&distances->matrix);
	topomap_placement_free(distances->placement);
	topomap_profile_free(distances->profile);
	free(distances);
}

int tmap_distances_size(const struct topomap_distances *distances)
{
	return distances->placement ? distances->metric.size : distances->matrix.size;
}

static double distance_of(const struct topomap_distances *distances, int a, int b)
{
	return distances->placement ? tmap_metric_distance(&distances->metric, a, b) :
				      tmap_matrix_distance(&distances->matrix, a, b);
}

int topomap_distances_get(const struct topomap_distances *distances, int a, int b, double *value,
			  struct topomap_error *err)
{
	struct tmap_error why;

	if (tmap_handle_check(distances, TMAP_HANDLE_DISTANCES, &why) < 0 ||
	    tmap_index_check(a, tmap_distances_size(distances), "rank", &why) < 0 ||
	    tmap_index_check(b, tmap_distances_size(distances), "rank", &why) < 0 ||
	    tmap_argument_check(value, "value", &why) < 0)
		return tmap_public_error(err, &why);
	*value = distance_of(distances, a, b);
	return 0;
}

int topomap_distances_row(const struct topomap_distances *distances, int rank, double *row,
			  struct topomap_error *err)
{
	struct tmap_error why;

	if (tmap_handle_check(distances, TMAP_HANDLE_DISTANCES, &why) < 0 ||
	    tmap_index_check(rank, tmap_distances_size(distances), "rank", &why) < 0 ||
	    tmap_argument_check(row, "row", &why) < 0)
		return tmap_public_error(err, &why);
	for (int r = 0; r < tmap_distances_size(distances); r++)
		row[r] = distance_of(distances, rank, r);
	return 0;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Those of pairs with the smaller rank first, sorted and counted. */
static int count_measured(const struct tmap_matrix *matrix, double *value, int64_t *pairs, int room,
			  struct tmap_error *err)
{
	size_t size = (size_t)matrix->size, total = size * (size - 1) / 2, filled = 0;
	double *all = tmap_alloc_raw(total ? total : 1, sizeof *all, err);
	int count = 0;

	if (!all)
		return -1;
	for (size_t a = 0; a < size; a++)
		for (size_t b = a + 1; b < size; b++)
			all[filled++] = matrix->value[a * size + b];
	qsort(all, total, sizeof *all, by_value);
	for (size_t i = 0, begin; i < total; count++) {
		for (begin = i; i < total && all[i] <= all[begin]; i++)
			;
		if (count < room) {
			value[count] = all[begin];
			pairs[count] = (int64_t)(i - begin);
		}
	}
	free(all);
	return count;
}

static int count_metric(const struct tmap_metric *metric, double *value, int64_t *pairs, int room,
			struct tmap_error *err)
{
	int64_t *of_step = tmap_metric_count_pairs(metric, err);
	int count = 0;

	if (!of_step)
		return -1;
	for (int s = 0; s < metric->step_count; s++) {
		if (!of_step[s])
			continue;
		if (count < room) {
			value[count] = metric->step[s].value;
			pairs[count] = of_step[s];
		}
		count++;
	}
	free(of_step);
	return count;
}

int topomap_distances_count(const struct topomap_distances *distances, double *value,
			    int64_t *pairs, int room, struct topomap_error *err)
{
	struct tmap_error why;
	int count;

	if (tmap_handle_check(distances, TMAP_HANDLE_DISTANCES, &why) < 0 ||
	    (room > 0 &&
	     (tmap_argument_check(value, "value", &why) < 0 ||
	      tmap_argument_check(pairs, "pairs", &why) < 0)))
		return tmap_public_error(err, &why);
	count = distances->placement ? count_metric(&distances->metric, value, pairs, room, &why) :
				       count_measured(&distances->matrix, value, pairs, room, &why);
	return count < 0 ? tmap_public_error(err, &why) : count;
}

int topomap_distances_meaning(const struct topomap_distances *distances, double value, char *text,
			      size_t size, struct topomap_error *err)
{
	char meaning[TMAP_MEANING_ROOM];
	struct tmap_error why;
	locale_t before;

	if (tmap_handle_check(distances, TMAP_HANDLE_DISTANCES, &why) < 0 ||
	    (size && tmap_argument_check(text, "text", &why) < 0))
		return tmap_public_error(err, &why);
	if (!distances->placement) {
		tmap_fail(&why, TMAP_USAGE, "distances that were measured have no meaning");
		return tmap_public_error(err, &why);
	}
	if (!(value >= 0 && value <= INT_MAX)) {
		tmap_fail(&why, TMAP_USAGE, "%g is no distance", value);
		return tmap_public_error(err, &why);
	}
	if (!(before = tmap_locale_begin(&why)))
		return tmap_public_error(err, &why);
	tmap_meaning_print(distances->placement->placement.machine, (int)distances->scale, value,
			   meaning);
	tmap_locale_end(before);
	return tmap_public_text(text, size, meaning);
}
