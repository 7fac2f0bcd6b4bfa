/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files of launchers as people write them: what their readers make of them, and why they refuse.
 * Oracle: by hand, from the launchers' manuals (RFC 34 for task maps, srun(1), mpirun(1)), and the
 * maps that Open MPI 4.1 and Slurm 22.05 print of such files.
 */
#include "formats/launchers/launchers.h"

#include "tests/support/printed.h"
#include "tests/support/rank_files.h"

static const char spec[] = "node:3 package:2 core:2 pu:2";

static int read_text(const char *launcher, const char *text)
{
	struct tmap_machine *machine = machine_of(spec);
	int status;

	write_text(text);
	tmap_placement_fini(&p);
	status = tmap_launcher_read(&p, machine, tmap_launcher_find(launcher), path, TMAP_NONE,
				    &err);
	tmap_machine_free(machine);
	return status;
}

/* The ranks as "node:PUs", "node:-" where one is not bound. */
static char *places(void)
{
	struct tmap_str text = TMAP_STR_INIT;

	for (int r = 0; r < p.size; r++) {
		const struct tmap_place *place = &p.places[p.place[r]];
		char *pus = tmap_idset_print(&place->pus, &err);

		tmap_str_addf(&text, "%s%s:%s", r ? " " : "", p.machine->node_name[p.node[r]],
			      place->bound ? pus : "-");
		free(pus);
	}
	return tmap_str_take(&text, &err);
}

static const struct {
	const char *launcher, *text, *places;
} good[] = {
	{ "openmpi5", "rank 0=a slot=0:0,1\nrank 1=b slot=P1:0\n", "a:0-3 b:4-5" },
	{ "openmpi5", "# --map-by rankfile:file=F:hwtcpus\nrank 0=a slot=1,6\n", "a:1,6" },
	{ "openmpi5", "rank 0=a slot=s1\n", "a:4-7" },
	{ "openmpi5", "rank 0=a slot=1:*,0\n", "a:4-7" },
	{ "seq", "# c\na 0-1 0 bind\n\nb.c.org 3\na\n", "a:0-3 b:6-7 a:-" },
	{ "seq", "# --mca hwloc_base_use_hwthreads_as_cpus 1\na 0\na 3\n", "a:0 a:3" },
	{ "slurm", "# srun --cpu-bind=map_cpu:1,4*2 x\na*4,b\n", "a:1 a:4 a:4 a:1 b:1" },
	{ "slurm", "# srun '--cpu-bind=mask_cpu:0x3,c*2' x\nb\na\nb\n", "b:0-1 a:0-1 b:2-3" },
	{ "slurm", "# srun --cpu-b\\\n#ind=map_cpu:1,\\\n#4*2 x\na*2\n", "a:1 a:4" },
	{ "slurm", "# --cpu-bind=none x\na,b\n", "a:- b:-" },
	{ "slurm", "a,b,a\n", "a:0-1 b:0-1 a:2-3" },
	{ "hydra",
	  "# -rankmap '(vector,(0,2,1),(0,1,1))'\na:2 binding=user:0,5\nb binding=user:3\n",
	  "a:0 b:3 a:5" },
	{ "flux", "[[0,3,1,1],[0,1,1,1]]", "n0:0-1 n1:0-1 n2:0-1 n0:2-3" },
	{ "flux", "# cpu-affinity=map:0-1;7\n{\"version\":1,\"map\":[[1,2,2,1]]}",
	  "n1:0-1 n1:7 n2:0-1 n2:7" },
	{ "flux", "# -o cpu-affinity=off\n0,2;1\n", "n0:- n1:- n0:-" },
	{ "flux", "(vector,[(0,2,1)]x2)", "n0:0-1 n1:0-1 n0:2-3 n1:2-3" },
	{ "intel", "# -genv I_MPI_PIN_PROCESSOR_LIST 2-3,0 -n 3\na:2\nb\n", "a:2 a:3 b:2" },
	{ "intel", "# -genv I_MPI_PIN_DOMAIN '[3,0xc0]' x\na:2\n", "a:0-1 a:6-7" },
	{ "intel", "# -genv I_MPI_PIN off\na:2\n", "a:- a:-" },
	{ "intel", "b\na\n", "b:0-1 a:0-1" },
};

