/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: what MPI promises, taken literally. MPI_Comm_split_type(SHARED) puts r among all
 * ranks of its node, in rank order; MPI_Comm_split by the rank in that communicator puts it
 * among all ranks that have the same number there. Groups, leaders and adapters are counted
 * out rank by rank; what mends an order is judged by core/machine/order.h.
 */
#include "core/group/adapters.h"
#include "core/group/lanes.h"
#include "core/machine/device.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

enum { MOST = 40 };

/* The number of ranks below r on its node. */
static int node_rank(const struct tmap_placement *p, int r)
{
	int below = 0;

	for (int q = 0; q < r; q++)
		below += p->node[q] == p->node[r];
	return below;
}

static int ranks_on_node_of(const struct tmap_placement *p, int r)
{
	int count = 0;

	for (int q = 0; q < p->size; q++)
		count += p->node[q] == p->node[r];
	return count;
}

/* Up to 7 PUs on a node of several kinds, with some adapters, and ranks anywhere on them. */
static void roll(struct tmap_placement *p, struct dice *dice)
{
	static const char *const names[] = { "mlx5_0", "mlx5_1", "ib0", "eth0" };
	struct tmap_machine *machine = machine_random(dice, 6);

	for (int t = 0; t < machine->topology_count; t++)
		for (int d = dice_roll(dice, 4); d > 0; d--) {
			struct tmap_topology *topo = &machine->topology[t];
			struct tmap_device device = {
				.type = dice_roll(dice, 5) ? TMAP_NETWORK : TMAP_GPU,
				.object = dice_roll(dice, topo->object_count)
			};

			strcpy(device.name, names[dice_roll(dice, 4)]);
			ck_assert_int_eq(tmap_topology_add_device(topo, &device, &err), 0);
		}
	placement_random_take(p, machine, 1 + dice_roll(dice, MOST), dice);
}

START_TEST(splits_give_the_nodes_and_the_lanes)
{
	struct dice dice = { 7 };

	for (int round = 0; round < 1200; round++) {
		int member[MOST], of_rank[MOST] = { 0 };
		struct tmap_placement p;
		struct tmap_lanes lanes;

		roll(&p, &dice);
		ck_assert_int_eq(tmap_lanes_init(&lanes, &p, TMAP_NONE, &err), 0);
		for (int i = 0; i < lanes.node_count; i++) {
			const int *rank = lanes.rank + lanes.first[i];
			int count = tmap_lanes_ranks(&lanes, i);

			ck_assert_int_eq(count, ranks_on_node_of(&p, rank[0]));
			ck_assert(i == 0 || rank[0] > lanes.rank[lanes.first[i - 1]]);
			for (int j = 0; j < count; j++) {
				ck_assert_int_eq(p.node[rank[j]], lanes.node[i]);
				ck_assert_int_eq(node_rank(&p, rank[j]), j);
			}
		}
		for (int l = 0; l < lanes.lane_count; l++) {
			int count = tmap_lanes_members(&lanes, l, member), wanted = 0;

			for (int r = 0; r < p.size; r++)
				if (node_rank(&p, r) == l)
					ck_assert_int_eq(member[wanted++], r);
			ck_assert_int_eq(count, wanted);
			ck_assert_int_gt(count, 0);
			for (int i = 0; i < count; i++)
				of_rank[member[i]]++;
		}
		for (int r = 0; r < p.size; r++)
			ck_assert_int_eq(of_rank[r], 1);
		tmap_lanes_fini(&lanes);
		tmap_placement_fini(&p);
	}
}
END_TEST

/* PUs under the smallest object with both; adapters are the best-named devices of the node. */
static int literal_grade(const struct tmap_device *device)
{
	if (device->type != TMAP_NETWORK)
		return 0;
	return strncmp(device->name, "mlx", 3) == 0 ? 3 :
		strncmp(device->name, "ib", 2) == 0 ? 2 :
						      1;
}

static bool literal_adapter(const struct tmap_topology *topo, int device)
{
	int best = 1;

	for (int d = 0; d < topo->device_count; d++)
		if (literal_grade(&topo->device[d]) > best)
			best = literal_grade(&topo->device[d]);
	return literal_grade(&topo->device[device]) == best;
}

