/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/map/nest.h"

#include "core/base/mem.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A layer before it is known to separate slots. */
struct layer {
	const struct tmap_partition *sets; /* NULL: each slot is alone */
	double cost;
	int level;
};

void tmap_nest_fini(struct tmap_nest *nest)
{
	for (int l = 0; nest->start && l < nest->depth; l++)
		free(nest->start[l]);
	free(nest->start);
	free(nest->set_count);
	free(nest->cost);
	free(nest->level);
	free(nest->slot);
	free(nest->position);
	free(nest->group);
	free(nest->set);
	*nest = (struct tmap_nest){ 0 };
}

static int nest_alloc(struct tmap_nest *nest, struct tmap_error *err)
{
	size_t slots = (size_t)nest->count, layers = (size_t)nest->depth;

	nest->start = tmap_alloc(layers, sizeof *nest->start, err);
	nest->set_count = tmap_alloc(layers, sizeof *nest->set_count, err);
	nest->cost = tmap_alloc(layers, sizeof *nest->cost, err);
	nest->level = tmap_alloc(layers, sizeof *nest->level, err);
	nest->slot = tmap_alloc_raw(slots, sizeof *nest->slot, err);
	nest->position = tmap_alloc_raw(slots, sizeof *nest->position, err);
	nest->group = tmap_alloc(slots, sizeof *nest->group, err);
	return nest->start && nest->set_count && nest->cost && nest->level && nest->slot &&
			nest->position && nest->group ?
		0 :
		-1;
}

/* Numbers of sets, those of single slots included, are below. */
static int layer_limit(const struct layer *layer, int slot_count)
{
	return (layer->sets ? layer->sets->count : 0) + slot_count;
}

static int layer_set(const struct layer *layer, const struct tmap_placement *slots, int slot)
{
	int set;

	if (!layer->sets)
		return slot;
	set = tmap_partition_set(layer->sets, slots, slot);
	return set == TMAP_NONE ? layer->sets->count + slot : set;
}

/* One stable pass: the slots in nest->slot sorted by their sets of one layer. */
static int sort_by_layer(struct tmap_nest *nest, const struct layer *layer,
			 const struct tmap_placement *slots, struct tmap_error *err)
{
	int limit = layer_limit(layer, nest->count);
	int *start = tmap_alloc((size_t)limit + 1, sizeof *start, err);

	if (!start)
		return -1;
	for (int s = 0; s < nest->count; s++)
		start[layer_set(layer, slots, s) + 1]++;
	for (int i = 0; i < limit; i++)
		start[i + 1] += start[i];
	for (int i = 0; i < nest->count; i++)
		nest->position[start[layer_set(layer, slots, nest->slot[i])]++] = nest->slot[i];
	free(start);
	memcpy(nest->slot, nest->position, (size_t)nest->count * sizeof *nest->slot);
	return 0;
}

/* The groups are the sets of the layers so far; those of one more layer, numbered from the left. Returns
 * their count. */
static int groups_divide(struct tmap_nest *nest, const struct layer *layer,
			 const struct tmap_placement *slots)
{
	int groups = 0, before = TMAP_NONE, group_before = TMAP_NONE;

	for (int x = 0; x < nest->count; x++) {
		int set = layer_set(layer, slots, nest->slot[x]);

		groups += set != before || nest->group[x] != group_before;
		before = set;
		group_before = nest->group[x];
		nest->group[x] = groups - 1;
	}
	return groups;
}

/* Where the groups begin, which are the sets of the layer now. */
static int note_starts(struct tmap_nest *nest, int layer, struct tmap_error *err)
{
	int *start = tmap_alloc_raw((size_t)nest->set_count[layer] + 1, sizeof *start, err);

	if (!start)
		return -1;
	for (int x = nest->count - 1; x >= 0; x--)
		start[nest->group[x]] = x;
	start[nest->set_count[layer]] = nest->count;
	nest->start[layer] = start;
	return 0;
}

/* Positions that are alone need no groups: these are the sets of the layer around them. */
static void groups_narrow(struct tmap_nest *nest, int inner)
{
	for (int x = 0, group = 0; x < nest->count; x++) {
		if (inner != TMAP_NONE && x == nest->start[inner][group + 1])
			group++;
		nest->group[x] = group;
	}
}

