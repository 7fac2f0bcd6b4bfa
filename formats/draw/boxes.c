/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/draw/boxes.h"

#include "core/base/mem.h"
#include "formats/base/object_name.h"

#include <stdlib.h>
#include <string.h>

/* Levels that have boxes; the others (caches, dies, cores) are too fine to be drawn. */
static bool is_drawn(const struct tmap_level *level)
{
	return level->tier != TMAP_NONE || tmap_types[level->kind.type].has_box;
}

/* The box of a rank at a level, or TMAP_NONE: it sits above that level. */
static int number_of_rank(const struct tmap_boxes *boxes, int level, int rank)
{
	const struct tmap_placement *p = boxes->placement;
	const struct tmap_level *it = &boxes->levels.level[level];
	const struct tmap_topology *topo = tmap_placement_topology(p, rank);
	int object;

	if (it->tier == TMAP_NONE && it->kind.type != TMAP_NODE) {
		object = tmap_level_object(topo, it->kind, tmap_placement_object(p, rank));
		/* a node without such objects counts as one */
		if (object == TMAP_NONE || topo->object[object].type == TMAP_NODE)
			return TMAP_NONE;
	}
	return tmap_levels_of_rank(&boxes->levels, level, p, rank);
}

static int number_of_element(const struct tmap_boxes *boxes, int level,
			     const struct tmap_element *element)
{
	int number = number_of_rank(boxes, level, element->rank[0]);

	for (int i = 1; i < element->count && number != TMAP_NONE; i++)
		if (number_of_rank(boxes, level, element->rank[i]) != number)
			number = TMAP_NONE;
	return number;
}

static int number_elements(struct tmap_boxes *boxes, struct tmap_error *err)
{
	for (int level = 0; level < boxes->levels.count; level++) {
		int *number;

		if (!is_drawn(&boxes->levels.level[level]))
			continue;
		number = tmap_alloc((size_t)boxes->count, sizeof *number, err);
		if (!number)
			return -1;
		for (int i = 0; i < boxes->count; i++)
			number[i] = number_of_element(boxes, level, &boxes->element[i]);
		boxes->kept[boxes->depth] = level;
		boxes->number[boxes->depth++] = number;
	}
	return 0;
}

/* A stable counting sort of the elements' order by their number at one level. */
static int sort_by_number(struct tmap_boxes *boxes, int depth, int *sorted, struct tmap_error *err)
{
	const int *number = boxes->number[depth];
	int buckets = boxes->levels.level[boxes->kept[depth]].sets.count + 1;
	int *begin = tmap_alloc((size_t)buckets + 1, sizeof *begin, err);

	if (!begin)
		return -1;
	for (int i = 0; i < boxes->count; i++)
		begin[number[i] + 2]++;
	for (int b = 1; b <= buckets; b++)
		begin[b] += begin[b - 1];
	for (int i = 0; i < boxes->count; i++)
		sorted[begin[number[boxes->order[i]] + 1]++] = boxes->order[i];
	memcpy(boxes->order, sorted, (size_t)boxes->count * sizeof *sorted);
	free(begin);
	return 0;
}

/* Innermost level first, so that the outermost decides at last. */
static int sort_elements(struct tmap_boxes *boxes, struct tmap_error *err)
{
	int *sorted = tmap_alloc((size_t)boxes->count, sizeof *sorted, err),
	    status = sorted ? 0 : -1;

	for (int i = 0; i < boxes->count; i++)
		boxes->order[i] = i;
	for (int depth = boxes->depth - 1; depth >= 0 && status == 0; depth--)
		status = sort_by_number(boxes, depth, sorted, err);
	free(sorted);
	return status;
}

int tmap_boxes_parting(const struct tmap_boxes *boxes, int a, int b)
{
	int depth = 0;

	while (depth < boxes->depth && boxes->number[depth][a] == boxes->number[depth][b])
		depth++;
	return depth;
}

bool tmap_boxes_is_same(const struct tmap_boxes *boxes, int depth, int a, int b)
{
	return boxes->number[depth][a] != TMAP_NONE && tmap_boxes_parting(boxes, a, b) > depth;
}

static bool is_within_node(const struct tmap_level *level)
{
	return level->tier == TMAP_NONE && level->kind.type != TMAP_NODE;
}

/* Does a level divide what the kept levels above it hold together, and hold anything together
 * itself? The levels between were dropped, because they divide nothing. */
static bool is_telling(const struct tmap_boxes *boxes, int depth)
{
	bool lone = is_within_node(&boxes->levels.level[boxes->kept[depth]]);
	bool divides = false, gathers = !lone || boxes->element[boxes->order[0]].count > 1;

	for (int i = 1; i < boxes->count; i++) {
		int a = boxes->order[i - 1], b = boxes->order[i];

		gathers = gathers || boxes->element[b].count > 1 ||
			tmap_boxes_is_same(boxes, depth, a, b);
		divides = divides || tmap_boxes_parting(boxes, a, b) == depth;
	}
	return divides && gathers;
}

static void drop_level(struct tmap_boxes *boxes, int depth)
{
	size_t behind = (size_t)(boxes->depth - depth - 1);

	free(boxes->number[depth]);
	memmove(boxes->number + depth, boxes->number + depth + 1, behind * sizeof *boxes->number);
	memmove(boxes->kept + depth, boxes->kept + depth + 1, behind * sizeof *boxes->kept);
	boxes->depth--;
}

static void drop_idle_levels(struct tmap_boxes *boxes)
{
	for (int depth = 0; depth < boxes->depth;)
		if (is_telling(boxes, depth))
			depth++;
		else
			drop_level(boxes, depth);
}

int tmap_boxes_init(struct tmap_boxes *boxes, const struct tmap_placement *placement,
		    const struct tmap_element *element, int count, struct tmap_error *err)
{
	struct tmap_boxes made = { .placement = placement, .element = element, .count = count };
	size_t levels;

	if (tmap_levels_init(&made.levels, placement->machine, err) < 0)
		return -1;
	levels = (size_t)made.levels.count;
	made.kept = tmap_alloc(levels, sizeof *made.kept, err);
	made.number = tmap_alloc(levels, sizeof *made.number, err);
	made.order = tmap_alloc((size_t)count, sizeof *made.order, err);
	if (!made.kept || !made.number || !made.order || number_elements(&made, err) < 0 ||
	    sort_elements(&made, err) < 0) {
		tmap_boxes_fini(&made);
		return -1;
	}
	drop_idle_levels(&made);
	*boxes = made;
	return 0;
}

void tmap_boxes_fini(struct tmap_boxes *boxes)
{
	for (int depth = 0; boxes->number && depth < boxes->depth; depth++)
		free(boxes->number[depth]);
	free(boxes->kept);
	free(boxes->number);
	free(boxes->order);
	tmap_levels_fini(&boxes->levels);
	*boxes = (struct tmap_boxes){ 0 };
}

void tmap_boxes_add_label(struct tmap_str *str, const struct tmap_boxes *boxes, int depth,
			  int element)
{
	const struct tmap_level *level = &boxes->levels.level[boxes->kept[depth]];

	tmap_object_name_add(str, boxes->placement, level->tier, level->kind, level->name,
			     boxes->element[element].rank[0]);
}
