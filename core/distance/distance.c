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

static double *collect_values(const struct tmap_extent *extent, int *count, struct tmap_error *err)
{
	const struct tmap_machine *machine = extent->machine;
	double *values = NULL;
	size_t found = 0, capacity = 0;
	int status = add_values(&values, &found, &capacity, extent->width,
				extent->object_base[machine->topology_count], err);

	for (int j = 0; j < extent->join_count && status == 0; j++)
		status = add_values(&values, &found, &capacity,
				    extent->join + (size_t)j * (size_t)machine->node_count,
				    machine->node_count, err);
	if (status < 0) {
		free(values);
		return NULL;
	}
	*count = (int)found;
	return values;
}

/* Numbers the maximal objects that are at most as wide as the step; returns how many. */
static int number_local_sets(int *local, const struct tmap_topology *topo, const double *width,
			     double value)
{
	int count = 0;

	for (int o = 0; o < topo->object_count; o++) {
		int up = topo->object[o].parent;

		if (width[o] > value)
			local[o] = TMAP_NONE;
		else if (up != TMAP_NONE && width[up] <= value)
			local[o] = local[up];
		else
			local[o] = count++;
	}
	return count;
}

/* The widest join that a node has reached at this value, or TMAP_NONE. */
static int widest_join(const struct tmap_extent *extent, int node, double value)
{
	int j = extent->join_count - 1;

	while (j >= 0 &&
	       extent->join[(size_t)j * (size_t)extent->machine->node_count + (size_t)node] > value)
		j--;
	return j;
}

/* A node that has joined others shares their set; any other has its own local sets. */
static int number_node_sets(struct tmap_metric_step *step, const struct tmap_extent *extent,
			    const int *local_count, struct tmap_error *err)
{
	const struct tmap_machine *machine = extent->machine;
	size_t nodes = (size_t)machine->node_count;
	int *number = tmap_alloc((size_t)extent->join_count * nodes, sizeof *number, err);
	int64_t next = 0;

	if (!number)
		return -1;
	for (size_t n = 0; n < nodes && next < INT_MAX; n++) {
		int j = widest_join(extent, (int)n, step->value);
		int *seen = NULL;

		if (j != TMAP_NONE)
			seen = &number[(size_t)j * nodes +
				       (size_t)extent->group[(size_t)j * nodes + n]];
		if (seen && *seen) {
			step->node_base[n] = *seen - 1;
			continue;
		}
		step->node_base[n] = (int)next;
		next += seen ? 1 : local_count[machine->node_topology[n]];
		if (seen)
			*seen = step->node_base[n] + 1;
	}
	free(number);
	if (next >= INT_MAX)
		return tmap_fail(err, TMAP_INPUT,
				 "the machine has more than %d objects of one kind", INT_MAX - 1);
	step->set_count = (int)next;
	return 0;
}

static int fill_step(struct tmap_metric_step *step, const struct tmap_extent *extent, double value,
		     struct tmap_error *err)
{
	const struct tmap_machine *machine = extent->machine;
	int topologies = machine->topology_count, status = -1;
	int *local_count = tmap_alloc((size_t)topologies, sizeof *local_count, err);

	step->value = value;
	step->node_base = tmap_alloc((size_t)machine->node_count, sizeof *step->node_base, err);
	step->local = tmap_alloc((size_t)extent->object_base[topologies], sizeof *step->local, err);
	if (!local_count || !step->node_base || !step->local)
		goto out;
	for (int t = 0; t < topologies; t++) {
		int base = extent->object_base[t];

		local_count[t] = number_local_sets(step->local + base, &machine->topology[t],
						   extent->width + base, value);
	}
	status = number_node_sets(step, extent, local_count, err);
out:
	free(local_count);
	return status;
}

static int fill_metric(struct tmap_metric *metric, const struct tmap_extent *extent,
		       struct tmap_error *err)
{
	int count, status = 0;
	double *value = collect_values(extent, &count, err);

	if (!value)
		return -1;
	metric->step = tmap_alloc((size_t)count, sizeof *metric->step, err);
	metric->step_count = metric->step ? count : 0;
	for (int s = 0; s < metric->step_count && status == 0; s++)
		status = fill_step(&metric->step[s], extent, value[s], err);
	free(value);
	return metric->step ? status : -1;
}

int tmap_metric_init(struct tmap_metric *metric, const struct tmap_placement *placement,
		     enum tmap_scale scale, struct tmap_error *err)
{
	struct tmap_metric made = { .placement = placement, .size = placement->size };
	struct tmap_extent extent = { 0 };
	int status = tmap_extent_init(&extent, placement->machine, scale, err);

	if (status == 0)
		status = fill_metric(&made, &extent, err);
	if (status == 0) {
		made.object_base = extent.object_base;
		extent.object_base = NULL;
		*metric = made;
	} else {
		tmap_metric_fini(&made);
	}
	tmap_extent_fini(&extent);
	return status;
}

void tmap_metric_fini(struct tmap_metric *metric)
{
	for (int s = 0; s < metric->step_count; s++) {
		free(metric->step[s].node_base);
		free(metric->step[s].local);
		free(metric->step[s].of_rank);
	}
	free(metric->object_base);
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

int tmap_metric_set(const struct tmap_metric *metric, int step, int rank)
{
	const struct tmap_placement *p = metric->placement;
	const struct tmap_place *place;
	int local;

	if (!p)
		return metric->step[step].of_rank[rank];
	place = &p->places[p->place[rank]];
	local = metric->step[step].local[metric->object_base[place->topology] + place->object];
	return local == TMAP_NONE ? TMAP_NONE : metric->step[step].node_base[p->node[rank]] + local;
}

int tmap_metric_step_of(const struct tmap_metric *metric, int a, int b)
{
	if (a == b)
		return TMAP_NONE;
	for (int s = 0; s < metric->step_count; s++) {
		int set = tmap_metric_set(metric, s, a);

		if (set != TMAP_NONE && set == tmap_metric_set(metric, s, b))
			return s;
	}
	return TMAP_NONE;
}

double tmap_metric_distance(const struct tmap_metric *metric, int a, int b)
{
	int step = tmap_metric_step_of(metric, a, b);

	return step == TMAP_NONE ? 0 : metric->step[step].value;
}

/* Pairs of ranks that one step has in one set. */
static int count_within(const struct tmap_metric *metric, int step, int64_t *pairs,
			struct tmap_error *err)
{
	int set_count = metric->step[step].set_count;
	int *members = tmap_alloc((size_t)set_count, sizeof *members, err);

	if (!members)
		return -1;
	*pairs = 0;
	for (int r = 0; r < metric->size; r++) {
		int set = tmap_metric_set(metric, step, r);

		if (set != TMAP_NONE)
			*pairs += members[set]++;
	}
	free(members);
	return 0;
}

int64_t *tmap_metric_count_pairs(const struct tmap_metric *metric, struct tmap_error *err)
{
	int64_t *pairs = tmap_alloc((size_t)metric->step_count, sizeof *pairs, err);
	int64_t below = 0, within;

	for (int s = 0; pairs && s < metric->step_count; s++) {
		if (count_within(metric, s, &within, err) < 0) {
			free(pairs);
			return NULL;
		}
		pairs[s] = within - below;
		below = within;
	}
	return pairs;
}
