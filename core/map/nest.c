#include "core/map/nest.h"

#include "core/base/mem.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* Where the sets of a layer come from: a number below limit for each slot. */
struct source {
	int limit;
	int (*of)(const void *from, int layer, int slot);
	const void *from;
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
	free(nest->set);
	*nest = (struct tmap_nest){ 0 };
}

static int make_room(struct tmap_nest *nest, struct tmap_error *err)
{
	size_t slots = (size_t)nest->count, layers = (size_t)nest->depth;

	nest->start = tmap_alloc(layers, sizeof *nest->start, err);
	nest->set_count = tmap_alloc(layers, sizeof *nest->set_count, err);
	nest->cost = tmap_alloc(layers, sizeof *nest->cost, err);
	nest->level = tmap_alloc(layers, sizeof *nest->level, err);
	nest->slot = tmap_alloc_raw(slots, sizeof *nest->slot, err);
	nest->position = tmap_alloc_raw(slots, sizeof *nest->position, err);
	nest->set = tmap_alloc_raw(slots, layers * sizeof *nest->set, err);
	return nest->start && nest->set_count && nest->cost && nest->level && nest->slot &&
			nest->position && nest->set ?
		0 :
		-1;
}

/* One stable pass: the slots in nest->slot sorted by their sets of one layer. */
static int sort_by(struct tmap_nest *nest, int layer, const struct source *source,
		   struct tmap_error *err)
{
	int *start = tmap_alloc((size_t)source->limit + 1, sizeof *start, err);

	if (!start)
		return -1;
	for (int s = 0; s < nest->count; s++)
		start[source->of(source->from, layer, s) + 1]++;
	for (int i = 0; i < source->limit; i++)
		start[i + 1] += start[i];
	for (int i = 0; i < nest->count; i++)
		nest->position[start[source->of(source->from, layer, nest->slot[i])]++] =
			nest->slot[i];
	free(start);
	for (int i = 0; i < nest->count; i++)
		nest->slot[i] = nest->position[i];
	return 0;
}

/* Numbers of the sets from the left, into column @p at of nest->set; returns their count. */
static int number_sets(struct tmap_nest *nest, int layer, int at, const struct source *source)
{
	int depth = nest->depth, sets = 0;

	for (int x = 0; x < nest->count; x++) {
		bool differs = x == 0 ||
			source->of(source->from, layer, nest->slot[x]) !=
				source->of(source->from, layer, nest->slot[x - 1]);

		if (!differs && at > 0) /* a set lies in one of the layer above */
			differs = nest->set[(size_t)x * (size_t)depth + (size_t)at - 1] !=
				nest->set[(size_t)(x - 1) * (size_t)depth + (size_t)at - 1];
		sets += differs;
		nest->set[(size_t)x * (size_t)depth + (size_t)at] = sets - 1;
	}
	return sets;
}

static int note_starts(struct tmap_nest *nest, int layer, struct tmap_error *err)
{
	int *start = tmap_alloc_raw((size_t)nest->set_count[layer] + 1, sizeof *start, err);

	if (!start)
		return -1;
	for (int x = nest->count - 1; x >= 0; x--)
		start[tmap_nest_set(nest, layer, x)] = x;
	start[nest->set_count[layer]] = nest->count;
	nest->start[layer] = start;
	return 0;
}

/* Only the first @p kept columns count from now on. */
static void narrow(struct tmap_nest *nest, int kept)
{
	size_t next = 0;

	for (size_t x = 0; x < (size_t)nest->count; x++)
		for (int l = 0; l < kept; l++)
			nest->set[next++] = nest->set[x * (size_t)nest->depth + (size_t)l];
	nest->depth = kept;
}

/* Sort the slots, then number the sets of the layers that tell something apart. */
static int fill(struct tmap_nest *nest, const struct source *source, struct tmap_error *err)
{
	int kept = 0;

	for (int s = 0; s < nest->count; s++)
		nest->slot[s] = s;
	for (int l = nest->depth - 1; l >= 0; l--)
		if (sort_by(nest, l, source, err) < 0)
			return -1;
	for (int x = 0; x < nest->count; x++)
		nest->position[nest->slot[x]] = x;
	for (int l = 0; l < nest->depth; l++) {
		int sets = number_sets(nest, l, kept, source);

		if (sets == (kept ? nest->set_count[kept - 1] : 1))
			continue;
		nest->set_count[kept] = sets;
		nest->cost[kept] = nest->cost[l];
		nest->level[kept++] = nest->level[l];
	}
	narrow(nest, kept);
	for (int l = 0; l < kept; l++)
		if (note_starts(nest, l, err) < 0)
			return -1;
	return 0;
}

