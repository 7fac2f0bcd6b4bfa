/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: breadth-first search over the neighbors of a torus; and that what tmap_routes_add() puts on the
 * cables is as many cables as there are hops. The cables themselves are held to SimGrid's (tests/smpi/routes.sh).
 */
#include "core/machine/routes.h"
#include "core/map/nest.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

static const struct test_level core[] = { { TMAP_CORE, 2 }, { 0 } };

/* hops[] from a place to all others, by neighbors. */
static void search_breadth_first(int *hops, const int *dim, int from)
{
	int places = dim[0] * dim[1] * dim[2], head = 0, tail = 0;
	int *queue = calloc((size_t)places, sizeof *queue);

	for (int i = 0; i < places; i++)
		hops[i] = TMAP_NONE;
	hops[from] = 0;
	queue[tail++] = from;
	while (head < tail) {
		int at = queue[head++], stride = 1;

		for (int d = 0; d < 3; d++) {
			int x = at / stride % dim[d];

			for (int step = -1; step <= 1; step += 2) {
				int to = at + ((x + step + dim[d]) % dim[d] - x) * stride;

				if (hops[to] != TMAP_NONE)
					continue;
				hops[to] = hops[at] + 1;
				queue[tail++] = to;
			}
			stride *= dim[d];
		}
	}
	free(queue);
}

static double sum_load(const struct tmap_routes *routes, int a, int b)
{
	double *load = calloc((size_t)routes->cables, sizeof *load), sum = 0;

	tmap_routes_add(routes, load, a, b, 2);
	for (int64_t i = 0; i < routes->cables; i++) {
		hold(load[i] == 0 || load[i] == 2);
		sum += load[i];
	}
	free(load);
	return sum;
}

START_TEST(hops_of_a_torus_are_those_of_a_search)
{
	static const int dims[][3] = {
		{ 4, 4, 2 }, { 5, 3, 1 }, { 2, 2, 2 }, { 7, 1, 3 }, { 1, 1, 1 }
	};

	for (size_t i = 0; i < sizeof dims / sizeof *dims; i++) {
		int nodes = dims[i][0] * dims[i][1] * dims[i][2];
		struct tmap_machine *machine = machine_regular(nodes, core);
		int *hops = calloc((size_t)nodes, sizeof *hops);
		struct tmap_routes routes;

		hold(tmap_routes_init_torus(&routes, machine, dims[i], &err) == 0);
		for (int a = 0; a < nodes; a++) {
			search_breadth_first(hops, dims[i], a);
			for (int b = 0; b < nodes; b++) {
				hold(tmap_routes_hops(&routes, a, b) == hops[b]);
				hold(sum_load(&routes, a, b) == 2 * hops[b]);
			}
		}
		free(hops);
		tmap_routes_fini(&routes);
		tmap_machine_free(machine);
	}
}
END_TEST

START_TEST(hops_of_a_dragonfly_are_two_to_five)
{
	/* 24 nodes, 2 a router, routers in groups of 3, 3, 3, 3 */
	struct tmap_machine *machine = machine_regular(24, core);
	struct tmap_routes routes;

	machine_add_switches(machine, 2);
	machine_add_switches(machine, 3);
	hold(tmap_routes_init_dragonfly(&routes, machine, &err) == 0);
	for (int a = 0; a < 24; a++)
		for (int b = 0; b < 24; b++) {
			int hops = tmap_routes_hops(&routes, a, b);

			hold(a / 2 == b / 2         ? hops == (a == b ? 0 : 2) :
				     a / 6 == b / 6 ? hops == 3 :
						      hops >= 3 && hops <= 5);
			hold(hops == tmap_routes_hops(&routes, b, a));
			hold(sum_load(&routes, a, b) == 2 * hops);
		}
	tmap_routes_fini(&routes);
	tmap_machine_free(machine);
}
END_TEST

/* 4 routers with a node each, in groups of 1, 1 and 2. */
START_TEST(groups_count_their_own_routers)
{
	static const int hops[4][4] = {
		{ 0, 3, 3, 4 }, /* group 0 and the last one: at its router 0 */
		{ 3, 0, 4, 3 }, /* group 1 and the last one: at its router 1 */
		{ 3, 4, 0, 3 },
		{ 4, 3, 3, 0 },
	};
	struct tmap_machine *machine = machine_regular(4, core);
	struct tmap_routes routes;

	machine_add_tier(machine, (const int[]){ 0, 1, 2, 3 }, 4);
	machine_add_tier(machine, (const int[]){ 0, 1, 2, 2 }, 3);
	hold(tmap_routes_init_dragonfly(&routes, machine, &err) == 0);
	for (int a = 0; a < 4; a++)
		for (int b = 0; b < 4; b++) {
			hold(tmap_routes_hops(&routes, a, b) == hops[a][b]);
			hold(sum_load(&routes, a, b) == 2 * hops[a][b]);
		}
	tmap_routes_fini(&routes);
	tmap_machine_free(machine);
}
END_TEST

