/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/map/statistics.h"

#include "core/base/mem.h"
#include "core/tree/shapes.h"

#include <stdlib.h>

static int statistics_measure_ring(struct tmap_statistics *statistics,
				   const struct tmap_metric *metric, struct tmap_error *err)
{
	struct tmap_ring ring;
	int status;

	if (tmap_shape_ring_called(&ring, "ring", metric, err) < 0)
		return -1;
	status = tmap_ring_measure(&ring, &statistics->ring, &statistics->edges,
				   &statistics->edge_count, err);
	tmap_ring_fini(&ring);
	return status;
}

static int tree_distance_sum(double *sum, const char *name, const struct tmap_metric *metric,
			     struct tmap_error *err)
{
	struct tmap_tree tree;

	if (tmap_shape_tree_called(&tree, name, metric, 0, err) < 0)
		return -1;
	*sum = 0;
	for (int r = 0; r < tree.size; r++)
		*sum += tree.distance[r];
	tmap_tree_fini(&tree);
	return 0;
}

/* Of two ranks both steps count, as in a ring's document; one rank makes no step. */
static int statistics_count_crossings(struct tmap_statistics *statistics,
				      const struct tmap_placement *p,
				      const struct tmap_levels *levels, struct tmap_error *err)
{
	statistics->level_count = levels->count;
	statistics->crossings =
		tmap_alloc((size_t)levels->count, sizeof *statistics->crossings, err);
	if (!statistics->crossings)
		return -1;
	for (int l = 0; l < levels->count; l++) {
		int before = tmap_levels_of_rank(levels, l, p, p->size - 1);

		for (int r = 0; r < p->size; r++) {
			int here = tmap_levels_of_rank(levels, l, p, r);

			statistics->crossings[l] += here != before;
			before = here;
		}
	}
	return 0;
}

int tmap_statistics_init(struct tmap_statistics *statistics, const struct tmap_placement *p,
			 enum tmap_scale scale, const struct tmap_levels *levels,
			 struct tmap_error *err)
{
	struct tmap_statistics made = { 0 };
	struct tmap_metric metric;
	int status = -1;

	if (tmap_metric_init(&metric, p, scale, err) < 0)
		return -1;
	if (statistics_measure_ring(&made, &metric, err) == 0 &&
	    tree_distance_sum(&made.binomial_near, "binomial_near", &metric, err) == 0 &&
	    tree_distance_sum(&made.binomial_far, "binomial_far", &metric, err) == 0)
		status = statistics_count_crossings(&made, p, levels, err);
	tmap_metric_fini(&metric);
	if (status < 0)
		tmap_statistics_fini(&made);
	else
		*statistics = made;
	return status;
}

void tmap_statistics_fini(struct tmap_statistics *statistics)
{
	free(statistics->edges);
	free(statistics->crossings);
	*statistics = (struct tmap_statistics){ 0 };
}

int64_t tmap_statistics_edges(const struct tmap_statistics *statistics, double distance)
{
	for (int i = 0; i < statistics->edge_count; i++)
		if (statistics->edges[i].distance == distance)
			return statistics->edges[i].edges;
	return 0;
}
