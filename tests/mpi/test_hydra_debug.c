/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: Hydra of MPICH on imitated machines. What it prints with HYDRA_TOPO_DEBUG=1 must be
 * read back to the PUs that -bind-to user: asked for. mpiexec can lose the last lines of processes
 * that end at once, and so they end when all lines have arrived.
 */
#include "core/base/string.h"
#include "formats/launchers/launchers.h"
#include "tests/support/machines.h"
#include "tests/support/rank_files.h"

enum { RANKS = 6 };

static const char *const machines[] = {
	"package:2 l3:2 core:4 pu:2",
	"numa:2 package:2 core:3 pu:2",
	"package:2 core:4 pu:2(indexes=0,8,1,9,2,10,3,11,4,12,5,13,6,14,7,15)",
	"package:1 core:64 pu:4",
};

/* Random sets of PUs, and one for "user:" of all of them: "0+5,3,1+2+7". */
static char *random_sets(struct tmap_idset *sets, int pu_count, uint64_t seed)
{
	struct dice dice = { seed };
	struct tmap_str text = TMAP_STR_INIT;

	for (int r = 0; r < RANKS; r++)
		for (int n = 1 + dice_roll(&dice, 3), first = 1; n > 0; n--, first = 0) {
			int pu = dice_roll(&dice, pu_count);

			ck_assert_int_eq(tmap_idset_add(&sets[r], pu, &err), 0);
			tmap_str_addf(&text, "%s%d", first ? r ? "," : "" : "+", pu);
		}
	return tmap_str_take(&text, &err);
}

START_TEST(hydra_binds_what_is_read)
{
	char *spec = tmap_format(&err, "node:1 %s", machines[_i]);
	struct tmap_machine *machine = machine_of(spec);
	struct tmap_idset sets[RANKS] = { { 0 } };
	char *list = random_sets(sets, machine->topology[0].pu_count, (uint64_t)_i + 1);
	char *command = tmap_format(&err,
				    "HWLOC_SYNTHETIC='%s' HWLOC_THISSYSTEM=0 HYDRA_TOPO_DEBUG=1 "
				    "timeout 60 mpiexec.hydra -bind-to user:%s -n %d "
				    "sh -c 'until [ $(wc -l <%s) -ge %d ]; do sleep 0.1; done' >%s",
				    machines[_i], list, RANKS + 1, path, RANKS, path);

	ck_assert_msg(system(command) == 0, "%s", command);
	ck_assert_msg(tmap_launcher_read(&p, machine, tmap_launcher_find("hydra-topo-debug"), path,
					 RANKS + 1, &err) == 0,
		      "%s", err.text);
	for (int r = 0; r < RANKS; r++) {
		ck_assert(tmap_idset_equal(&p.places[p.place[r]].pus, &sets[r]));
		tmap_idset_fini(&sets[r]);
	}
	ck_assert(!p.places[p.place[RANKS]].bound);
	free(command);
	free(list);
	free(spec);
	tmap_machine_free(machine);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("hydra_debug");
	TCase *tc = tcase_create("hydra_debug");

	if (system("mpiexec.hydra --version >/dev/null 2>&1") != 0) {
		test_skip("no mpiexec.hydra");
		return suite;
	}
	tcase_set_timeout(tc, 120);
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, hydra_binds_what_is_read, 0, 4);
	suite_add_tcase(suite, tc);
	return suite;
}