static int literal_reach(const struct tmap_topology *topo, int object, int device)
{
	const struct tmap_object *a = &topo->object[object];
	const struct tmap_object *b = &topo->object[topo->device[device].object];
	int smallest = topo->pu_count;

	for (int o = 0; o < topo->object_count; o++) {
		const struct tmap_object *both = &topo->object[o];
		int pus = both->end_pu - both->first_pu;

		if (both->first_pu <= a->first_pu && both->end_pu >= a->end_pu &&
		    both->first_pu <= b->first_pu && both->end_pu >= b->end_pu && pus < smallest)
			smallest = pus;
	}
	return smallest;
}

static int literal_closest(const struct tmap_placement *p, int rank)
{
	const struct tmap_topology *topo = tmap_placement_topology(p, rank);
	int best = topo->pu_count;

	for (int d = 0; d < topo->device_count; d++) {
		int reach = literal_reach(topo, tmap_placement_object(p, rank), d);

		if (literal_adapter(topo, d) && reach < best)
			best = reach;
	}
	return best;
}

/* Which of k groups number i of n ranks is in: the one whose share of 0 .. n reaches over it. */
static int literal_group(int i, int n, int k)
{
	int g = 0;

	while ((g + 1) * n / k <= i)
		g++;
	return g;
}

START_TEST(leaders_of_virtual_lanes_are_closest_in_their_group)
{
	struct dice dice = { 8 };

	for (int round = 0; round < 1200; round++) {
		struct tmap_placement p;
		struct tmap_lanes lanes;
		struct tmap_order order;
		int k, member[MOST];

		roll(&p, &dice);
		ck_assert_int_eq(tmap_order_find(&order, &p, &err), 0);
		k = 1 + dice_roll(&dice, order.ranks_max);
		ck_assert_int_eq(tmap_lanes_init(&lanes, &p, k, &err), 0);
		ck_assert_int_eq(lanes.lane_count, k);
		for (int l = 0; l < k; l++) {
			ck_assert_int_eq(tmap_lanes_members(&lanes, l, member), lanes.node_count);
			for (int i = 1; i < lanes.node_count; i++)
				ck_assert_int_lt(member[i - 1], member[i]);
			for (int i = 0; i < lanes.node_count; i++) {
				int leader = member[i], n = ranks_on_node_of(&p, leader);
				int groups = k < n ? k : n;

				ck_assert_int_eq(literal_group(node_rank(&p, leader), n, groups),
						 l * groups / k);
				for (int r = 0; r < p.size; r++) {
					if (p.node[r] != p.node[leader] ||
					    literal_group(node_rank(&p, r), n, groups) !=
						    l * groups / k)
						continue;
					ck_assert_int_ge(literal_closest(&p, r),
							 literal_closest(&p, leader));
					if (literal_closest(&p, r) == literal_closest(&p, leader))
						ck_assert_int_ge(r, leader);
				}
			}
		}
		tmap_lanes_fini(&lanes);
		tmap_placement_fini(&p);
	}
}
END_TEST

START_TEST(ranks_drive_their_closest_adapter_evenly)
{
	struct dice dice = { 9 };

	for (int round = 0; round < 1200; round++) {
		struct tmap_adapters adapters;
		struct tmap_placement p;
		struct tmap_lanes lanes;
		int idle = 0;

		roll(&p, &dice);
		ck_assert_int_eq(tmap_lanes_init(&lanes, &p, TMAP_NONE, &err), 0);
		ck_assert_int_eq(tmap_adapters_init(&adapters, &lanes, &err), 0);
		for (int r = 0; r < p.size; r++) {
			const struct tmap_topology *topo = tmap_placement_topology(&p, r);
			int a = adapters.of_rank[r], known = 0, reach;

			for (int d = 0; d < topo->device_count; d++)
				known += literal_grade(&topo->device[d]) > 0;
			ck_assert((a == TMAP_NONE) == (known == 0));
			if (a == TMAP_NONE)
				continue;
			reach = literal_reach(topo, tmap_placement_object(&p, r),
					      adapters.adapter[a].device);
			ck_assert(&p.machine->topology[adapters.adapter[a].topology] == topo);
			ck_assert(literal_adapter(topo, adapters.adapter[a].device));
			ck_assert_int_eq(reach, literal_closest(&p, r));
			/* nobody chose an adapter when an equally close one had fewer drivers */
			for (int b = 0; b < adapters.count; b++) {
				int mine = 0, other = 0;

				if (adapters.adapter[b].topology != adapters.adapter[a].topology ||
				    literal_reach(topo, tmap_placement_object(&p, r),
						  adapters.adapter[b].device) != reach)
					continue;
				for (int q = 0; q < r; q++) {
					mine += p.node[q] == p.node[r] && adapters.of_rank[q] == a;
					other += p.node[q] == p.node[r] && adapters.of_rank[q] == b;
				}
				ck_assert_int_le(mine, other);
			}
		}
		for (int a = 0; a < adapters.count; a++) {
			int count,
				*rank = tmap_adapters_drivers(&adapters, a, p.size, &count, &err);
			int least = MOST, most = 0;

			for (int i = 0; i < lanes.node_count; i++) {
				int here = 0;

				if (p.machine->node_topology[lanes.node[i]] !=
				    adapters.adapter[a].topology)
					continue;
				for (int j = 0; j < count; j++)
					here += p.node[rank[j]] == lanes.node[i];
				least = here < least ? here : least;
				most = here > most ? here : most;
				idle += here == 0;
			}
			ck_assert_int_eq(adapters.adapter[a].drivers_min, least);
			ck_assert_int_eq(adapters.adapter[a].drivers_max, most);
			free(rank);
		}
		ck_assert_int_eq(adapters.idle, idle);
		tmap_adapters_fini(&adapters);
		tmap_lanes_fini(&lanes);
		tmap_placement_fini(&p);
	}
}
END_TEST

