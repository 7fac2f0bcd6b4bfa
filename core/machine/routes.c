/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/machine/routes.h"

#include "core/base/mem.h"
#include "core/base/sum.h"
#include "core/machine/routes_cables.h"

#include <stdlib.h>

void tmap_routes_fini(struct tmap_routes *routes)
{
	free(routes->routers_of);
	free(routes->place);
	*routes = (struct tmap_routes){ 0 };
}

static int routes_check(const struct tmap_routes *routes, struct tmap_error *err)
{
	if (routes->cables <= TMAP_ROUTES_MOST_CABLES)
		return 0;
	return tmap_fail(err, TMAP_INPUT,
			 "the network has more than %d cables, each way counted: their load is not "
			 "added up",
			 TMAP_ROUTES_MOST_CABLES);
}

static int torus_init(struct tmap_routes *routes, const struct tmap_machine *machine,
		      const int dim[TMAP_TORUS_DIMENSIONS], const int *place,
		      struct tmap_error *err)
{
	struct tmap_routes made = { .kind = TMAP_ROUTES_TORUS,
				    .dim = { dim[0], dim[1], dim[2] },
				    .nodes = machine->node_count,
				    .cables = tmap_torus_places(dim) * TMAP_TORUS_DIMENSIONS *
					    TMAP_CABLE_WAYS };

	if (routes_check(&made, err) < 0)
		return -1;
	made.place = tmap_alloc_raw((size_t)made.nodes, sizeof *made.place, err);
	if (!made.place)
		return -1;
	for (int n = 0; n < made.nodes; n++)
		made.place[n] = place ? place[n] : n;
	*routes = made;
	return 0;
}

int tmap_routes_init_machine(struct tmap_routes *routes, const struct tmap_machine *machine,
			     struct tmap_error *err)
{
	if (!machine->torus.place)
		return tmap_fail(
			err, TMAP_INPUT,
			"nothing says which cables connect the nodes: they are in no torus");
	return torus_init(routes, machine, machine->torus.dim, machine->torus.place, err);
}

int tmap_routes_init_torus(struct tmap_routes *routes, const struct tmap_machine *machine,
			   const int dim[TMAP_TORUS_DIMENSIONS], struct tmap_error *err)
{
	if (tmap_torus_places(dim) != machine->node_count)
		return tmap_fail(err, TMAP_INPUT, "%d nodes are not %d x %d x %d",
				 machine->node_count, dim[0], dim[1], dim[2]);
	return torus_init(routes, machine, dim, NULL, err);
}

/* Number the routers of each group in the order of their first nodes: of router s that is number[s]. */
static int routers_number(struct tmap_routes *routes, int *number, const struct tmap_tier *router,
			  const struct tmap_tier *group, struct tmap_error *err)
{
	int *count = tmap_alloc((size_t)group->switch_count, sizeof *count, err);

	if (!count)
		return -1;
	for (int s = 0; s < router->switch_count; s++)
		number[s] = TMAP_NONE;
	for (int n = 0; n < routes->nodes; n++) {
		int s = router->switch_of[n], g = group->switch_of[n];

		if (number[s] == TMAP_NONE)
			number[s] = count[g]++;
		if (count[g] > routes->routers)
			routes->routers = count[g];
	}
	routes->routers_of = count;
	return 0;
}

/* The first node of which a tier does not know the switch. */
static int check_known(const struct tmap_machine *machine, const struct tmap_tier *tier,
		       struct tmap_error *err)
{
	for (int n = 0; n < machine->node_count; n++)
		if (tier->switch_of[n] == TMAP_NONE)
			return tmap_fail(err, TMAP_INPUT,
					 "the %s of node '%s' is not known: in a dragonfly every "
					 "node has a router and a group",
					 tier->name, machine->node_name[n]);
	return 0;
}

int tmap_routes_init_dragonfly(struct tmap_routes *routes, const struct tmap_machine *machine,
			       struct tmap_error *err)
{
	const struct tmap_tier *router = machine->tier, *group = machine->tier + 1;
	struct tmap_routes made = { .kind = TMAP_ROUTES_DRAGONFLY, .nodes = machine->node_count };
	int *number, status = -1;

