/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/machine/level_order.h"

#include "core/base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { KINDS_MAX = 64 };

/* Which levels there are, and how often an object of one lies inside one of another. */
struct census {
	int count;
	struct tmap_level_kind kind[KINDS_MAX]; /* in canonical order: by type, then nest */
	int64_t around[KINDS_MAX][KINDS_MAX];   /* [outer][inner] */
};

static int compare_kinds(struct tmap_level_kind a, struct tmap_level_kind b)
{
	if (a.type != b.type)
		return a.type < b.type ? -1 : 1;
	return (a.nest > b.nest) - (a.nest < b.nest);
}

static int find_kind(const struct census *census, struct tmap_level_kind kind)
{
	for (int k = 0; k < census->count; k++)
		if (compare_kinds(census->kind[k], kind) == 0)
			return k;
	return TMAP_NONE;
}

static struct tmap_level_kind kind_of(const struct tmap_object *object)
{
	return (struct tmap_level_kind){ object->type, object->nest };
}

static int note_kind(struct census *census, struct tmap_level_kind kind, struct tmap_error *err)
{
	int at = census->count;

	if (find_kind(census, kind) != TMAP_NONE)
		return 0;
	if (census->count == KINDS_MAX)
		return tmap_fail(err, TMAP_INPUT,
				 "the nodes have more than %d levels (%ss nested %d deep)",
				 KINDS_MAX, tmap_type_name(kind.type), kind.nest + 1);
	for (; at > 0 && compare_kinds(census->kind[at - 1], kind) > 0; at--)
		census->kind[at] = census->kind[at - 1];
	census->kind[at] = kind;
	census->count++;
	return 0;
}

static bool same_pus(const struct tmap_object *a, const struct tmap_object *b)
{
	return a->first_pu == b->first_pu && a->end_pu == b->end_pu;
}

static void count_nestings(struct census *census, const struct tmap_topology *topo)
{
	for (int i = 0; i < topo->object_count; i++) {
		const struct tmap_object *inner = &topo->object[i], *outer = inner;
		int k = find_kind(census, kind_of(inner));

		while (outer->parent != TMAP_NONE) {
			outer = &topo->object[outer->parent];
			if (!same_pus(inner, outer))
				census->around[find_kind(census, kind_of(outer))][k]++;
		}
	}
}

static int take_census(struct census *census, const struct tmap_topology *topo, int topo_count,
		       struct tmap_error *err)
{
	memset(census, 0, sizeof *census);
	for (int t = 0; t < topo_count; t++)
		for (int i = 0; i < topo[t].object_count; i++)
			if (note_kind(census, kind_of(&topo[t].object[i]), err) < 0)
				return -1;
	for (int t = 0; t < topo_count; t++)
		count_nestings(census, &topo[t]);
	return 0;
}

/* No other level that is still to come is around this one more often than inside it. */
static bool is_outermost(const struct census *census, const bool *taken, int k)
{
	for (int other = 0; other < census->count; other++)
		if (!taken[other] && census->around[other][k] > census->around[k][other])
			return false;
	return true;
}

/* The first outermost level in canonical order; in a circle, simply the first. */
static int next_outermost(const struct census *census, const bool *taken)
{
	int first = TMAP_NONE;

	for (int k = 0; k < census->count; k++) {
		if (taken[k])
			continue;
		if (is_outermost(census, taken, k))
			return k;
		if (first == TMAP_NONE)
			first = k;
	}
	return first;
}

int tmap_level_order_init(struct tmap_level_order *order, const struct tmap_topology *topo,
			  int topo_count, struct tmap_error *err)
{
	struct census *census = tmap_alloc(1, sizeof *census, err);
	bool taken[KINDS_MAX] = { false };
	struct tmap_level_kind *kind = NULL;

	if (!census || take_census(census, topo, topo_count, err) < 0)
		goto failed;
	kind = tmap_alloc((size_t)census->count, sizeof *kind, err);
	if (!kind)
		goto failed;
	for (int i = 0; i < census->count; i++) {
		int k = next_outermost(census, taken);

		taken[k] = true;
		kind[i] = census->kind[k];
	}
	*order = (struct tmap_level_order){ census->count, kind };
	free(census);
	return 0;
failed:
	free(census);
	return -1;
}

int tmap_level_order_of(struct tmap_level_order *order, const struct tmap_topology *topo,
			struct tmap_error *err)
{
	int kept = 1;

	if (tmap_level_order_init(order, topo, 1, err) < 0)
		return -1;
	for (int i = 1; i < order->count; i++)
		if (!tmap_level_is_same(topo, order->kind[kept - 1], order->kind[i]))
			order->kind[kept++] = order->kind[i];
	order->count = kept;
	return 0;
}

void tmap_level_order_fini(struct tmap_level_order *order)
{
	free(order->kind);
	*order = (struct tmap_level_order){ 0 };
}

/* A node without objects of this type is one such object. */
bool tmap_level_is_implied(const struct tmap_topology *topo, struct tmap_level_kind kind)
{
	if (kind.type == TMAP_NODE || !tmap_types[kind.type].implied)
		return false;
	return kind.nest == 0 && tmap_topology_find(topo, kind.type, 0) == TMAP_NONE;
}

int tmap_level_around(const struct tmap_topology *topo, struct tmap_level_kind kind, int object)
{
	for (int up = object; up != TMAP_NONE; up = topo->object[up].parent)
		if (compare_kinds(kind_of(&topo->object[up]), kind) == 0)
			return up;
	return TMAP_NONE;
}

int tmap_level_object(const struct tmap_topology *topo, struct tmap_level_kind kind, int object)
{
	int around = tmap_level_around(topo, kind, object);

	return around == TMAP_NONE && tmap_level_is_implied(topo, kind) ? 0 : around;
}

int tmap_level_count(const struct tmap_topology *topo, struct tmap_level_kind kind)
{
	int count = 0;

	for (int i = 0; i < topo->object_count; i++)
		count += compare_kinds(kind_of(&topo->object[i]), kind) == 0;
	return count == 0 && tmap_level_is_implied(topo, kind) ? 1 : count;
}

/* Every object of level a has an equal of level b, over the same PUs, itself inside or outside. */
static bool is_each_matched(const struct tmap_topology *topo, struct tmap_level_kind a,
			    struct tmap_level_kind b)
{
	for (int i = 0; i < topo->object_count; i++) {
		const struct tmap_object *object = &topo->object[i];
		int equal;

		if (compare_kinds(kind_of(object), a) != 0)
			continue;
		equal = tmap_level_object(
			topo, b, tmap_topology_cover(topo, object->first_pu, object->end_pu));
		if (equal == TMAP_NONE || !same_pus(&topo->object[equal], object))
			return false;
	}
	return true;
}

bool tmap_level_is_same(const struct tmap_topology *topo, struct tmap_level_kind a,
			struct tmap_level_kind b)
{
	return tmap_level_count(topo, a) == tmap_level_count(topo, b) &&
		is_each_matched(topo, a, b) && is_each_matched(topo, b, a);
}

char *tmap_level_name(struct tmap_level_kind kind, struct tmap_error *err)
{
	if (kind.nest == 0)
		return tmap_strdup(tmap_type_name(kind.type), err);
	return tmap_format(err, "%s%d", tmap_type_name(kind.type), kind.nest + 1);
}