/* Oracle: every pair of nodes by itself. */
static void check_everyone(const struct tmap_routes *routes, struct dice *dice)
{
	size_t cables = (size_t)routes->cables;
	double *want = calloc(cables, sizeof *want), *load = calloc(cables, sizeof *load);
	int *ranks = calloc((size_t)routes->nodes, sizeof *ranks);

	for (int n = 0; n < routes->nodes; n++)
		ranks[n] = dice_roll(dice, 4);
	for (int a = 0; a < routes->nodes; a++)
		for (int b = 0; b < routes->nodes; b++)
			tmap_routes_add(routes, want, a, b, 3.0 * ranks[a] * ranks[b]);
	hold(tmap_routes_add_everyone(routes, load, ranks, 3, &err) == 0);
	for (size_t i = 0; i < cables; i++)
		hold(load[i] == want[i]);
	free(ranks);
	free(load);
	free(want);
}

START_TEST(everyone_to_everyone_is_all_pairs)
{
	struct dice dice = { 11 };

	for (int i = 0; i < 200; i++) {
		const int dim[] = { 1 + dice_roll(&dice, 6), 1 + dice_roll(&dice, 6),
				    1 + dice_roll(&dice, 5) };
		int nodes = dim[0] * dim[1] * dim[2], routers = 1 + dice_roll(&dice, nodes);
		int groups = 1 + dice_roll(&dice, routers);
		struct tmap_machine *machine = machine_regular(nodes, core);
		int *of = calloc((size_t)nodes, sizeof *of);
		struct tmap_routes routes;

		hold(tmap_routes_init_torus(&routes, machine, dim, &err) == 0);
		check_everyone(&routes, &dice);
		tmap_routes_fini(&routes);
		for (int n = 0; n < nodes; n++)
			of[n] = n < routers ? n : dice_roll(&dice, routers);
		machine_add_tier(machine, of, routers);
		for (int r = 0; r < routers; r++)
			of[r] = r < groups ? r : dice_roll(&dice, groups);
		machine_add_tier(machine, of, groups);
		hold(tmap_routes_init_dragonfly(&routes, machine, &err) == 0);
		check_everyone(&routes, &dice);
		tmap_routes_fini(&routes);
		free(of);
		tmap_machine_free(machine);
	}
}
END_TEST

/* More cables than 64 bits count: as many nodes as there can be, each its own router, one group of most of
 * them and a group for each other. */
START_TEST(a_dragonfly_has_too_many_cables)
{
	enum { NODES = 4194304, GROUPS = 1398102 };
	struct tmap_routes routes;
	struct tmap_tier tier[2] = { { .name = (char[]){ "router" }, .switch_count = NODES },
				     { .name = (char[]){ "group" }, .switch_count = GROUPS } };
	struct tmap_machine many = { .node_count = NODES, .tier_count = 2, .tier = tier };

	for (int t = 0; t < 2; t++) {
		tier[t].switch_of = calloc(NODES, sizeof *tier[t].switch_of);
		for (int n = 0; n < NODES; n++)
			tier[t].switch_of[n] = t == 0 || n < GROUPS ? n : GROUPS - 1;
	}
	hold(tmap_routes_init_dragonfly(&routes, &many, &err) == -1 && err.kind == TMAP_INPUT);
	ck_assert_ptr_nonnull(strstr(err.text, "more than 16777216 cables"));
	for (int t = 0; t < 2; t++)
		free(tier[t].switch_of);
}
END_TEST

START_TEST(a_dragonfly_needs_routers_and_groups)
{
	int one_unknown[] = { 0, 0, 1, TMAP_NONE };
	struct tmap_machine *machine = machine_regular(4, core);
	struct tmap_routes routes;

	hold(tmap_routes_init_dragonfly(&routes, machine, &err) == -1 && err.kind == TMAP_INPUT);
	ck_assert_ptr_nonnull(strstr(err.text, "has 0"));
	machine_add_tier(machine, one_unknown, 2);
	machine_add_switches(machine, 2);
	hold(tmap_routes_init_dragonfly(&routes, machine, &err) == -1 && err.kind == TMAP_INPUT);
	ck_assert_ptr_nonnull(strstr(err.text, "'n3'"));
	tmap_machine_free(machine);
}
END_TEST