/* Layer l has the sets of one step less than that at which its cost is the distance; in the
 * last one each slot is alone. */
static int set_of_step(const void *from, int layer, int slot)
{
	const struct tmap_metric *metric = from;
	int step = metric->step_count - 2 - layer, set;

	if (step < 0)
		return slot;
	set = tmap_metric_set(metric, step, slot);
	return set == TMAP_NONE ? metric->step[step].sets.count + slot : set;
}

static int fill_steps(struct tmap_nest *nest, const struct tmap_metric *metric,
		      struct tmap_error *err)
{
	struct source source = { .of = set_of_step, .from = metric };

	for (int s = 0; s < metric->step_count; s++) {
		nest->cost[metric->step_count - 1 - s] = metric->step[s].value;
		nest->level[s] = TMAP_NONE;
		if (metric->step[s].sets.count > source.limit)
			source.limit = metric->step[s].sets.count;
	}
	if (source.limit > INT_MAX - nest->count)
		return tmap_fail(err, TMAP_INPUT, "%d slots are too many on this machine",
				 nest->count);
	source.limit += nest->count;
	return fill(nest, &source, err);
}

int tmap_nest_init_scale(struct tmap_nest *nest, const struct tmap_placement *seats,
			 enum tmap_scale scale, struct tmap_error *err)
{
	struct tmap_nest made = { .count = seats->size };
	struct tmap_metric metric;
	int status;

	if (tmap_metric_init(&metric, seats, scale, err) < 0)
		return -1;
	made.depth = metric.step_count;
	status = make_room(&made, err);
	if (status == 0)
		status = fill_steps(&made, &metric, err);
	tmap_metric_fini(&metric);
	if (status < 0)
		tmap_nest_fini(&made);
	else
		*nest = made;
	return status;
}

struct level_source {
	const struct tmap_levels *levels;
	const struct tmap_placement *seats;
};

static int set_of_level(const void *from, int layer, int slot)
{
	const struct level_source *source = from;

	return tmap_levels_of_rank(source->levels, layer, source->seats, slot);
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

int tmap_nest_init_levels(struct tmap_nest *nest, const struct tmap_placement *seats,
			  const struct tmap_levels *levels, const double *cost, int count,
			  struct tmap_error *err)
{
	struct level_source from = { levels, seats };
	struct source source = { .limit = 1, .of = set_of_level, .from = &from };
	struct tmap_nest made = { .count = seats->size, .depth = levels->count };
	int status;

	if (cost && check_costs(levels, cost, count, err) < 0)
		return -1;
	status = make_room(&made, err);
	for (int l = 0; status == 0 && l < levels->count; l++) {
		made.cost[l] = cost ? cost[l] : levels->count - l;
		made.level[l] = l;
		if (levels->level[l].sets.count > source.limit)
			source.limit = levels->level[l].sets.count;
	}
	if (status == 0)
		status = fill(&made, &source, err);
	if (status < 0)
		tmap_nest_fini(&made);
	else
		*nest = made;
	return status;
}

int tmap_nest_layer(const struct tmap_nest *nest, int a, int b)
{
	const int *of_a = nest->set + (size_t)a * (size_t)nest->depth;
	const int *of_b = nest->set + (size_t)b * (size_t)nest->depth;
	int layer = 0;

	while (layer < nest->depth && of_a[layer] == of_b[layer])
		layer++;
	return layer;
}

double tmap_nest_cost(const struct tmap_nest *nest, int a, int b)
{
	int layer = tmap_nest_layer(nest, a, b);

	return layer < nest->depth ? nest->cost[layer] : 0;
}

int tmap_nest_set(const struct tmap_nest *nest, int layer, int position)
{
	return nest->set[(size_t)position * (size_t)nest->depth + (size_t)layer];
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
