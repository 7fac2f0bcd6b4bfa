/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/base/mem.h"
#include "core/machine/routes_cables.h"

#include <stdlib.h>

/* One line of places along a dimension, gone through in one direction. */
struct ring_line {
	int size, dimension;
	enum tmap_cable_way way;
	int64_t place, stride; /* of its first place; and from place to place */
	const int64_t *from;   /* [size]: ranks whose messages come to the line at each place */
	const int64_t *to; /* the same in steps of stride: ranks for which they leave it there */
};

/* The coordinate of the i-th place in the direction, from -size on. */
static int line_at(const struct ring_line *line, int i)
{
	int x = (i + line->size) % line->size;

	return line->way == TMAP_CABLE_UP ? x : line->size - 1 - x;
}

static int64_t line_from(const struct ring_line *line, int i)
{
	return line->from[line_at(line, i)];
}

static int64_t line_to(const struct ring_line *line, int i)
{
	return line->to[line_at(line, i) * line->stride];
}

/* Messages go up to @reach steps. Those that go through a cable differ from those through the one before
 * by what ends and what begins between the two. O(size). */
static void line_add(const struct ring_line *line, double *load, double bytes)
{
	int reach = line->way == TMAP_CABLE_UP ? line->size / 2 : (line->size - 1) / 2;
	int64_t pairs = 0, behind = 0, ahead = 0;

	for (int back = reach - 1; back >= 0; back--) {
		ahead += line_to(line, reach - back);
		behind += line_from(line, -back);
		pairs += line_from(line, -back) * ahead;
	}
	for (int i = 0; i < line->size && reach > 0; i++) {
		int64_t lower = line->place +
			line_at(line, line->way == TMAP_CABLE_UP ? i : i + 1) * line->stride;

		load[tmap_cable_torus(lower, line->dimension, line->way)] += bytes * (double)pairs;
		pairs -= line_to(line, i + 1) * behind;
		behind += line_from(line, i + 1) - line_from(line, i + 1 - reach);
		ahead += line_to(line, i + 1 + reach) - line_to(line, i + 1);
		pairs += line_from(line, i + 1) * ahead;
	}
}

/* All lines of a dimension. A message has gone all its way in the dimensions below, and none in those
 * above: from[] holds the ranks by the coordinates from this dimension on, to[] by those up to it. */
static void dimension_add(const struct tmap_routes *routes, int dimension, int64_t stride,
			  const int64_t *from, const int64_t *to, double *load, double bytes)
{
	struct ring_line line = { .size = routes->dim[dimension],
				  .dimension = dimension,
				  .stride = stride };
	int64_t above = tmap_torus_places(routes->dim) / (stride * line.size);

	for (int64_t u = 0; u < above; u++)
		for (int64_t l = 0; l < stride; l++) {
			line.place = u * line.size * stride + l;
			line.from = from + u * line.size;
			line.to = to + l;
			for (line.way = TMAP_CABLE_UP; line.way < TMAP_CABLE_WAYS; line.way++)
				line_add(&line, load, bytes);
		}
}

static void torus_add_everyone(const struct tmap_routes *routes, double *load, const int *ranks,
			       double bytes, int64_t *from, int64_t *to)
{
	int64_t places = tmap_torus_places(routes->dim), stride = 1;

	for (int d = 0; d < TMAP_TORUS_DIMENSIONS; d++) {
		int64_t next = stride * routes->dim[d];

		for (int64_t i = 0; i < places; i++)
			from[i] = to[i] = 0;
		for (int n = 0; n < routes->nodes; n++) {
			from[routes->place[n] / stride] += ranks[n];
			to[routes->place[n] % next] += ranks[n];
		}
		dimension_add(routes, d, stride, from, to, load, bytes);
		stride = next;
	}
}

/* Between the routers of a group go the messages of their own nodes, and those of other groups to
 * (and from) the router that has the cable there: @outside[router] ranks. */
static void group_add(const struct tmap_routes *routes, int group, double *load, double bytes,
		      const int64_t *at_router, const int64_t *outside)
{
	int first = group * routes->routers, count = routes->routers_of[group];

	for (int a = first; a < first + count; a++)
		for (int b = first; b < first + count; b++)
			if (a != b)
				load[tmap_cable_within(routes, a, b)] += bytes *
					(double)(at_router[a] * (at_router[b] + outside[b]) +
						 outside[a] * at_router[b]);
}

static void dragonfly_add_everyone(const struct tmap_routes *routes, double *load, const int *ranks,
				   double bytes, int64_t *at_router, int64_t *outside,
				   int64_t *in_group)
{
	int64_t all = 0;

	for (int n = 0; n < routes->nodes; n++) {
		at_router[routes->place[n]] += ranks[n];
		in_group[routes->place[n] / routes->routers] += ranks[n];
		all += ranks[n];
	}
	for (int n = 0; n < routes->nodes; n++)
		for (enum tmap_cable_way way = TMAP_CABLE_UP; way < TMAP_CABLE_WAYS; way++)
			load[tmap_cable_node(n, way)] +=
				bytes * (double)(ranks[n] * (all - ranks[n]));
	for (int g = 0; g < routes->groups; g++)
		for (int h = 0; routes->routers_of[g] && h < routes->groups; h++)
			if (g != h) {
				load[tmap_cable_between(routes, g, h)] +=
					bytes * (double)(in_group[g] * in_group[h]);
				outside[tmap_routes_towards(routes, g, h)] += in_group[h];
			}
	for (int g = 0; g < routes->groups; g++)
		group_add(routes, g, load, bytes, at_router, outside);
}

int tmap_routes_add_everyone(const struct tmap_routes *routes, double *load, const int *ranks,
			     double bytes, struct tmap_error *err)
{
	bool is_torus = routes->kind == TMAP_ROUTES_TORUS;
	size_t most = is_torus ? (size_t)tmap_torus_places(routes->dim) :
				 (size_t)routes->groups * (size_t)routes->routers;
	int64_t *a = tmap_alloc(most, sizeof *a, err);
	int64_t *b = a ? tmap_alloc(most, sizeof *b, err) : NULL;
	int64_t *in_group =
		b && !is_torus ? tmap_alloc((size_t)routes->groups, sizeof *in_group, err) : NULL;
	bool is_ready = b && (is_torus || in_group);

	if (is_ready && is_torus)
		torus_add_everyone(routes, load, ranks, bytes, a, b);
	else if (is_ready)
		dragonfly_add_everyone(routes, load, ranks, bytes, a, b, in_group);
	free(in_group);
	free(b);
	free(a);
	return is_ready ? 0 : -1;
}
