/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracles: the paper's own counts for a ring over N controllers of P ranks each (section
 * IV-C), and every copy of an allgather or a broadcast made one by one.
 */
#include "core/tree/access.h"

#include "tests/support/machines.h"
#include "tests/unit.h"

#include <stdlib.h>

static struct tmap_error err;

static void metric_of(struct tmap_metric *metric, const struct tmap_placement *p)
{
	hold(tmap_metric_init(metric, p, TMAP_SCALE_PROCESS, &err) == 0);
}

START_TEST(a_ring_reads_and_writes_p_p_n_times_at_each_controller)
{
	struct tmap_placement p;
	struct tmap_metric metric;
	struct tmap_accesses accesses;
	struct tmap_ring ring;
	int seat[48];

	for (int run = 0; run < 2; run++) {
		for (int r = 0; r < 48; r++)
			seat[r] = run ? r % 8 * 6 + r / 8 : r;
		placement_seats_take(&p, machine_ig(), seat, 48);
		metric_of(&metric, &p);
		ck_assert_int_eq(tmap_ring_init(&ring, &metric, &err), 0);
		ck_assert_int_eq(tmap_accesses_of_ring(&accesses, &ring, &p, &err), 0);
		ck_assert_int_eq(accesses.count, 8);
		for (int i = 0; i < 8; i++) {
			ck_assert_int_eq(accesses.row[i].reads, 6 * 6 * 8);
			ck_assert_int_eq(accesses.row[i].writes, 6 * 6 * 8);
			ck_assert_int_eq(p.machine->topology[0].object[accesses.row[i].object].type,
					 TMAP_NUMA);
		}
		ck_assert_int_eq(accesses.remote, 8 * (6 * 8 - 1)); /* 8 links between them */
		tmap_accesses_fini(&accesses);
		tmap_ring_fini(&ring);
		tmap_metric_fini(&metric);
		tmap_placement_fini(&p);
	}
}
END_TEST

START_TEST(one_controller_has_no_remote_accesses)
{
	struct tmap_placement p;
	struct tmap_metric metric;
	struct tmap_accesses accesses;
	struct tmap_tree tree;

	placement_block_take(&p, machine_zoot());
	metric_of(&metric, &p);
	ck_assert_int_eq(tmap_tree_init(&tree, &metric, 0, &err), 0);
	ck_assert_int_eq(tmap_accesses_of_tree(&accesses, &tree, &p, &err), 0);
	ck_assert_int_eq(accesses.count, 1);
	ck_assert(accesses.row[0].node == 0 && accesses.row[0].object == 0);
	ck_assert(accesses.row[0].reads == 15 && accesses.row[0].writes == 15);
	ck_assert_int_eq(accesses.remote, 0);
	tmap_accesses_fini(&accesses);
	tmap_tree_fini(&tree);
	tmap_metric_fini(&metric);
	tmap_placement_fini(&p);
}
END_TEST

/* The object that a rank's memory accesses count at, from the definition. */
static int controller_of(const struct tmap_placement *p, int rank)
{
	const struct tmap_topology *topo = tmap_placement_topology(p, rank);
	int at = tmap_placement_object(p, rank);

	for (int up = at; up != TMAP_NONE; up = topo->object[up].parent)
		if (topo->object[up].type == TMAP_NUMA)
			return up;
	return tmap_topology_count(topo, TMAP_NUMA) ? at : 0;
}

enum { OBJECTS = 512 };

struct tally {
	int64_t reads[16][OBJECTS], writes[16][OBJECTS], remote;
};

static void copy(struct tally *tally, const struct tmap_placement *p, int from, int to)
{
	int source = controller_of(p, from), target = controller_of(p, to);

	hold(source < OBJECTS && target < OBJECTS);
	tally->reads[p->node[from]][source]++;
	tally->writes[p->node[to]][target]++;
	tally->remote += p->node[from] != p->node[to] || source != target;
}

