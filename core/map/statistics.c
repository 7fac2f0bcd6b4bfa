#include "core/map/statistics.h"

#include "core/base/mem.h"
#include "core/tree/shapes.h"

#include <stdlib.h>

static int measure_ring(struct tm_figures *figures, const struct tm_metric *metric,
			struct tm_error *err)
{
	struct tm_ring ring;
	int status;

	if (tm_shape_ring_called(&ring, "ring", metric, err) < 0)
		return -1;
	status = tm_ring_measure(&ring, &figures->ring, &figures->edges, &figures->edge_count, err);
	tm_ring_fini(&ring);
	return status;
}

static int measure_tree(double *sum, const char *name, const struct tm_metric *metric,
			struct tm_error *err)
{
	struct tm_tree tree;

	if (tm_shape_tree_called(&tree, name, metric, 0, err) < 0)
		return -1;
	*sum = 0;
	for (int r = 0; r < tree.size; r++)
		*sum += tree.distance[r];
	tm_tree_fini(&tree);
	return 0;
}

/* Of two ranks both steps count, as in a ring's document; one rank makes no step. */
static int count_crossings(struct tm_figures *figures, const struct tm_placement *p,
			   const struct tm_levels *levels, struct tm_error *err)
{
	figures->level_count = levels->count;
	figures->crossings = tm_alloc((size_t)levels->count, sizeof *figures->crossings, err);
	if (!figures->crossings)
		return -1;
	for (int l = 0; l < levels->count; l++) {
		int before = tm_levels_of_rank(levels, l, p, p->size - 1);

		for (int r = 0; r < p->size; r++) {
			int here = tm_levels_of_rank(levels, l, p, r);

			figures->crossings[l] += here != before;
			before = here;
		}
	}
	return 0;
}

int tm_figures_init(struct tm_figures *figures, const struct tm_placement *p, enum tm_scale scale,
		    const struct tm_levels *levels, struct tm_error *err)
{
	struct tm_figures made = { 0 };
	struct tm_metric metric;
	int status = -1;

	if (tm_metric_init(&metric, p, scale, err) < 0)
		return -1;
	if (measure_ring(&made, &metric, err) == 0 &&
	    measure_tree(&made.binomial_near, "binomial_near", &metric, err) == 0 &&
	    measure_tree(&made.binomial_far, "binomial_far", &metric, err) == 0)
		status = count_crossings(&made, p, levels, err);
	tm_metric_fini(&metric);
	if (status < 0)
		tm_figures_fini(&made);
	else
		*figures = made;
	return status;
}

void tm_figures_fini(struct tm_figures *figures)
{
	free(figures->edges);
	free(figures->crossings);
	*figures = (struct tm_figures){ 0 };
}

int64_t tm_figures_edges(const struct tm_figures *figures, double distance)
{
	for (int i = 0; i < figures->edge_count; i++)
		if (figures->edges[i].distance == distance)
			return figures->edges[i].edges;
	return 0;
}
