/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Trees and rings on every recorded machine, alone and as a job of three such nodes: any
 * ranks anywhere, any root, any part of the ranks. Oracle: the paper's algorithms as it
 * prints them (literal.c).
 */
#include "core/base/mem.h"
#include "core/tree/ring.h"
#include "formats/machine/hwloc.h"
#include "tests/support/literal.h"
#include "tests/support/machines.h"
#include "tests/support/recorded_machines.h"
#include "tests/unit.h"

#include <stdlib.h>

enum { RECORDED = sizeof recorded_machines / sizeof recorded_machines[0] };

static struct tmap_error err;

static struct tmap_machine *machine_of(const char *file, int nodes)
{
	struct tmap_machine *machine = tmap_machine_new(&err);
	char *path = tmap_format(&err, "%s/topologies/%s", test_data(), file);
	struct tmap_topology topo;

	ck_assert_msg(tmap_hwloc_read_xml(&topo, NULL, path, &err) == 0, "%s", err.text);
	ck_assert_int_eq(tmap_machine_add_topology_take(machine, &topo, &err), 0);
	for (int n = 0; n < nodes; n++) {
		char *name = tmap_format(&err, "n%d", n);

		ck_assert_int_eq(tmap_machine_add_node(machine, name, 0, &err), 0);
		free(name);
	}
	free(path);
	return machine;
}

static void is_literal(const struct tmap_placement *p, int root, const char *file)
{
	double *matrix = malloc((size_t)(p->size * p->size) * sizeof *matrix);
	int *expected = malloc((size_t)p->size * sizeof *expected);
	struct tmap_metric metric;
	struct tmap_tree tree;
	struct tmap_ring ring;

	hold(tmap_metric_init(&metric, p, TMAP_SCALE_PROCESS, &err) == 0);
	for (int a = 0; a < p->size; a++)
		for (int b = 0; b < p->size; b++)
			matrix[a * p->size + b] = tmap_metric_distance(&metric, a, b);
	hold(tmap_tree_init(&tree, &metric, root, &err) == 0);
	literal_tree(matrix, p->size, root, expected);
	for (int r = 0; r < p->size; r++)
		if (tree.parent[r] != expected[r])
			ck_abort_msg("%s: parent of %d from root %d", file, r, root);
	hold(tmap_ring_init(&ring, &metric, &err) == 0);
	literal_ring(matrix, p->size, expected);
	for (int i = 0; i < p->size; i++)
		if (ring.order[i] != expected[i])
			ck_abort_msg("%s: rank %d of the ring", file, i);
	tmap_tree_fini(&tree);
	tmap_ring_fini(&ring);
	tmap_metric_fini(&metric);
	free(matrix);
	free(expected);
}

START_TEST(recorded_machines_have_the_literal_trees_and_rings)
{
	const char *file = recorded_machines[_i].file;
	struct dice dice = { .state = (uint64_t)_i };

	for (int run = 0; run < 6; run++) {
		struct tmap_placement all, some;
		int size = 2 + dice_roll(&dice, 96), list[98];

		placement_random_take(&all, machine_of(file, run % 2 ? 3 : 1), size, &dice);
		is_literal(&all, dice_roll(&dice, size), file);
		for (int r = 0; r < size; r++)
			list[r] = r;
		dice_shuffle(&dice, list, size);
		size = 1 + dice_roll(&dice, size);
		ck_assert_int_eq(tmap_placement_select(&some, &all, list, size, &err), 0);
		is_literal(&some, dice_roll(&dice, size), file);
		tmap_placement_fini(&some);
		tmap_placement_fini(&all);
	}
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("recorded_trees");
	TCase *files = tcase_create("recorded machines");

	tcase_set_timeout(files, 60);
	if (!test_data())
		test_skip("the recorded machines (TOPOMAP_DATA or ../shared/data) are not there");
	else
		tcase_add_loop_test(files, recorded_machines_have_the_literal_trees_and_rings, 0,
				    RECORDED);
	suite_add_tcase(suite, files);
	return suite;
}
