#include "formats/draw/boxes.h"

#include "core/base/mem.h"
#include "formats/base/object_name.h"

#include <stdlib.h>
#include <string.h>

/* Levels that have boxes; the others (caches, dies, cores) are too fine to be drawn. */
static bool is_drawn(const struct tm_level *level)
{
	return level->tier != TM_NONE || level->kind.type == TM_NODE ||
	       level->kind.type == TM_BOARD || level->kind.type == TM_PACKAGE ||
	       level->kind.type == TM_NUMA;
}

/* The box of a rank at a level, or TM_NONE: it sits above that level. */
static int number_of_rank(const struct tm_boxes *boxes, int level, int rank)
{
	const struct tm_placement *p = boxes->placement;
	const struct tm_level *it = &boxes->levels.level[level];
	const struct tm_topology *topo = tm_placement_topology(p, rank);
	int object;

	if (it->tier == TM_NONE && it->kind.type != TM_NODE) {
		object = tm_level_object(topo, it->kind, tm_placement_object(p, rank));
		/* where a node has no such objects it stands in for one */
		if (object == TM_NONE || topo->object[object].type == TM_NODE)
			return TM_NONE;
	}
	return tm_levels_of_rank(&boxes->levels, level, p, rank);
}

static int number_of_element(const struct tm_boxes *boxes, int level,
			     const struct tm_element *element)
{
	int number = number_of_rank(boxes, level, element->rank[0]);

	for (int i = 1; i < element->count && number != TM_NONE; i++)
		if (number_of_rank(boxes, level, element->rank[i]) != number)
			number = TM_NONE;
	return number;
}

static int number_elements(struct tm_boxes *boxes, struct tm_error *err)
{
	for (int level = 0; level < boxes->levels.count; level++) {
		int *number;

		if (!is_drawn(&boxes->levels.level[level]))
			continue;
		number = tm_alloc((size_t)boxes->count, sizeof *number, err);
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
static int sort_by_number(struct tm_boxes *boxes, int depth, int *sorted, struct tm_error *err)
{
	const int *number = boxes->number[depth];
	int buckets = boxes->levels.level[boxes->kept[depth]].number_count + 1;
	int *begin = tm_alloc((size_t)buckets + 1, sizeof *begin, err);

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
static int sort_elements(struct tm_boxes *boxes, struct tm_error *err)
{
	int *sorted = tm_alloc((size_t)boxes->count, sizeof *sorted, err), status = sorted ? 0 : -1;

	for (int i = 0; i < boxes->count; i++)
		boxes->order[i] = i;
	for (int depth = boxes->depth - 1; depth >= 0 && status == 0; depth--)
		status = sort_by_number(boxes, depth, sorted, err);
	free(sorted);
	return status;
}

int tm_boxes_parting(const struct tm_boxes *boxes, int a, int b)
{
	int depth = 0;

	while (depth < boxes->depth && boxes->number[depth][a] == boxes->number[depth][b])
		depth++;
	return depth;
}

bool tm_boxes_is_same(const struct tm_boxes *boxes, int depth, int a, int b)
{
	return boxes->number[depth][a] != TM_NONE && tm_boxes_parting(boxes, a, b) > depth;
}

static bool is_within_node(const struct tm_level *level)
{
	return level->tier == TM_NONE && level->kind.type != TM_NODE;
}

/* Does a level divide what the kept levels above it hold together, and hold anything together
 * itself? The levels between were dropped, because they divide nothing. */
static bool is_telling(const struct tm_boxes *boxes, int depth)
{
	bool lone = is_within_node(&boxes->levels.level[boxes->kept[depth]]);
	bool divides = false, gathers = !lone || boxes->element[boxes->order[0]].count > 1;

	for (int i = 1; i < boxes->count; i++) {
		int a = boxes->order[i - 1], b = boxes->order[i];

		gathers = gathers || boxes->element[b].count > 1 ||
			  tm_boxes_is_same(boxes, depth, a, b);
		divides = divides || tm_boxes_parting(boxes, a, b) == depth;
	}
	return divides && gathers;
}

static void drop_level(struct tm_boxes *boxes, int depth)
{
	size_t behind = (size_t)(boxes->depth - depth - 1);

	free(boxes->number[depth]);
	memmove(boxes->number + depth, boxes->number + depth + 1, behind * sizeof *boxes->number);
	memmove(boxes->kept + depth, boxes->kept + depth + 1, behind * sizeof *boxes->kept);
	boxes->depth--;
}

static void drop_idle_levels(struct tm_boxes *boxes)
{
	for (int depth = 0; depth < boxes->depth;)
		if (is_telling(boxes, depth))
			depth++;
		else
			drop_level(boxes, depth);
}

int tm_boxes_init(struct tm_boxes *boxes, const struct tm_placement *placement,
		  const struct tm_element *element, int count, struct tm_error *err)
{
	struct tm_boxes made = { .placement = placement, .element = element, .count = count };
	size_t levels;

	if (tm_levels_init(&made.levels, placement->machine, err) < 0)
		return -1;
	levels = (size_t)made.levels.count;
	made.kept = tm_alloc(levels, sizeof *made.kept, err);
	made.number = tm_alloc(levels, sizeof *made.number, err);
	made.order = tm_alloc((size_t)count, sizeof *made.order, err);
	if (!made.kept || !made.number || !made.order || number_elements(&made, err) < 0 ||
	    sort_elements(&made, err) < 0) {
		tm_boxes_fini(&made);
		return -1;
	}
	drop_idle_levels(&made);
	*boxes = made;
	return 0;
}

void tm_boxes_fini(struct tm_boxes *boxes)
{
	for (int depth = 0; depth < boxes->depth; depth++)
		free(boxes->number[depth]);
	free(boxes->kept);
	free(boxes->number);
	free(boxes->order);
	tm_levels_fini(&boxes->levels);
	*boxes = (struct tm_boxes){ 0 };
}

void tm_boxes_add_label(struct tm_str *str, const struct tm_boxes *boxes, int depth, int element)
{
	const struct tm_level *level = &boxes->levels.level[boxes->kept[depth]];

	tm_object_name_add(str, boxes->placement, level->tier, level->kind, level->name,
			   boxes->element[element].rank[0]);
}