/* The sets of each group, which are those of layer @p inner (TMAP_NONE: one, of all). */
static int groups_fill(struct tmap_nest *nest, int inner, struct tmap_error *err)
{
	size_t depth = (size_t)nest->depth;
	int groups = inner == TMAP_NONE ? 1 : nest->set_count[inner];

	nest->set = tmap_alloc((size_t)groups, depth * sizeof *nest->set, err);
	for (int l = 0; nest->set && l <= inner; l++)
		for (int g = 0, set = 0; g < groups; g++) {
			if (nest->start[inner][g] == nest->start[l][set + 1])
				set++;
			nest->set[(size_t)g * depth + (size_t)l] = set;
		}
	return nest->set ? 0 : -1;
}

/* Sort the slots, then number the sets of the layers that separate any. */
static int nest_fill(struct tmap_nest *nest, const struct layer *layer,
		     const struct tmap_placement *slots, struct tmap_error *err)
{
	int kept = 0;

	for (int s = 0; s < nest->count; s++)
		nest->slot[s] = s;
	for (int l = nest->depth - 1; l >= 0; l--)
		if (sort_by_layer(nest, &layer[l], slots, err) < 0)
			return -1;
	for (int x = 0; x < nest->count; x++)
		nest->position[nest->slot[x]] = x;
	for (int l = 0; l < nest->depth; l++) {
		int sets = groups_divide(nest, &layer[l], slots);

		if (sets == (kept ? nest->set_count[kept - 1] : 1))
			continue;
		nest->set_count[kept] = sets;
		nest->cost[kept] = layer[l].cost;
		nest->level[kept] = layer[l].level;
		if (note_starts(nest, kept++, err) < 0)
			return -1;
	}
	nest->depth = nest->alone = kept;
	if (kept && nest->set_count[kept - 1] == nest->count) {
		nest->alone--;
		groups_narrow(nest, nest->alone - 1);
	}
	return groups_fill(nest, nest->alone - 1, err);
}

static int nest_init(struct tmap_nest *nest, const struct layer *layer, int depth,
		     const struct tmap_placement *slots, struct tmap_error *err)
{
	struct tmap_nest made = { .count = slots->size, .depth = depth };

	for (int l = 0; l < depth; l++)
		if (layer[l].sets && layer[l].sets->count > INT_MAX - slots->size)
			return tmap_fail(err, TMAP_INPUT, "%d slots are too many on this machine",
					 slots->size);
	if (nest_alloc(&made, err) < 0 || nest_fill(&made, layer, slots, err) < 0) {
		tmap_nest_fini(&made);
		return -1;
	}
	*nest = made;
	return 0;
}

/* A layer has the sets of one step less than that at which its cost is the distance; in the last
 * one each slot is alone. */
int tmap_nest_init_scale(struct tmap_nest *nest, const struct tmap_placement *slots,
			 enum tmap_scale scale, struct tmap_error *err)
{
	struct tmap_metric metric;
	struct layer *layer;
	int status = -1;

	if (tmap_metric_init(&metric, slots, scale, err) < 0)
		return -1;
	layer = tmap_alloc((size_t)metric.step_count, sizeof *layer, err);
	for (int s = 0; layer && s < metric.step_count; s++)
		layer[metric.step_count - 1 - s] =
			(struct layer){ .sets = s ? &metric.step[s - 1].sets : NULL,
					.cost = metric.step[s].value,
					.level = TMAP_NONE };
	if (layer)
		status = nest_init(nest, layer, metric.step_count, slots, err);
	free(layer);
	tmap_metric_fini(&metric);
	return status;
}

static int check_costs(const struct tmap_levels *levels, const double *cost, int count,
		       struct tmap_error *err)
{
	if (count != levels->count)
		return tmap_fail(err, TMAP_INPUT,
				 "%d costs of levels, but the machine has %d levels, "
				 "from '%s' to '%s'",
				 count, levels->count, levels->level[0].name,
				 levels->level[levels->count - 1].name);
	for (int l = 0; l < count; l++) {
		if (!isfinite(cost[l]) || cost[l] < 0)
			return tmap_fail(err, TMAP_INPUT,
					 "level '%s' costs %g: it must be finite, and not negative",
					 levels->level[l].name, cost[l]);
		if (l > 0 && cost[l] > cost[l - 1])
			return tmap_fail(err, TMAP_INPUT,
					 "level '%s' costs %g, more than the outer level '%s', "
					 "which costs %g",
					 levels->level[l].name, cost[l], levels->level[l - 1].name,
					 cost[l - 1]);
	}
	return 0;
}

