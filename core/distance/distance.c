/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/distance/distance.h"

#include "core/base/mem.h"
#include "core/distance/scale.h"

#include <limits.h>
#include <stdlib.h>

static int compare_doubles(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

static size_t sort_distinct(double *value, size_t count)
{
	size_t kept = 0;

	if (!count)
		return 0;
	qsort(value, count, sizeof *value, compare_doubles);
	for (size_t i = 0; i < count; i++)
		if (!kept || value[kept - 1] < value[i])
			value[kept++] = value[i];
	return kept;
}

/* Adds the distinct ones of some values; few remain, so sorting again is cheap. */
static int add_values(double **values, size_t *count, size_t *capacity, const double *more,
		      int more_count, struct tmap_error *err)
{
	double last = more_count ? more[0] - 1 : 0;

	for (int i = 0; i < more_count; i++) {
		if (more[i] == last)
			continue;
		last = more[i];
		if (*count >= 64)
			*count = sort_distinct(*values, *count);
		if (tmap_grow(values, capacity, *count + 1, sizeof **values, err) < 0)
			return -1;
		(*values)[(*count)++] = last;
	}
	*count = sort_distinct(*values, *count);
	return 0;
}

static double *collect_values(const struct tmap_scale_distances *scale, int *count,
			      struct tmap_error *err)
{
	const struct tmap_machine *machine = scale->machine;
	double *values = NULL;
	size_t found = 0, capacity = 0;
	int status = add_values(&values, &found, &capacity, scale->within,
				scale->object_base[machine->topology_count], err);

	for (int j = 0; j < scale->join_count && status == 0; j++)
		status = add_values(&values, &found, &capacity, scale->join[j].distance,
				    machine->node_count, err);
	if (status < 0) {
		free(values);
		return NULL;
	}
	*count = (int)found;
	return values;
}

/* Numbers the maximal objects whose ranks are no farther apart than the step's value; returns how
 * many there are. */
static int number_local_sets(int *local, const struct tmap_topology *topo, const double *within,
			     double value)
{
	int count = 0;

	for (int o = 0; o < topo->object_count; o++) {
		int up = topo->object[o].parent;

		if (within[o] > value)
			local[o] = TMAP_NONE;
		else if (up != TMAP_NONE && within[up] <= value)
			local[o] = local[up];
		else
			local[o] = count++;
	}
	return count;
}

/* The widest join that a node has reached at this value, or TMAP_NONE. */
static int widest_join(const struct tmap_scale_distances *scale, int node, double value)
{
	int j = scale->join_count - 1;

	while (j >= 0 && scale->join[j].distance[node] > value)
		j--;
	return j;
}

/* A node that has joined others shares their set; any other has its own local sets. */
static int number_node_sets(struct tmap_metric_step *step, const struct tmap_scale_distances *scale,
			    const int *local_count, struct tmap_error *err)
{
	const struct tmap_machine *machine = scale->machine;
	size_t nodes = (size_t)machine->node_count;
	int *number = tmap_alloc((size_t)scale->join_count * nodes, sizeof *number, err);
	int64_t next = 0;

	if (!number)
		return -1;
	for (size_t n = 0; n < nodes && next < INT_MAX; n++) {
		int j = widest_join(scale, (int)n, step->value);
		int *seen = NULL;

		if (j != TMAP_NONE)
			seen = &number[(size_t)j * nodes + (size_t)scale->join[j].sets.node_base[n]];
		if (seen && *seen) {
			step->sets.node_base[n] = *seen - 1;
			continue;
		}
		step->sets.node_base[n] = (int)next;
		next += seen ? 1 : local_count[machine->node_topology[n]];
		if (seen)
			*seen = step->sets.node_base[n] + 1;
	}
	free(number);
	if (next >= INT_MAX)
		return tmap_fail(err, TMAP_INPUT,
				 "the machine has more than %d objects of one kind", INT_MAX - 1);
	step->sets.count = (int)next;
	return 0;
}

static int step_init(struct tmap_metric_step *step, const struct tmap_scale_distances *scale,
		     double value, struct tmap_error *err)
{
	const struct tmap_machine *machine = scale->machine;
	int *local_count = tmap_alloc((size_t)machine->topology_count, sizeof *local_count, err);
	int status = -1;

	step->value = value;
	if (local_count && tmap_partition_alloc(&step->sets, machine, err) == 0) {
		for (int t = 0; t < machine->topology_count; t++)
			local_count[t] =
				number_local_sets(step->sets.local[t], &machine->topology[t],
						  scale->within + scale->object_base[t], value);
		status = number_node_sets(step, scale, local_count, err);
	}
	free(local_count);
	return status;
}

int tmap_metric_init(struct tmap_metric *metric, const struct tmap_placement *placement,
		     enum tmap_scale scale, struct tmap_error *err)
{
	struct tmap_metric made = { .placement = placement, .size = placement->size };
	struct tmap_scale_distances distances = { 0 };
	double *value = NULL;
	int count, status = -1;

	if (tmap_scale_distances_init(&distances, placement->machine, scale, err) == 0)
		value = collect_values(&distances, &count, err);
	if (value)
		made.step = tmap_alloc((size_t)count, sizeof *made.step, err);
	if (value && made.step) {
		made.step_count = count;
		status = 0;
		for (int s = 0; s < count && status == 0; s++)
			status = step_init(&made.step[s], &distances, value[s], err);
	}
	free(value);
	tmap_scale_distances_fini(&distances);
	if (status < 0)
		tmap_metric_fini(&made);
	else
		*metric = made;
	return status;
}

void tmap_metric_fini(struct tmap_metric *metric)
{
	for (int s = 0; s < metric->step_count; s++)
		tmap_partition_fini(&metric->step[s].sets);
	free(metric->step);
	*metric = (struct tmap_metric){ 0 };
}

void tmap_metric_merge_below(struct tmap_metric *copy, double value)
{
	while (copy->step_count > 1 && copy->step[1].value <= value) {
		copy->step++;
		copy->step_count--;
	}
}

int tmap_metric_most_sets(const struct tmap_metric *metric)
{
	int most = 0;

	for (int s = 0; s < metric->step_count; s++)
		if (metric->step[s].sets.count > most)
			most = metric->step[s].sets.count;
	return most;
}

int tmap_metric_step_of(const struct tmap_metric *metric, int a, int b)
{
	if (a == b)
		return TMAP_NONE;
	for (int s = 0; s < metric->step_count; s++)
		if (!tmap_partition_separates(&metric->step[s].sets, metric->placement, a, b))
			return s;
	return TMAP_NONE;
}

double tmap_metric_distance(const struct tmap_metric *metric, int a, int b)
{
	int step = tmap_metric_step_of(metric, a, b);

	return step == TMAP_NONE ? 0 : metric->step[step].value;
}

int64_t *tmap_metric_count_pairs(const struct tmap_metric *metric, struct tmap_error *err)
{
	int64_t *pairs = tmap_alloc((size_t)metric->step_count, sizeof *pairs, err);
	int64_t below = 0;

	for (int s = 0; pairs && s < metric->step_count; s++) {
		const struct tmap_partition *sets = &metric->step[s].sets;
		int *ranks = tmap_partition_count_ranks(sets, metric->placement, err);
		int64_t together = 0;

		if (!ranks) {
			free(pairs);
			return NULL;
		}
		for (int i = 0; i < sets->count; i++)
			together += (int64_t)ranks[i] * (ranks[i] - 1) / 2;
		pairs[s] = together - below;
		below = together;
		free(ranks);
	}
	return pairs;
}
