/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/mappers/rows.h"

#include "core/base/mem.h"
#include "core/base/string.h"
#include "core/mappers/mapper.h"

#include <stdlib.h>

enum { LEVELS_MAX = 6 };

/* Of the value, that moved layers gain where it pays to try all orders of a large matrix. */
static const double PAYS = 0.01;

/* An order of the ladder's layers: ranks count through layer[0] fastest. */
struct level_order {
	int count;
	int *layer;
};

static void order_set_walk(struct level_order *order)
{
	for (int i = 0; i < order->count; i++)
		order->layer[i] = order->count - 1 - i;
}

/* Which of its siblings the set of a position is. */
static int position_digit(const struct tmap_nest *nest, int layer, int position)
{
	int first = 0;

	if (layer > 0) {
		int parent = tmap_nest_set(nest, layer - 1, position);

		first = tmap_nest_set(nest, layer, nest->start[layer - 1][parent]);
	}
	return tmap_nest_set(nest, layer, position) - first;
}

/* One stable pass: positions sorted by one digit. */
static int positions_sort(const struct tmap_nest *nest, int layer, const int *from, int *to,
			  struct tmap_error *err)
{
	int *start = tmap_alloc((size_t)nest->set_count[layer] + 1, sizeof *start, err);

	if (!start)
		return -1;
	for (int x = 0; x < nest->count; x++)
		start[position_digit(nest, layer, x) + 1]++;
	for (int i = 0; i < nest->set_count[layer]; i++)
		start[i + 1] += start[i];
	for (int i = 0; i < nest->count; i++)
		to[start[position_digit(nest, layer, from[i])]++] = from[i];
	free(start);
	return 0;
}

static char *order_name(const struct tmap_search *search, const struct level_order *order,
			struct tmap_error *err)
{
	struct tmap_str text = TMAP_STR_INIT;

	for (int i = 0; i < order->count; i++) {
		int level = search->levels.level[order->layer[i]];

		tmap_str_addf(&text, "%s%s", i ? "," : "order ",
			      search->objective->levels.level[level].name);
	}
	return tmap_str_take(&text, err);
}

static int order_evaluate(struct tmap_search *search, const struct level_order *order,
			  struct tmap_error *err)
{
	size_t count = (size_t)search->count;
	int *from = tmap_alloc_raw(count, sizeof *from, err);
	int *to = tmap_alloc_raw(count, sizeof *to, err);
	char *how = order_name(search, order, err);
	int status = from && to && how ? 0 : -1;

	for (int x = 0; status == 0 && x < search->count; x++)
		from[x] = x;
	for (int i = 0; status == 0 && i < order->count; i++) {
		int *held = from;

		status = positions_sort(&search->levels, order->layer[i], from, to, err);
		from = to;
		to = held;
	}
	for (int x = 0; status == 0 && x < search->count; x++)
		to[x] = search->levels.slot[from[x]];
	if (status == 0)
		status = tmap_search_evaluate(search, to, how, err);
	free(from);
	free(to);
	free(how);
	return status;
}

static bool search_affords_order(const struct tmap_search *search)
{
	return tmap_search_affords(search,
				   tmap_search_evaluate_steps(search) +
					   2 * (int64_t)search->levels.depth * search->count);
}

/* The walk with the layer at @p from at @p to instead. */
static void order_set_moved(struct level_order *order, int from, int to)
{
	int moved, step = from < to ? 1 : -1;

	order_set_walk(order);
	moved = order->layer[from];
	for (int i = from; i != to; i += step)
		order->layer[i] = order->layer[i + step];
	order->layer[to] = moved;
}

static int orders_evaluate_moved(struct tmap_search *search, struct level_order *order,
				 struct tmap_error *err)
{
	for (int from = 0; from < order->count; from++)
		for (int to = 0; to < order->count && search_affords_order(search); to++) {
			if (to == from || to == from - 1) /* neighbours change places once */
				continue;
			order_set_moved(order, from, to);
			if (order_evaluate(search, order, err) < 0)
				return -1;
		}
	return 0;
}

static void order_swap(int *a, int *b)
{
	int held = *a;

	*a = *b;
	*b = held;
}

/* The next permutation in the order of the dictionary; false after the last one. */
static bool order_next(struct level_order *order)
{
	int *a = order->layer, i = order->count - 2, j = order->count - 1;

	while (i >= 0 && a[i] > a[i + 1])
		i--;
	if (i < 0)
		return false;
	while (a[j] < a[i])
		j--;
	order_swap(&a[i], &a[j]);
	for (i++, j = order->count - 1; i < j; i++, j--)
		order_swap(&a[i], &a[j]);
	return true;
}

/* Is it the walk, or the walk with one layer moved? These have been evaluated. */
static bool order_is_moved_once(const struct level_order *order, struct level_order *other)
{
	for (int from = 0; from < order->count; from++)
		for (int to = 0; to < order->count; to++) {
			bool is_same = true;

			order_set_moved(other, from, to);
			for (int i = 0; i < order->count; i++)
				is_same = is_same && order->layer[i] == other->layer[i];
			if (is_same)
				return true;
		}
	return false;
}

static int orders_evaluate_all(struct tmap_search *search, struct level_order *order,
			       struct level_order *other, struct tmap_error *err)
{
	for (int i = 0; i < order->count; i++)
		order->layer[i] = i;
	do {
		if (order_is_moved_once(order, other))
			continue;
		if (order_evaluate(search, order, err) < 0)
			return -1;
	} while (order->count <= LEVELS_MAX && search_affords_order(search) && order_next(order));
	return 0;
}

/* Measuring a large matrix takes long, and one without structure is as good in any order. */
static bool all_orders_pay(const struct tmap_search *search, double value_before)
{
	return tmap_effort_for(search->objective) == TMAP_EFFORT ||
		tmap_search_best_value(search) < value_before * (1 - PAYS);
}

int tmap_map_radix(struct tmap_search *search, struct tmap_error *err)
{
	size_t room = (size_t)search->levels.depth;
	struct level_order order = { search->levels.depth, tmap_alloc_raw(room, sizeof(int), err) };
	struct level_order other = { search->levels.depth, tmap_alloc_raw(room, sizeof(int), err) };
	double value = 0;
	int status = -1;

	if (order.layer && other.layer) {
		order_set_walk(&order);
		status = search->has_best ? 0 : order_evaluate(search, &order, err);
		if (status == 0) {
			value = tmap_search_best_value(search);
			status = orders_evaluate_moved(search, &order, err);
		}
		if (status == 0 && search_affords_order(search) && all_orders_pay(search, value))
			status = orders_evaluate_all(search, &order, &other, err);
	}
	free(order.layer);
	free(other.layer);
	return status;
}