	if (machine->tier_count < 2)
		return tmap_fail(err, TMAP_INPUT,
				 "a dragonfly has two levels of switches, routers and groups; the "
				 "network of these nodes has %d",
				 machine->tier_count);
	if (check_known(machine, router, err) < 0 || check_known(machine, group, err) < 0)
		return -1;
	made.groups = group->switch_count;
	made.place = tmap_alloc_raw((size_t)made.nodes, sizeof *made.place, err);
	number = tmap_alloc_raw((size_t)router->switch_count, sizeof *number, err);
	if (made.place && number)
		status = routers_number(&made, number, router, group, err);
	if (status == 0) {
		int64_t groups = made.groups, routers = made.routers;

		made.cables = tmap_sum_product(tmap_sum_product(routers, routers), groups);
		tmap_sum_add(&made.cables, TMAP_CABLE_WAYS * (int64_t)made.nodes + groups * groups);
		status = routes_check(&made, err);
	}
	for (int n = 0; n < made.nodes && status == 0; n++)
		made.place[n] = group->switch_of[n] * made.routers + number[router->switch_of[n]];
	free(number);
	if (status < 0)
		tmap_routes_fini(&made);
	else
		*routes = made;
	return status;
}

/* How many steps up, or if below 0 down, lead from one coordinate to another on a ring. */
static int ring_steps(int from, int to, int size)
{
	int up = to >= from ? to - from : to - from + size;

	return 2 * up <= size ? up : up - size;
}

static int torus_hops(const struct tmap_routes *routes, int a, int b)
{
	int hops = 0;

	for (int d = 0; d < TMAP_TORUS_DIMENSIONS; d++) {
		int size = routes->dim[d];

		hops += abs(ring_steps(a % size, b % size, size));
		a /= size;
		b /= size;
	}
	return hops;
}

static void torus_add(const struct tmap_routes *routes, double *load, int a, int b, double bytes)
{
	int at = a, stride = 1;

	for (int d = 0; d < TMAP_TORUS_DIMENSIONS; d++) {
		int size = routes->dim[d], x = at / stride % size;
		int steps = ring_steps(x, b / stride % size, size);
		enum tmap_cable_way way = steps > 0 ? TMAP_CABLE_UP : TMAP_CABLE_DOWN;

		for (; steps; steps += way == TMAP_CABLE_UP ? -1 : 1) {
			int next = way == TMAP_CABLE_UP ? (x + 1) % size : (x + size - 1) % size;
			int lower = way == TMAP_CABLE_UP ? at : at + (next - x) * stride;

			load[tmap_cable_torus(lower, d, way)] += bytes;
			at += (next - x) * stride;
			x = next;
		}
		stride *= size;
	}
}

int tmap_routes_towards(const struct tmap_routes *routes, int group, int other)
{
	return group * routes->routers + other % routes->routers_of[group];
}

/* The routers on the way, from that of one node to that of the other: at most four. */
static int dragonfly_way(const struct tmap_routes *routes, int way[4], int a, int b)
{
	int from = a / routes->routers, to = b / routes->routers, count = 0;

	way[count++] = a;
	if (from != to) {
		if (a != tmap_routes_towards(routes, from, to))
			way[count++] = tmap_routes_towards(routes, from, to);
		way[count++] = tmap_routes_towards(routes, to, from);
	}
	if (way[count - 1] != b)
		way[count++] = b;
	return count;
}

static void dragonfly_add(const struct tmap_routes *routes, double *load, int a, int b,
			  double bytes)
{
	int way[4], count = dragonfly_way(routes, way, routes->place[a], routes->place[b]);

	load[tmap_cable_node(a, TMAP_CABLE_UP)] += bytes;
	load[tmap_cable_node(b, TMAP_CABLE_DOWN)] += bytes;
	for (int i = 1; i < count; i++) {
		int from = way[i - 1] / routes->routers, to = way[i] / routes->routers;

		load[from != to ? tmap_cable_between(routes, from, to) :
				  tmap_cable_within(routes, way[i - 1], way[i])] += bytes;
	}
}

