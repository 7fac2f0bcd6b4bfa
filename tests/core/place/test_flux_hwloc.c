/* SPDX-License-Identifier: BSD-3-Clause */
/* Oracle: hwloc_distrib() over the cores, which flux-core calls for cpu-affinity=per-task. */
#include "core/place/flux.h"

#include "core/base/random.h"
#include "formats/machine/machine_spec.h"
#include "tests/unit.h"

#include <hwloc.h>
#include <stdlib.h>

enum { CORES = 8, PUS = 16, MOST_TASKS = 20 };

static struct tmap_error err;

/* The node without the PUs that are not in @p mask. */
static hwloc_topology_t hwloc_node(unsigned long mask)
{
	hwloc_bitmap_t pus = hwloc_bitmap_alloc();
	hwloc_topology_t topology;

	ck_assert_ptr_nonnull(pus);
	hwloc_bitmap_from_ulong(pus, mask);
	ck_assert_int_eq(hwloc_topology_init(&topology), 0);
	ck_assert_int_eq(hwloc_topology_set_synthetic(topology, "pack:2 core:4 pu:2"), 0);
	ck_assert_int_eq(hwloc_topology_load(topology), 0);
	ck_assert_int_eq(hwloc_topology_restrict(topology, pus, 0), 0);
	hwloc_bitmap_free(pus);
	return topology;
}

/* want[n] = the PUs of each of @p tasks tasks. */
static void distribute(unsigned long want[MOST_TASKS], hwloc_topology_t topology, int tasks)
{
	int depth = hwloc_get_type_depth(topology, HWLOC_OBJ_CORE);
	unsigned cores = hwloc_get_nbobjs_by_depth(topology, depth);
	hwloc_obj_t root[CORES];
	hwloc_bitmap_t set[MOST_TASKS];

	for (unsigned i = 0; i < cores; i++)
		root[i] = hwloc_get_obj_by_depth(topology, depth, i);
	ck_assert_int_eq(hwloc_distrib(topology, root, cores, set, (unsigned)tasks, depth, 0), 0);
	for (int i = 0; i < tasks; i++) {
		want[i] = hwloc_bitmap_to_ulong(set[i]);
		hwloc_bitmap_free(set[i]);
	}
}

static unsigned long pus_of(const struct tmap_placement *p, int rank)
{
	const struct tmap_idset *pus = &p->places[p->place[rank]].pus;
	unsigned long mask = 0;

	for (int os = tmap_idset_next(pus, TMAP_NONE); os != TMAP_NONE;
	     os = tmap_idset_next(pus, os))
		mask |= 1UL << os;
	return mask;
}

static void compare(unsigned long mask)
{
	static const char *const line = "node:1 package:2 core:4 pu:2";
	struct tmap_machine *machine = tmap_machine_read_specs(&line, 1, &err);
	hwloc_topology_t topology = hwloc_node(mask);

	ck_assert_msg(machine != NULL, "%s", err.text);
	for (int i = 0; i < PUS; i++)
		machine->topology[0].pu[i].allowed = mask >> i & 1;
	for (int tasks = 1; tasks <= MOST_TASKS; tasks++) {
		struct tmap_flux_request rq = TMAP_FLUX_REQUEST_INIT;
		unsigned long want[MOST_TASKS];
		struct tmap_placement p;

		rq.tasks_per_node = tasks;
		rq.affinity = TMAP_FLUX_PER_TASK;
		distribute(want, topology, tasks);
		ck_assert_msg(tmap_flux_place(&p, machine, &rq, &err) == 0, "%s", err.text);
		ck_assert_int_eq(p.size, tasks);
		for (int i = 0; i < tasks; i++)
			ck_assert_msg(pus_of(&p, i) == want[i],
				      "task %d of %d, PUs %lx: %lx, hwloc: %lx", i, tasks, mask,
				      pus_of(&p, i), want[i]);
		tmap_placement_fini(&p);
	}
	hwloc_topology_destroy(topology);
	tmap_machine_free(machine);
}

START_TEST(tasks_have_the_parts_that_hwloc_gives_them)
{
	struct tmap_random random = { .state = 5 };

	compare(0xffff);
	compare(0x55ff); /* cores with two PUs before cores with one */
	for (int i = 0; i < 60; i++)
		compare(1 + tmap_random_below(&random, 0xffff));
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("flux with hwloc");
	TCase *tcase = tcase_create("placements");

	tcase_add_test(tcase, tasks_have_the_parts_that_hwloc_gives_them);
	suite_add_tcase(suite, tcase);
	return suite;
}