int tmap_nest_init_levels(struct tmap_nest *nest, const struct tmap_placement *slots,
			  const struct tmap_levels *levels, const double *cost, int count,
			  struct tmap_error *err)
{
	struct layer *layer;
	int status = -1;

	if (cost && check_costs(levels, cost, count, err) < 0)
		return -1;
	layer = tmap_alloc((size_t)levels->count, sizeof *layer, err);
	for (int l = 0; layer && l < levels->count; l++)
		layer[l] = (struct layer){ .sets = &levels->level[l].sets,
					   .cost = cost ? cost[l] : levels->count - l,
					   .level = l };
	if (layer)
		status = nest_init(nest, layer, levels->count, slots, err);
	free(layer);
	return status;
}

/* Divisions of a network: 16 halvings of each dimension of a torus. */
enum { DIVISIONS_MOST = 16 * TMAP_TORUS_DIMENSIONS };

/* What the sets within nodes cost at most: far less than a cable. */
static const double within_most = 1e-3;

/* The layers of the network, outermost first: their number, or -1 with *err set. */
static int routes_divide(struct layer *layer, struct tmap_partition *sets,
			 const struct tmap_routes *routes, const struct tmap_machine *machine,
			 struct tmap_error *err)
{
	for (int step = 0; step < DIVISIONS_MOST; step++) {
		sets[step].node_base =
			tmap_alloc((size_t)machine->node_count, sizeof *sets[step].node_base, err);
		if (!sets[step].node_base)
			return -1;
		layer[step].cost =
			tmap_routes_divide(routes, step, sets[step].node_base, &sets[step].count);
		layer[step].sets = &sets[step];
		layer[step].level = TMAP_NONE;
		if (layer[step].cost <= 0)
			return step;
	}
	return DIVISIONS_MOST;
}

int tmap_nest_init_routes(struct tmap_nest *nest, const struct tmap_placement *slots,
			  const struct tmap_routes *routes, struct tmap_error *err)
{
	struct tmap_partition sets[DIVISIONS_MOST] = { 0 };
	struct tmap_metric metric;
	struct layer *layer;
	int status = -1, depth = -1;

	if (tmap_metric_init(&metric, slots, TMAP_SCALE_PROCESS, err) < 0)
		return -1;
	layer = tmap_alloc(DIVISIONS_MOST + (size_t)metric.step_count, sizeof *layer, err);
	if (layer)
		depth = routes_divide(layer, sets, routes, slots->machine, err);
	for (int s = metric.step_count - 1; s >= 0 && depth >= 0; s--)
		layer[depth++] = (struct layer){
			.sets = s ? &metric.step[s - 1].sets : NULL,
			.cost = within_most * metric.step[s].value /
				metric.step[metric.step_count - 1].value,
			.level = TMAP_NONE,
		};
	if (depth >= 0)
		status = nest_init(nest, layer, depth, slots, err);
	for (int step = 0; step < DIVISIONS_MOST; step++)
		tmap_partition_fini(&sets[step]);
	free(layer);
	tmap_metric_fini(&metric);
	return status;
}

int tmap_nest_children(const struct tmap_nest *nest, int layer, int set, int *first)
{
	int begin = layer == TMAP_NONE ? 0 : nest->start[layer][set];
	int end = layer == TMAP_NONE ? nest->count : nest->start[layer][set + 1];

	if (layer + 1 >= nest->depth)
		return 0;
	*first = tmap_nest_set(nest, layer + 1, begin);
	return tmap_nest_set(nest, layer + 1, end - 1) - *first + 1;
}

int tmap_nest_middle(const struct tmap_nest *nest, int layer, int first, int count)
{
	const int *start = nest->start[layer];
	int half = start[first] + (start[first + count] - start[first]) / 2, middle = 1;

	while (middle + 1 < count &&
	       abs(start[first + middle + 1] - half) <= abs(start[first + middle] - half))
		middle++;
	return middle;
}