int tmap_routes_hops(const struct tmap_routes *routes, int a, int b)
{
	int way[4];

	if (a == b)
		return 0;
	if (routes->kind == TMAP_ROUTES_TORUS)
		return torus_hops(routes, routes->place[a], routes->place[b]);
	return 1 + dragonfly_way(routes, way, routes->place[a], routes->place[b]);
}

void tmap_routes_add(const struct tmap_routes *routes, double *load, int a, int b, double bytes)
{
	if (a == b)
		return;
	if (routes->kind == TMAP_ROUTES_TORUS)
		torus_add(routes, load, routes->place[a], routes->place[b], bytes);
	else
		dragonfly_add(routes, load, a, b, bytes);
}

/* Parts of a dimension after so many halvings. */
static int parts_count(int size, int halvings)
{
	return halvings < 16 && 1 << halvings < size ? 1 << halvings : size;
}

/* The halvings of each dimension among the first @p steps of all: always of that with the longest
 * parts; false where there are not so many. */
static bool torus_halvings(const struct tmap_routes *routes, int steps,
			   int halvings[TMAP_TORUS_DIMENSIONS])
{
	for (int d = 0; d < TMAP_TORUS_DIMENSIONS; d++)
		halvings[d] = 0;
	for (; steps > 0; steps--) {
		int longest = 0, most = 0;

		for (int d = 0; d < TMAP_TORUS_DIMENSIONS; d++) {
			int parts = parts_count(routes->dim[d], halvings[d]);
			int length = (routes->dim[d] + parts - 1) / parts;

			if (length > most) {
				most = length;
				longest = d;
			}
		}
		if (most == 1)
			return false;
		halvings[longest]++;
	}
	return true;
}

static double torus_divide(const struct tmap_routes *routes, int step, int *part, int *count)
{
	int halvings[TMAP_TORUS_DIMENSIONS], parts[TMAP_TORUS_DIMENSIONS];
	double hops = 1;

	if (!torus_halvings(routes, step + 1, halvings))
		return 0;
	for (int d = 0; d < TMAP_TORUS_DIMENSIONS; d++)
		parts[d] = parts_count(routes->dim[d], halvings[d]);
	for (int n = 0; n < routes->nodes; n++) {
		int place = routes->place[n], stride = 1;

		part[n] = 0;
		for (int d = 0; d < TMAP_TORUS_DIMENSIONS; d++) {
			int64_t x = place % routes->dim[d];

			part[n] += stride * (int)(x * parts[d] / routes->dim[d]);
			stride *= parts[d];
			place /= routes->dim[d];
		}
	}
	*count = parts[0] * parts[1] * parts[2];
	torus_halvings(routes, step,
		       halvings); /* two random points of a line: a third of it apart */
	for (int d = 0; d < TMAP_TORUS_DIMENSIONS; d++)
		hops += ((double)routes->dim[d] / parts_count(routes->dim[d], halvings[d]) - 1) / 3;
	return hops;
}

static double dragonfly_divide(const struct tmap_routes *routes, int step, int *part, int *count)
{
	static const double hops[] = { 5, 3, 2 };
	const int counts[] = { routes->groups, routes->groups * routes->routers, routes->nodes };

	if (step > 2)
		return 0;
	for (int n = 0; n < routes->nodes; n++)
		part[n] = step == 0 ? routes->place[n] / routes->routers :
			step == 1   ? routes->place[n] :
				      n;
	*count = counts[step];
	return hops[step];
}

double tmap_routes_divide(const struct tmap_routes *routes, int step, int *part, int *count)
{
	return routes->kind == TMAP_ROUTES_TORUS ? torus_divide(routes, step, part, count) :
						   dragonfly_divide(routes, step, part, count);
}
