#include "core/cost/reach.h"

#include "core/base/mem.h"

#include <stdlib.h>
#include <string.h>

void tmap_reach_fini(struct tmap_reach *reach)
{
	free(reach->seat);
	free(reach->spot_of_place);
	free(reach->spot);
	free(reach->within);
	free(reach->tier);
	free(reach->join);
	free(reach->between);
	free(reach->step);
	free(reach->crossed);
	*reach = (struct tmap_reach){ 0 };
}

/* The kind that crosses these levels at this step, added if it is new; TMAP_NONE with *err set. */
static int intern(struct tmap_reach *reach, const bool *crossed, int step, struct tmap_error *err)
{
	size_t levels = (size_t)reach->levels->count, kinds = (size_t)reach->kind_count;

	for (size_t k = 0; k < kinds; k++)
		if (reach->step[k] == step &&
		    memcmp(reach->crossed + k * levels, crossed, levels * sizeof *crossed) == 0)
			return (int)k;
	if (kinds > UINT16_MAX) {
		tmap_fail(err, TMAP_INPUT, "ranks are near each other in more than %d ways",
			  UINT16_MAX);
		return TMAP_NONE;
	}
	if (tmap_grow(&reach->step, &reach->kind_capacity, kinds + 1, sizeof *reach->step, err) <
		    0 ||
	    tmap_grow(&reach->crossed, &reach->crossed_capacity, (kinds + 1) * levels,
		      sizeof *reach->crossed, err) < 0)
		return TMAP_NONE;
	reach->step[kinds] = step;
	memcpy(reach->crossed + kinds * levels, crossed, levels * sizeof *crossed);
	return reach->kind_count++;
}

/* Set within its node of an object, or TMAP_NONE: it is alone. */
static int local_set(const struct tmap_metric *metric, int step, const struct tmap_spot *spot)
{
	return metric->step[step].local[metric->object_base[spot->topology] + spot->object];
}

/* The first step that has both spots of one node in one set. */
static int step_within(const struct tmap_metric *metric, const struct tmap_spot *a,
		       const struct tmap_spot *b)
{
	int step = 0;

	while (step < metric->step_count - 1 &&
	       (local_set(metric, step, a) == TMAP_NONE ||
		local_set(metric, step, a) != local_set(metric, step, b)))
		step++;
	return step;
}

static int kind_within(struct tmap_reach *reach, const struct tmap_spot *a,
		       const struct tmap_spot *b, bool *crossed, struct tmap_error *err)
{
	for (int l = 0; l < reach->levels->count; l++) {
		int **local = reach->levels->level[l].sets.local;

		crossed[l] = local &&
			local[a->topology][a->object] != local[b->topology][b->object];
	}
	return intern(reach, crossed, step_within(reach->metric, a, b), err);
}

static int fill_within(struct tmap_reach *reach, bool *crossed, struct tmap_error *err)
{
	size_t pairs = 0;

	for (int begin = 0, end; begin < reach->spot_count; begin = end) {
		for (end = begin; end < reach->spot_count &&
		     reach->spot[end].topology == reach->spot[begin].topology;
		     end++)
			;
		for (int i = begin; i < end; i++, pairs += (size_t)(end - begin))
			reach->spot[i].row = (int64_t)pairs - begin;
	}
	reach->within = tmap_alloc_raw(pairs, sizeof *reach->within, err);
	for (int i = 0; reach->within && i < reach->spot_count; i++)
		for (int j = 0; j < reach->spot_count; j++) {
			int kind;

			if (reach->spot[i].topology != reach->spot[j].topology)
				continue;
			kind = kind_within(reach, &reach->spot[i], &reach->spot[j], crossed, err);
			if (kind == TMAP_NONE)
				return -1;
			reach->within[reach->spot[i].row + j] = (uint16_t)kind;
		}
	return reach->within ? 0 : -1;
}

