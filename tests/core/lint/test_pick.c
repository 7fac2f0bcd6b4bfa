/* SPDX-License-Identifier: BSD-3-Clause */
/* Oracle: cores of a node of 2 packages, 4 NUMA nodes, 8 L3 caches and 32 cores, chosen by hand. */
#include "core/lint/pick.h"

#include "core/base/string.h"
#include "core/machine/machine.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

static const struct test_level levels[] = { { TMAP_PACKAGE, 2 }, { TMAP_NUMA, 2 }, { TMAP_L3, 2 },
					    { TMAP_CORE, 4 },    { TMAP_PU, 2 },   { 0 } };

static const struct pick {
	enum tmap_type unit;
	int cores, ranks, near; /* near: a core, or TMAP_NONE */
	const char *taken;      /* cores that the job may not use */
	const char *slots;      /* the cores that they begin with */
	const char *pus;        /* of the first */
} picks[] = {
	{ TMAP_CORE, 1, 4, TMAP_NONE, "", "0 8 16 24", "0-1" },
	{ TMAP_CORE, 1, 3, TMAP_NONE, "", "0 8 16", "0-1" },
	{ TMAP_CORE, 1, 8, TMAP_NONE, "", "0 4 8 12 16 20 24 28", "0-1" },
	{ TMAP_CORE, 1, 4, TMAP_NONE, "0 1", "2 8 16 24", "4-5" },
	{ TMAP_CORE, 1, 3, 25, "", "24 16 0", "48-49" },
	{ TMAP_L3, 2, 2, TMAP_NONE, "", "0 16", "0-3" },
	{ TMAP_L3, 3, 9, TMAP_NONE, "", "0 4 8 12 16 20 24 28", "0-5" },
	{ TMAP_L3, 2, 9, TMAP_NONE, "", "0 2 4 8 12 16 20 24 28", "0-3" },
	{ TMAP_NUMA, 5, 4, TMAP_NONE, "", "0 8 16 24", "0-9" },
	{ TMAP_NUMA, 3, 5, TMAP_NONE, "", "0 3 8 16 24", "0-5" },
	{ TMAP_NUMA, 0, 2, 25, "", "24 0", "48-63" },
	{ TMAP_PACKAGE, 16, 2, TMAP_NONE, "", "0 16", "0-31" },
	{ TMAP_PACKAGE, 15, 2, TMAP_NONE, "17", "0 16", "0-29" },
	{ TMAP_NODE, 20, 2, TMAP_NONE, "", "0", "0-39" },
};

START_TEST(slots_are_as_far_apart_as_can_be)
{
	const struct pick *it = &picks[_i];
	struct tmap_machine *machine = machine_regular(1, levels);
	struct tmap_topology *topo = &machine->topology[0];
	struct tmap_pick pick = { topo,
				  { 0, it->near == TMAP_NONE ? TMAP_NONE : 2 * it->near, NULL },
				  it->unit,
				  it->cores };
	struct tmap_str str = TMAP_STR_INIT;
	struct tmap_idset pus = { 0 };
	int begin[16], count;
	char *slots, *text;

	for (const char *at = it->taken; *at;) {
		char *end;
		long core = strtol(at, &end, 10);

		topo->pu[2 * core].allowed = topo->pu[2 * core + 1].allowed = false;
		at = end;
	}
	count = tmap_pick_slots(begin, &pick, it->ranks, &err);
	tmap_str_add(&str, "");
	for (int i = 0; i < count; i++)
		tmap_str_addf(&str, "%s%d", i ? " " : "", begin[i] / 2);
	slots = tmap_str_take(&str, &err);
	ck_assert_str_eq(slots, it->slots);
	ck_assert_int_eq(tmap_pick_add_pus(&pus, &pick, begin[0], &err), 0);
	text = tmap_idset_print(&pus, &err);
	ck_assert_str_eq(text, it->pus);
	free(text);
	free(slots);
	tmap_idset_fini(&pus);
	tmap_machine_free(machine);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("pick");
	TCase *tcase = tcase_create("all");

	tcase_add_loop_test(tcase, slots_are_as_far_apart_as_can_be, 0,
			    sizeof picks / sizeof picks[0]);
	suite_add_tcase(suite, tcase);
	return suite;
}
