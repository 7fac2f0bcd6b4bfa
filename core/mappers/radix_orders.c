#include "core/mappers/rows.h"

#include "core/base/mem.h"
#include "core/base/string.h"

#include <stdlib.h>

enum { MOST_LEVELS = 6 };

/* An order of the ladder's layers: ranks count through layer[0] fastest. */
struct order {
	int count;
	int *layer;
};

static void fill_block(struct order *order)
{
	for (int i = 0; i < order->count; i++)
		order->layer[i] = order->count - 1 - i;
}

/* Which of its siblings the set of a position is. */
static int digit_of(const struct tmap_nest *nest, int layer, int position)
{
	int first = 0;

	if (layer > 0) {
		int parent = tmap_nest_set(nest, layer - 1, position);

		first = tmap_nest_set(nest, layer, nest->start[layer - 1][parent]);
	}
	return tmap_nest_set(nest, layer, position) - first;
}

/* One stable pass: positions sorted by one digit. */
static int sort_pass(const struct tmap_nest *nest, int layer, const int *from, int *to,
		     struct tmap_error *err)
{
	int *start = tmap_alloc((size_t)nest->set_count[layer] + 1, sizeof *start, err);

	if (!start)
		return -1;
	for (int x = 0; x < nest->count; x++)
		start[digit_of(nest, layer, x) + 1]++;
	for (int i = 0; i < nest->set_count[layer]; i++)
		start[i + 1] += start[i];
	for (int i = 0; i < nest->count; i++)
		to[start[digit_of(nest, layer, from[i])]++] = from[i];
	free(start);
	return 0;
}

static char *name_order(const struct tmap_search *quest, const struct order *order,
			struct tmap_error *err)
{
	struct tmap_str text = TMAP_STR_INIT;

	for (int i = 0; i < order->count; i++) {
		int level = quest->ladder.level[order->layer[i]];

		tmap_str_addf(&text, "%s%s", i ? "," : "order ",
			      quest->objective->levels.level[level].name);
	}
	return tmap_str_take(&text, err);
}

static int offer(struct tmap_search *quest, const struct order *order, struct tmap_error *err)
{
	size_t count = (size_t)quest->count;
	int *from = tmap_alloc_raw(count, sizeof *from, err);
	int *to = tmap_alloc_raw(count, sizeof *to, err);
	char *how = name_order(quest, order, err);
	int status = from && to && how ? 0 : -1;

	for (int x = 0; status == 0 && x < quest->count; x++)
		from[x] = x;
	for (int i = 0; status == 0 && i < order->count; i++) {
		int *held = from;

		status = sort_pass(&quest->ladder, order->layer[i], from, to, err);
		from = to;
		to = held;
	}
	for (int x = 0; status == 0 && x < quest->count; x++)
		to[x] = quest->ladder.slot[from[x]];
	if (status == 0)
		status = tmap_search_evaluate(quest, to, how, err);
	free(from);
	free(to);
	free(how);
	return status;
}

static bool goes_on(const struct tmap_search *quest)
{
	return tmap_search_affords(quest,
				   tmap_search_evaluate_steps(quest) +
					   2 * (int64_t)quest->ladder.depth * quest->count);
}

/* The walk with the layer at @p from at @p to instead. */
static void move_one(struct order *order, int from, int to)
{
	int moved, step = from < to ? 1 : -1;

	fill_block(order);
	moved = order->layer[from];
	for (int i = from; i != to; i += step)
		order->layer[i] = order->layer[i + step];
	order->layer[to] = moved;
}

static int offer_moves(struct tmap_search *quest, struct order *order, struct tmap_error *err)
{
	for (int from = 0; from < order->count; from++)
		for (int to = 0; to < order->count && goes_on(quest); to++) {
			if (to == from || to == from - 1) /* neighbours change places once */
				continue;
			move_one(order, from, to);
			if (offer(quest, order, err) < 0)
				return -1;
		}
	return 0;
}

static void swap(int *a, int *b)
{
	int held = *a;

	*a = *b;
	*b = held;
}

/* The next permutation in the order of the dictionary; false after the last one. */
static bool next_order(struct order *order)
{
	int *a = order->layer, i = order->count - 2, j = order->count - 1;

	while (i >= 0 && a[i] > a[i + 1])
		i--;
	if (i < 0)
		return false;
	while (a[j] < a[i])
		j--;
	swap(&a[i], &a[j]);
	for (i++, j = order->count - 1; i < j; i++, j--)
		swap(&a[i], &a[j]);
	return true;
}

/* Has this one been offered as the walk, or with one layer moved? */
static bool is_moved_once(const struct order *order, struct order *other)
{
	for (int from = 0; from < order->count; from++)
		for (int to = 0; to < order->count; to++) {
			bool is_same = true;

			move_one(other, from, to);
			for (int i = 0; i < order->count; i++)
				is_same = is_same && order->layer[i] == other->layer[i];
			if (is_same)
				return true;
		}
	return false;
}

static int offer_all(struct tmap_search *quest, struct order *order, struct order *other,
		     struct tmap_error *err)
{
	for (int i = 0; i < order->count; i++)
		order->layer[i] = i;
	do {
		if (is_moved_once(order, other))
			continue;
		if (offer(quest, order, err) < 0)
			return -1;
	} while (order->count <= MOST_LEVELS && goes_on(quest) && next_order(order));
	return 0;
}

int tmap_map_radix(struct tmap_search *quest, struct tmap_error *err)
{
	size_t room = (size_t)quest->ladder.depth;
	struct order order = { quest->ladder.depth, tmap_alloc_raw(room, sizeof(int), err) };
	struct order other = { quest->ladder.depth, tmap_alloc_raw(room, sizeof(int), err) };
	int status = -1;

	if (order.layer && other.layer) {
		fill_block(&order);
		status = quest->has_best ? 0 : offer(quest, &order, err);
		if (status == 0)
			status = offer_moves(quest, &order, err);
		if (status == 0 && goes_on(quest))
			status = offer_all(quest, &order, &other, err);
	}
	free(order.layer);
	free(other.layer);
	return status;
}