/* The set that all of a node is in at a step; negative: the node is not in one. */
static int whole_set(const struct tmap_metric *metric, int step, int node)
{
	const struct tmap_machine *machine = metric->placement->machine;
	int root = metric->step[step].local[metric->object_base[machine->node_topology[node]]];

	return root == TMAP_NONE ? -1 - node : metric->step[step].node_base[node] + root;
}

/* First step at which some nodes share a set. */
static int first_join(const struct tmap_metric *metric)
{
	int step = metric->step_count - 1;

	for (; step > 0; step--) {
		bool joins = false;

		for (int n = 1; n < metric->placement->machine->node_count && !joins; n++)
			joins = whole_set(metric, step - 1, n) >= 0 &&
				metric->step[step - 1].node_base[n] <=
					metric->step[step - 1].node_base[n - 1];
		if (!joins)
			break;
	}
	return step;
}

static int fill_nodes(struct tmap_reach *reach, struct tmap_error *err)
{
	const struct tmap_levels *levels = reach->levels;
	int first = first_join(reach->metric), at = 0;
	size_t nodes = (size_t)reach->node_count;

	while (levels->level[reach->tier_count].tier != TMAP_NONE)
		reach->tier_count++;
	reach->join_count = reach->metric->step_count - first;
	reach->tier = tmap_alloc_raw(nodes * (size_t)reach->tier_count, sizeof *reach->tier, err);
	reach->join = tmap_alloc_raw(nodes * (size_t)reach->join_count, sizeof *reach->join, err);
	if (!reach->tier || !reach->join)
		return -1;
	for (int n = 0; n < reach->node_count; n++)
		for (int t = reach->tier_count - 1; t >= 0; t--)
			reach->tier[at++] = levels->level[t].sets.node_base[n];
	at = 0;
	for (int n = 0; n < reach->node_count; n++)
		for (int j = 0; j < reach->join_count; j++)
			reach->join[at++] = whole_set(reach->metric, first + j, n);
	return 0;
}

static int fill_between(struct tmap_reach *reach, bool *crossed, struct tmap_error *err)
{
	int tiers = reach->tier_count, joins = reach->join_count;

	reach->between =
		tmap_alloc_raw((size_t)(tiers + 1) * (size_t)joins, sizeof *reach->between, err);
	for (int t = 0; reach->between && t <= tiers; t++)
		for (int j = 0; j < joins; j++) {
			int kind;

			for (int l = 0; l < reach->levels->count; l++)
				crossed[l] = l >= tiers - t;
			kind = intern(reach, crossed, reach->metric->step_count - joins + j, err);
			if (kind == TMAP_NONE)
				return -1;
			reach->between[t * joins + j] = kind;
		}
	return reach->between ? 0 : -1;
}

/* Spots are the objects that ranks sit on; number[] gives each its own, by its place. */
static int fill_spots(struct tmap_reach *reach, int *number, struct tmap_error *err)
{
	const struct tmap_placement *placement = reach->placement;
	const int *base = reach->metric->object_base;
	int objects = base[placement->machine->topology_count], topology = 0;

	for (int i = 0; i < placement->place_count; i++)
		number[base[placement->places[i].topology] + placement->places[i].object] = 1;
	for (int o = 0; o < objects; o++)
		reach->spot_count += number[o];
	reach->spot = tmap_alloc((size_t)reach->spot_count, sizeof *reach->spot, err);
	if (!reach->spot)
		return -1;
	for (int o = 0, spot = 0; o < objects; o++) {
		while (o >= base[topology + 1])
			topology++;
		if (number[o])
			reach->spot[spot++] = (struct tmap_spot){ topology, o - base[topology], 0 };
	}
	return 0;
}

static int compare_spots(const void *a, const void *b)
{
	const struct tmap_spot *x = a, *y = b;

	return x->topology != y->topology ? x->topology - y->topology : x->object - y->object;
}

