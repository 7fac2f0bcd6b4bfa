/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/map/crossings.h"

#include "core/base/mem.h"
#include "core/map/planned.h"
#include "core/pattern/rows.h"

#include <stdlib.h>

struct crossing_count {
	const struct tmap_placement *p;
	const struct tmap_levels *levels;
	int **object;               /* [levels][size]: that each rank is in */
	struct tmap_border *border; /* [levels] */
};

static void crossing_count_fini(struct crossing_count *count)
{
	for (int l = 0; count->object && l < count->levels->count; l++)
		free(count->object[l]);
	free(count->object);
}

static int crossing_count_init(struct crossing_count *count, const struct tmap_placement *p,
			       const struct tmap_levels *levels, struct tmap_error *err)
{
	*count = (struct crossing_count){ .p = p, .levels = levels };
	count->object = tmap_alloc((size_t)levels->count, sizeof *count->object, err);
	for (int l = 0; count->object && l < levels->count; l++) {
		int *object = tmap_alloc_raw((size_t)p->size, sizeof *object, err);

		count->object[l] = object;
		if (!object)
			return -1;
		for (int r = 0; r < p->size; r++)
			object[r] = tmap_levels_of_rank(levels, l, p, r);
	}
	return count->object ? 0 : -1;
}

/* Every level is asked: nodes of other kinds may have theirs in another order. */
static void crossings_add(struct crossing_count *count, int from, int to, double messages,
			  double bytes)
{
	for (int l = 0; l < count->levels->count; l++)
		if (count->object[l][from] != count->object[l][to]) {
			count->border[l].messages += messages;
			count->border[l].bytes += bytes;
		}
}

/* Ordered pairs of ranks in different objects of a level. */
static int level_count_pairs(const struct crossing_count *count, int level, double *pairs,
			     struct tmap_error *err)
{
	int objects = count->levels->level[level].sets.count, size = count->p->size;
	int *ranks = tmap_alloc((size_t)objects, sizeof *ranks, err);

	if (!ranks)
		return -1;
	for (int r = 0; r < size; r++)
		ranks[count->object[level][r]]++;
	*pairs = (double)size * size;
	for (int o = 0; o < objects; o++)
		*pairs -= (double)ranks[o] * ranks[o];
	free(ranks);
	return 0;
}

static int crossings_add_everyone(struct crossing_count *count, double bytes,
				  struct tmap_error *err)
{
	double pairs;

	for (int l = 0; l < count->levels->count && bytes > 0; l++) {
		if (level_count_pairs(count, l, &pairs, err) < 0)
			return -1;
		count->border[l].messages += pairs;
		count->border[l].bytes += pairs * bytes;
	}
	return 0;
}

static int crossings_visit_message(void *context, const struct tmap_message *message,
				   struct tmap_error *err)
{
	(void)err;
	crossings_add(context, message->from, message->to, (double)message->times,
		      (double)message->bytes);
	return 0;
}

static int crossings_visit_messages(void *context, const struct tmap_messages *batch,
				    struct tmap_error *err)
{
	(void)err;
	for (int i = 0; i < batch->count; i++)
		crossings_add(context, batch->from[i], batch->to[i], (double)batch->info.times,
			      (double)batch->bytes[i]);
	return 0;
}

static int crossings_visit_shift(void *context, const struct tmap_shift_pattern *shift,
				 struct tmap_error *err)
{
	struct crossing_count *count = context;
	int size = count->p->size;

	(void)err;
	for (int l = 0; l < count->levels->count; l++) {
		const int *object = count->object[l];
		int64_t apart = 0;

		for (int i = 0; i < shift->count; i++) {
			int64_t from = tmap_shift_pattern_sender(shift, i) % size;

			apart += object[from] != object[(from + shift->ahead) % size];
		}
		count->border[l].messages += (double)apart * (double)shift->info.times;
		count->border[l].bytes += (double)apart * (double)shift->bytes;
	}
	return 0;
}

static int crossings_visit_all_pairs(void *context, const struct tmap_all_pairs *pairs,
				     struct tmap_error *err)
{
	struct crossing_count *count = context;

	return crossings_add_everyone(
		count,
		(double)pairs->bytes + (double)pairs->larger * (double)pairs->more / count->p->size,
		err);
}

static int crossings_add_pattern(struct crossing_count *count, const struct tmap_pattern *pattern,
				 struct tmap_error *err)
{
	struct tmap_pattern_rows rows;

	if (tmap_pattern_rows_init(&rows, pattern, NULL, false, err) < 0)
		return -1;
	for (int r = 0; tmap_pattern_rows_next(&rows); r++)
		for (int i = 0; i < rows.count; i++)
			if (rows.sent[i] > 0)
				crossings_add(count, r, rows.peer[i], 1, rows.sent[i]);
	tmap_pattern_rows_fini(&rows);
	return crossings_add_everyone(count, pattern->everyone, err);
}

static int crossings_add_calls(struct crossing_count *count, const struct tmap_traffic *traffic,
			       struct tmap_border *sum, struct tmap_error *err)
{
	struct tmap_visitor visitor = { .folded = true,
					.message = crossings_visit_message,
					.all_pairs = crossings_visit_all_pairs,
					.context = count,
					.batch = crossings_visit_messages,
					.shift = crossings_visit_shift };
	struct tmap_metric metric;
	int status = 0;

	if (tmap_metric_init(&metric, count->p, TMAP_SCALE_PROCESS, err) < 0)
		return -1;
	for (int c = 0; c < traffic->call_count && status == 0; c++) {
		struct tmap_call call;

		status = tmap_planned_call(&call, traffic, c, &metric, err);
		if (status == 0)
			status = tmap_schedule(&call, &visitor, err);
		if (status < 0)
			status = tmap_call_blame(&call, err);
		for (int l = 0; l < count->levels->count; l++) {
			sum[l].messages += traffic->weight[c] * count->border[l].messages;
			sum[l].bytes += traffic->weight[c] * count->border[l].bytes;
			count->border[l] = (struct tmap_border){ 0 };
		}
	}
	tmap_metric_fini(&metric);
	return status;
}

int tmap_crossings_count(struct tmap_border *border, const struct tmap_placement *p,
			 const struct tmap_levels *levels, const struct tmap_traffic *traffic,
			 struct tmap_error *err)
{
	struct tmap_border *of_call = tmap_alloc((size_t)levels->count, sizeof *of_call, err);
	struct crossing_count count;
	int status = -1;

	for (int l = 0; l < levels->count; l++)
		border[l] = (struct tmap_border){ 0 };
	if (crossing_count_init(&count, p, levels, err) < 0 || !of_call)
		goto out;
	count.border = border;
	if (traffic->pattern && crossings_add_pattern(&count, traffic->pattern, err) < 0)
		goto out;
	count.border = of_call;
	status = traffic->call_count ? crossings_add_calls(&count, traffic, border, err) : 0;
out:
	crossing_count_fini(&count);
	free(of_call);
	return status;
}