static void is_tally(struct tally *tally, struct tmap_accesses *accesses, int rows)
{
	int last = -1;

	hold(accesses->remote == tally->remote);
	for (int i = 0; i < accesses->count; i++) {
		struct tmap_access *row = &accesses->row[i];

		hold(row->reads || row->writes);
		hold(row->node * OBJECTS + row->object > last);
		last = row->node * OBJECTS + row->object;
		hold(tally->reads[row->node][row->object] == row->reads);
		hold(tally->writes[row->node][row->object] == row->writes);
		tally->reads[row->node][row->object] = tally->writes[row->node][row->object] = 0;
	}
	for (int n = 0; n < rows; n++)
		for (int o = 0; o < OBJECTS; o++)
			hold(!tally->reads[n][o] && !tally->writes[n][o]);
	tmap_accesses_fini(accesses);
}

START_TEST(random_trees_and_rings_access_what_their_copies_do)
{
	struct dice dice = { .state = 41 };
	static struct tally tally;

	for (int run = 0; run < 300; run++) {
		struct tmap_machine *machine;
		struct tmap_placement p;
		struct tmap_metric metric;
		struct tmap_accesses accesses;
		struct tmap_tree tree;
		struct tmap_ring ring;

		/* compilers differ in which argument comes first */
		machine = machine_random(&dice, 6);
		placement_random_take(&p, machine, 1 + dice_roll(&dice, 30), &dice);
		metric_of(&metric, &p);
		tally = (struct tally){ 0 };
		hold(tmap_tree_init(&tree, &metric, dice_roll(&dice, p.size), &err) == 0);
		for (int r = 0; r < p.size; r++)
			if (r != tree.root)
				copy(&tally, &p, tree.parent[r], r);
		hold(tmap_accesses_of_tree(&accesses, &tree, &p, &err) == 0);
		is_tally(&tally, &accesses, 16);
		tally = (struct tally){ 0 };
		hold(tmap_ring_init(&ring, &metric, &err) == 0);
		for (int i = 0; i < p.size; i++) {
			copy(&tally, &p, ring.order[i], ring.order[i]);
			for (int block = 1; block < p.size; block++)
				copy(&tally, &p, ring.order[i], ring.order[(i + 1) % p.size]);
		}
		hold(tmap_accesses_of_ring(&accesses, &ring, &p, &err) == 0);
		is_tally(&tally, &accesses, 16);
		tmap_tree_fini(&tree);
		tmap_ring_fini(&ring);
		tmap_metric_fini(&metric);
		tmap_placement_fini(&p);
	}
}
END_TEST

START_TEST(a_distance_aware_tree_enters_every_object_once)
{
	static const int64_t once[] = { 3, 7, 15 };
	struct tmap_machine *machine =
		machine_regular(4,
				(const struct test_level[]){ { TMAP_PACKAGE, 2 },
							     { TMAP_NUMA, 2 },
							     { TMAP_L3, 1 },
							     { TMAP_CORE, 6 },
							     { 0 } });
	struct tmap_levels levels;
	struct tmap_placement p;
	struct tmap_metric metric;
	struct tmap_tree tree;
	struct tmap_ring ring;
	int64_t *tree_crossings, *ring_crossings;

	placement_block_take(&p, machine);
	metric_of(&metric, &p);
	ck_assert_int_eq(tmap_levels_init(&levels, p.machine, &err), 0);
	ck_assert_int_eq(tmap_tree_init(&tree, &metric, 17, &err), 0);
	ck_assert_int_eq(tmap_ring_init(&ring, &metric, &err), 0);
	tree_crossings = tmap_tree_count_crossings(&tree, &levels, &p, &err);
	ring_crossings = tmap_ring_count_crossings(&ring, &levels, &p, &err);
	for (int l = 0; l < 3; l++) {
		ck_assert_int_eq(tree_crossings[l], once[l]);
		ck_assert_int_eq(ring_crossings[l], once[l] + 1);
	}
	free(tree_crossings);
	free(ring_crossings);
	tmap_tree_fini(&tree);
	tmap_ring_fini(&ring);
	tmap_levels_fini(&levels);
	tmap_metric_fini(&metric);
	tmap_placement_fini(&p);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("access");
	TCase *tcase = tcase_create("access");

	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, a_ring_reads_and_writes_p_p_n_times_at_each_controller);
	tcase_add_test(tcase, one_controller_has_no_remote_accesses);
	tcase_add_test(tcase, random_trees_and_rings_access_what_their_copies_do);
	tcase_add_test(tcase, a_distance_aware_tree_enters_every_object_once);
	suite_add_tcase(suite, tcase);
	return suite;
}