static int spot_of(const struct tmap_reach *reach, const struct tmap_place *place)
{
	const struct tmap_spot key = { place->topology, place->object, 0 };
	const struct tmap_spot *spot = bsearch(&key, reach->spot, (size_t)reach->spot_count,
					       sizeof *reach->spot, compare_spots);

	return (int)(spot - reach->spot);
}

static bool is_block(const struct tmap_position *seat, int size, int period)
{
	for (int r = period; r < size; r++) {
		bool same_node = seat[r].node == seat[r - 1].node;

		if (seat[r].spot != seat[r - period].spot || same_node == (r % period == 0))
			return false;
	}
	return true;
}

static bool is_cyclic(const struct tmap_position *seat, int size, int period)
{
	for (int r = 1; r < size; r++) {
		bool same_spot = seat[r].spot == seat[r - 1].spot;

		if ((r >= period && seat[r].node != seat[r - period].node) ||
		    (r % period && !same_spot))
			return false;
	}
	return true;
}

/* Ranks until the node changes, or until the first node comes again. */
static void find_weave(struct tmap_reach *reach)
{
	const struct tmap_position *seat = reach->seat;
	int block = 1, cyclic = 1;

	while (block < reach->size && seat[block].node == seat[0].node)
		block++;
	while (cyclic < reach->size && seat[cyclic].node != seat[0].node)
		cyclic++;
	reach->weave = TMAP_REGULAR_NONE;
	if (is_block(seat, reach->size, block))
		reach->weave = TMAP_REGULAR_BLOCK;
	else if (is_cyclic(seat, reach->size, cyclic))
		reach->weave = TMAP_REGULAR_CYCLIC;
	reach->period = reach->weave == TMAP_REGULAR_BLOCK ? block : cyclic;
}

void tmap_reach_place(struct tmap_reach *reach, const int *place_of)
{
	const struct tmap_placement *placement = reach->placement;

	for (int r = 0; r < reach->size; r++) {
		int q = place_of ? place_of[r] : r;

		reach->seat[r] =
			(struct tmap_position){ placement->node[q],
						reach->spot_of_place[placement->place[q]] };
	}
	find_weave(reach);
}

static int fill_seats(struct tmap_reach *reach, struct tmap_error *err)
{
	const struct tmap_placement *placement = reach->placement;

	reach->spot_of_place =
		tmap_alloc_raw((size_t)placement->place_count, sizeof *reach->spot_of_place, err);
	reach->seat = tmap_alloc_raw((size_t)reach->size, sizeof *reach->seat, err);
	if (!reach->spot_of_place || !reach->seat)
		return -1;
	for (int i = 0; i < placement->place_count; i++)
		reach->spot_of_place[i] = spot_of(reach, &placement->places[i]);
	tmap_reach_place(reach, NULL);
	return 0;
}

int tmap_reach_init(struct tmap_reach *reach, const struct tmap_placement *placement,
		    const struct tmap_levels *levels, const struct tmap_metric *metric,
		    struct tmap_error *err)
{
	const struct tmap_machine *machine = placement->machine;
	struct tmap_reach made = { .levels = levels,
				   .metric = metric,
				   .placement = placement,
				   .size = placement->size,
				   .node_count = machine->node_count };
	int *number = tmap_alloc((size_t)metric->object_base[machine->topology_count],
				 sizeof *number, err);
	bool *crossed = tmap_alloc((size_t)levels->count, sizeof *crossed, err);
	int status = -1;

	if (number && crossed && fill_spots(&made, number, err) == 0 &&
	    fill_within(&made, crossed, err) == 0 && fill_nodes(&made, err) == 0 &&
	    fill_between(&made, crossed, err) == 0)
		status = fill_seats(&made, err);
	free(number);
	free(crossed);
	if (status < 0)
		tmap_reach_fini(&made);
	else
		*reach = made;
	return status;
}