START_TEST(a_file_says_where_the_ranks_are)
{
	char *text;

	ck_assert_msg(read_text(good[_i].launcher, good[_i].text) == 0, "%s", printed(&err));
	text = places();
	ck_assert_str_eq(text, good[_i].places);
	free(text);
}
END_TEST

static const struct {
	const char *launcher, *text, *message;
} bad[] = {
	{ "openmpi5", "rank 0=a slot=0:0,1-2\n",
	  ":1: slot list '0:0,1-2': Open MPI 5 reads '0:0,1-2' as one range; write 0:0;0:2-3 or "
	  "plain core numbers" },
	{ "openmpi5", "rank 0=a slot=1:1,*\n",
	  ":1: slot list '1:1,*': Open MPI 5 reads the '*' of '1:1,*', which is not the first, as 0; "
	  "write 1:* for all of the package" },
	{ "openmpi5", "rank 0=a slot=9:0\n",
	  ":1: slot list '9:0': package 9 does not exist: the node has 2 that the job may use" },
	{ "seq", "", ": no line gives a rank its place" },
	{ "seq", "a 0\nrank 0\n", ":2: 'rank' is not a host" },
	{ "seq", "a 0\nb 4\n",
	  ":2: slot list '4': core 4 does not exist: the node has 4 that the job may use" },
	{ "slurm", "# --cpu-bind=cores x\na\n",
	  ": --cpu-bind=cores: none, map_cpu: and mask_cpu: are known here" },
	{ "slurm", "# --cpu-bind=map_cpu:0,x y\na\n", ": 'x' is not a number" },
	{ "slurm", "# --cpu-bind=map_cpu:0*0 y\na\n",
	  ": '0*0' is not an item with a number behind '*'" },
	{ "slurm", "# --cpu-bind=mask_cpu:0xg y\na\n", ": '0xg' is not a hexadecimal mask" },
	{ "slurm", "# --cpu-bind=mask_cpu:0x0 y\na\n", ": '0x0' is not a mask with a bit" },
	{ "slurm", "# --cpu-bind=map_cpu:0,99 y\na\nb\na\n",
	  ":4: the node has no PU 99 that the job may use" },
	{ "hydra", "# -rankmap 0,1,1\na:2 binding=user:0,5\nb binding=user:3\n",
	  ": -rankmap gives rank 2 to node 1, which has no process for it" },
	{ "hydra", "# -rankmap 0,1\na\nb\na\n", ": with -rankmap every host stands there once" },
	{ "flux", "", ": there is no task" },
	{ "flux", "[[0,1,1]]",
	  ": [0]: 4 numbers are expected: first node, nodes, tasks of each, times" },
	{ "flux", "[[0,65536,65536,65536]]",
	  ": [0]: there are more than 98304 tasks: 4096 for each PU of the nodes" },
	{ "flux", "0-1;1", ": task 1 is on node 0 and on node 1" },
	{ "flux", "0;2", ": task 1 is on no node" },
	{ "flux", "[[3,1,1,1]]", ": host '+n3': the nodes are +n0 to +n2" },
	{ "flux", "# cpu-affinity=per-task\n[[0,1,1,1]]",
	  ": cpu-affinity=per-task: off and map: are known here" },
	{ "intel", "# I_MPI_PIN_DOMAIN [3 x\na\n",
	  ": I_MPI_PIN_DOMAIN: the list of masks '[3' does not end with ]" },
};

START_TEST(what_cannot_be_is_refused)
{
	ck_assert_int_eq(read_text(bad[_i].launcher, bad[_i].text), -1);
	expect_message(bad[_i].message);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("launcher_files");
	TCase *tc = tcase_create("launcher_files");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, a_file_says_where_the_ranks_are, 0, sizeof good / sizeof *good);
	tcase_add_loop_test(tc, what_cannot_be_is_refused, 0, sizeof bad / sizeof *bad);
	suite_add_tcase(suite, tc);
	return suite;
}