START_TEST(a_torus_has_a_place_for_each_node)
{
	static const int dim[] = { 2, 2, 1 };
	struct tmap_machine *machine = machine_regular(3, core);
	struct tmap_routes routes;
	const int bad[][3] = { { 0, 1, 4 }, { 0, 1, -1 }, { 3, 1, 3 } };
	int *place;

	hold(tmap_routes_init_torus(&routes, machine, dim, &err) == -1 && err.kind == TMAP_INPUT);
	hold(tmap_routes_init_machine(&routes, machine, &err) == -1 && err.kind == TMAP_INPUT);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		place = malloc(sizeof bad[i]);
		memcpy(place, bad[i], sizeof bad[i]);
		hold(tmap_machine_set_torus_take(machine, dim, place, &err) == -1);
		hold(err.kind == TMAP_INPUT);
		free(place);
	}
	place = malloc(3 * sizeof *place);
	memcpy(place, (const int[]){ 0, 3, 1 }, 3 * sizeof *place);
	hold(tmap_machine_set_torus_take(machine, dim, place, &err) == 0);
	hold(tmap_routes_init_machine(&routes, machine, &err) == 0);
	hold(tmap_routes_hops(&routes, 0, 1) == 2 && tmap_routes_hops(&routes, 0, 2) == 1);
	tmap_routes_fini(&routes);
	tmap_machine_clear_tiers(machine);
	hold(!machine->torus.place);
	tmap_machine_free(machine);
}
END_TEST

/* Costs fall from layer to layer, those of other nodes are at least a cable, and every node is a set. */
static void check_nest(const struct tmap_routes *routes, struct tmap_machine *machine, int nodes)
{
	struct tmap_placement slots;
	struct tmap_nest nest;

	placement_on_take(&slots, tmap_machine_ref(machine), 2 * nodes);
	for (int r = 0; r < 2 * nodes; r++)
		placement_seat_pu(&slots, r, r % nodes, r / nodes);
	hold(tmap_nest_init_routes(&nest, &slots, routes, &err) == 0);
	for (int l = 1; l < nest.depth; l++)
		hold(nest.cost[l] < nest.cost[l - 1] && nest.set_count[l] > nest.set_count[l - 1]);
	hold(nest.set_count[nest.depth - 1] == 2 * nodes && nest.cost[nest.depth - 1] < 0.01);
	for (int a = 0; a < 2 * nodes; a++)
		for (int b = 0; b < 2 * nodes; b++) {
			double cost = tmap_nest_cost(&nest, nest.position[a], nest.position[b]);

			hold(slots.node[a] == slots.node[b] ? cost < 0.01 : cost >= 1);
		}
	tmap_nest_fini(&nest);
	tmap_placement_fini(&slots);
}

START_TEST(a_network_with_routes_is_divided_down_to_its_nodes)
{
	static const int dims[][3] = { { 4, 4, 2 }, { 5, 3, 1 }, { 7, 2, 3 }, { 32, 1, 1 } };

	for (size_t i = 0; i < sizeof dims / sizeof *dims; i++) {
		int nodes = dims[i][0] * dims[i][1] * dims[i][2];
		struct tmap_machine *machine = machine_regular(nodes, core);
		struct tmap_routes routes;

		hold(tmap_routes_init_torus(&routes, machine, dims[i], &err) == 0);
		check_nest(&routes, machine, nodes);
		tmap_routes_fini(&routes);
		machine_add_switches(machine, 2);
		machine_add_switches(machine, 3);
		hold(tmap_routes_init_dragonfly(&routes, machine, &err) == 0);
		check_nest(&routes, machine, nodes);
		tmap_routes_fini(&routes);
		tmap_machine_free(machine);
	}
}
END_TEST

START_TEST(routes_are_read_from_text)
{
	static const char *const bad[] = { "",          "torus",         "torus:",
					   "torus:0x4", "torus:2x2x1x1", "torus:2x",
					   "torus:axb", "torus:99999x1", "dragonflies",
					   "torus:4,1", "torus:-2x-2" };
	struct tmap_machine *machine = machine_regular(4, core);
	struct tmap_routes routes;

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		hold(tmap_routes_parse(&routes, bad[i], machine, &err) == -1);
		ck_assert_msg(err.kind == TMAP_USAGE, "%s: %s", bad[i], err.text);
	}
	hold(tmap_routes_parse(&routes, "torus:4", machine, &err) == 0);
	hold(routes.dim[0] == 4 && routes.dim[1] == 1 && routes.dim[2] == 1);
	tmap_routes_fini(&routes);
	hold(tmap_routes_parse(&routes, "torus:3", machine, &err) == -1 && err.kind == TMAP_INPUT);
	tmap_machine_free(machine);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("routes");
	TCase *tests = tcase_create("routes");

	tcase_add_test(tests, hops_of_a_torus_are_those_of_a_search);
	tcase_add_test(tests, hops_of_a_dragonfly_are_two_to_five);
	tcase_add_test(tests, groups_count_their_own_routers);
	tcase_add_test(tests, everyone_to_everyone_is_all_pairs);
	tcase_add_test(tests, a_dragonfly_has_too_many_cables);
	tcase_add_test(tests, a_dragonfly_needs_routers_and_groups);
	tcase_add_test(tests, a_torus_has_a_place_for_each_node);
	tcase_add_test(tests, a_network_with_routes_is_divided_down_to_its_nodes);
	tcase_add_test(tests, routes_are_read_from_text);
	suite_add_tcase(suite, tests);
	return suite;
}