START_TEST(what_is_mended_is_consecutive)
{
	struct dice dice = { 10 };

	for (int round = 0; round < 1200; round++) {
		bool taken[MOST] = { false };
		struct tmap_placement p, mended;
		struct tmap_lanes lanes;
		struct tmap_lanes_order mend;
		struct tmap_order order;

		roll(&p, &dice);
		ck_assert_int_eq(tmap_lanes_init(&lanes, &p, TMAP_NONE, &err), 0);
		ck_assert_int_eq(tmap_lanes_order_init(&mend, &lanes, &err), 0);
		ck_assert((mend.place_of == NULL) == lanes.order.consecutive);
		ck_assert((mend.reason == NULL) ==
			  (lanes.order.consecutive && lanes.order.regular && lanes.node_count > 1));
		ck_assert((mend.odd_count == 0) ==
			  (lanes.order.consecutive && lanes.order.regular));
		for (int i = 0; i < mend.odd_count; i++) {
			int r = lanes.rank[lanes.first[mend.odd[i].node]];
			bool scattered = false;

			for (int q = r; q < r + ranks_on_node_of(&p, r); q++)
				scattered = scattered || q >= p.size || p.node[q] != p.node[r];
			ck_assert(mend.odd[i].is_scattered == scattered);
			ck_assert(mend.odd[i].is_uneven ==
				  (ranks_on_node_of(&p, r) != lanes.order.ranks_usual));
		}
		if (mend.place_of) {
			for (int r = 0; r < p.size; r++) {
				ck_assert(!taken[mend.place_of[r]]);
				taken[mend.place_of[r]] = true;
			}
			ck_assert_int_eq(
				tmap_placement_select(&mended, &p, mend.place_of, p.size, &err), 0);
			ck_assert_int_eq(tmap_order_find(&order, &mended, &err), 0);
			ck_assert(order.consecutive);
			ck_assert_int_eq(order.regular, lanes.order.regular);
			tmap_placement_fini(&mended);
		}
		tmap_lanes_order_fini(&mend);
		tmap_lanes_fini(&lanes);
		tmap_placement_fini(&p);
	}
}
END_TEST

START_TEST(lanes_that_no_node_can_lead_are_refused)
{
	struct tmap_placement p;
	struct tmap_lanes lanes;

	placement_block_take(
		&p, machine_regular(2, (const struct test_level[]){ { TMAP_CORE, 4 }, { 0 } }));
	ck_assert_int_eq(tmap_lanes_init(&lanes, &p, 5, &err), -1);
	ck_assert_int_eq((int)err.kind, TMAP_INPUT);
	ck_assert_str_eq(err.text, "5 lanes are not possible: the fullest node has 4 ranks");
	ck_assert_int_eq(tmap_lanes_init(&lanes, &p, 0, &err), -1);
	tmap_placement_fini(&p);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("lanes");
	TCase *tests = tcase_create("lanes");

	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, splits_give_the_nodes_and_the_lanes);
	tcase_add_test(tests, leaders_of_virtual_lanes_are_closest_in_their_group);
	tcase_add_test(tests, ranks_drive_their_closest_adapter_evenly);
	tcase_add_test(tests, what_is_mended_is_consecutive);
	tcase_add_test(tests, lanes_that_no_node_can_lead_are_refused);
	suite_add_tcase(suite, tests);
	return suite;
}
