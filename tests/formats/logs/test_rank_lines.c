/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: literal places. The forms of the lines are those that are shown in
 *     Intel MPI: posted logs of releases 2017, 2019.5, 2019.8, 2021.3 and 2021.13; Developer Guide,
 *         "Displaying MPI Debug Information", for I_MPI_DEBUG=+4
 *     xthi: ARCHER2 documentation, "Running jobs"; NERSC's xthi.c; xthi for Isambard; that of
 *         D. McKain in ECMWF's "HPC2020: Affinity"
 *     hello_jobstep: its README at ORNL; LUMI and Aurora documentation
 *     Cray MPICH: ALCF, "Affinity on Theta"
 *     mpibind: its README, and the format of mpibind_mapping_ptask_snprint()
 *     MVAPICH2: User Guide, "CPU Binding Policies"
 *     taskset: util-linux 2.38, under Open MPI 4.1.4 and 5.0.7 and MPICH 4.0.2, run here
 */
#include "formats/launchers/recognise.h"
#include "tests/support/printed.h"
#include "tests/support/rank_files.h"

static const char *note;

static int read_job(const char *spec, const char *name, const char *text, int job)
{
	struct tmap_machine *machine = machine_of(spec);
	struct tmap_launcher_file file = { .launcher = tmap_launcher_find(name),
					   .path = path,
					   .text = text,
					   .ranks = TMAP_NONE,
					   .node_count = machine->node_count,
					   .job = job,
					   .machine = machine };
	int status;

	tmap_placement_fini(&p);
	status = tmap_launcher_read_text(&p, machine, &file, &note, &err);
	tmap_machine_free(machine);
	return status;
}

static const struct {
	const char *spec, *name, *text;
	struct {
		const char *host, *pus;
	} rank[4]; /* host NULL: there is no such rank */
} logs[] = {
	{ "node:2 package:2 core:4",
	  "intel-debug",
	  "[0] MPI startup(): Intel(R) MPI Library, Version 2021.3  Build 20210601\n"
	  "[0] MPI startup(): ===== NIC pinning on n57 =====\n"
	  "[0] MPI startup(): Rank    Thread id       Pin nic\n"
	  "[0] MPI startup(): 0       0       eth0\n"
	  "[0] MPI startup(): ===== CPU pinning =====\n"
	  "[0] MPI startup(): Rank    Pid      Node name  Pin cpu\n"
	  "[0] MPI startup(): 0       12475    cpn57      {0,1,2,3,\n"
	  "                                 6}\n"
	  "[0] MPI startup(): 1       12458    cpn58.ib   {4-5,7}\r\n"
	  "[0] MPI startup(): ===== NIC pinning on n57 =====\n"
	  "[0] MPI startup(): 0       0       eth0\n",
	  { { "cpn57", "0-3,6" }, { "cpn58.ib", "4-5,7" } } },
	{ "node:1 core:4",
	  "intel-debug",
	  "[0#3520@clusternode1] MPI startup(): Rank    Pid      Node name\n"
	  "[0#3520@clusternode1] MPI startup(): 0       3520     clusternode1\n",
	  { { "clusternode1", "0-3" } } },
	{ "node:2 core:8",
	  "xthi",
	  "Hello from rank 1, thread 1, on nid2.a. (core affinity = 6)\n"
	  "0: Hello from rank 0, thread 0, on nid1.a. (core affinity = 0-3,7)\n"
	  "After sleep from rank 0, thread 0, on nid1.a. (core affinity = 0)\n"
	  "Hello from rank 0, thread 1 of 4\n" /* another program's */
	  "Hello from rank 1, thread 0, on nid2.a. (core affinity = 2-4)\n"
	  "Hello from rank 2, thread 0, on host nid2.a, core 5 . (core affinity = 5)\n"
	  "Hello from rank 3, on nid2.a. (core affinity = 0)\n",
	  { { "nid1.a", "0-3,7" }, { "nid2.a", "2-4,6" }, { "nid2.a", "5" }, { "nid2.a", "0" } } },
	{ "node:2 core:4",
	  "xthi",
	  "Node summary for    2 nodes:\n"
	  "Node    0, hostname nid004186, mpi   1, omp   2, executable xthi\n"
	  "Node    1, hostname nid004187, mpi   1, omp   1, executable xthi\n"
	  "MPI summary: 2 ranks\n"
	  "Node    0, rank    0, thread   0, (affinity =    0-3)\n"
	  "Node    0, rank    0, thread   1, (affinity =    0-3)\n"
	  "Node    1, rank    1, thread   0, (affinity =    2)  Cartesian    1 ( 0  0  1)\n",
	  { { "nid004186", "0-3" }, { "nid004187", "2" } } },
	{ "node:1 core:8",
	  "hello-jobstep",
	  "MPI 000 - OMP 000 - HWT 001 (CCD0) - Node nid5004 - RT_GPU_ID 0 - Bus_ID d1(GCD4)\n"
	  "MPI 001 - OMP 000 - HWT 3 (Running on: 003) - Node nid5004 - RT_GPU_ID 0\n"
	  "MPI 001 - OMP 001 - HWT 004 - Node nid5004\n",
	  { { "nid5004", "1" }, { "nid5004", "3-4" } } },
	{ "node:1 core:8",
	  "cpumask-display",
	  "[PE_1]: cpumask set to 2 cpus on nid03834, cpumask = 01000001\n"
	  "[PE_0]:cpumask set to 3 cpus on nid03834,cpumask = 0000 \\\n"
	  " 1110 \n"
	  "[PE_2]: cpumask set to 4 cpus on nid03834, cpumask = 0xF0\n",
	  { { "nid03834", "1-3" }, { "nid03834", "0,6" }, { "nid03834", "4-7" } } },
	{ "node:2 core:8",
	  "mpibind",
	  "0.447s: flux-shell[0]: mpibind: \n"
	  "mpibind: 0 GPUs on this node\n"
	  "mpibind: task  0 nths  2 gpus 1 cpus 0-1\n"
	  "mpibind: task  1 nths  2 gpus  cpus 2,4-5\n"
	  "mpibind: task  1 thds  2 gpus 1,3 cpus 2,4-5\n"
	  "mpibind: task  0 nths  2 gpus 1 cpus 0-1\n",
	  { { "n0", "0-1" }, { "n0", "2,4-5" }, { "n1", "0-1" }, { "n1", "2,4-5" } } },
	{ "node:1 core:8",
	  "mvapich2-show",
	  "-------------CPU AFFINITY-------------\n"
	  "OMP_NUM_THREADS           : 2\n"
	  "--------------------------------------\n"
	  "RANK: 0  CPU_SET:    0   1\n"
	  "RANK:1  CPU_SET:   2\n"
	  "-------------------------------------\n",
	  { { "n0", "0-1" }, { "n0", "2" } } },
	{ "node:1 core:8",
	  "taskset",
	  "[1,0]<stdout>:pid 7374's current affinity list: 0\n"
	  " 1: pid 4711's current affinity list: 2-3\n"
	  "[2] pid 7382's current affinity list: 0,4\n"
	  "3 vm pid 7382's current affinity list: 1\n",
	  { { "+n0", "0" }, { "+n0", "2-3" }, { "+n0", "0,4" }, { "vm", "1" } } },
	{ "node:2 core:4",
	  "taskset",
	  "[1,1][b:9]<stdout>: pid 9's current affinity list: 1\n"
	  "rank 0 on a.b: pid 7's current affinity list: 0-1\n",
	  { { "a.b", "0-1" }, { "b", "1" } } },
	{ "node:2 core:8",
	  "table",
	  "# where they were\n\n rank\thost cpus\n0 a 0-3,7\n 1 b -\r\n2 b 5\n",
	  { { "a", "0-3,7" }, { "b", "0-7" }, { "b", "5" } } },
	{ "node:2 core:4",
	  "table",
	  "node rank cpus\nb 0 1\na 1 2\n",
	  { { "b", "1" }, { "a", "2" } } },
	{ "node:2 core:16",
	  "intel-debug",
	  "[0] MPI startup(): Rank    Pid      Node name          Pin cpu\n"
	  "[0] MPI startup(): 0       10890    compute-0-3.local  0\n"
	  "[0] MPI startup(): 1       10897    compute-0-3.local  11\n"
	  "[0] MPI startup(): 2       2826     compute-0-4.local  {2,\n"
	  "       3}\n"
	  "[0] MPI startup(): 3       2827     compute-0-4.local  4\n"
	  "[0] MPI startup(): I_MPI_PIN_PROCESSOR_LIST=0,11\n",
	  { { "compute-0-3.local", "0" },
	    { "compute-0-3.local", "11" },
	    { "compute-0-4.local", "2-3" },
	    { "compute-0-4.local", "4" } } },
	{ "node:1 core:4 pu:2",
	  "xthi",
	  "Host=ac2-2083  MPI Rank=  0  CPU=128  NUMA Node=0  CPU Affinity=  0,4\n"
	  "Host=ac2-2083  MPI Rank=  1  OMP Thread=0  CPU=  1  NUMA Node=0  CPU Affinity=  1,5\n"
	  "Host=ac2-2083  MPI Rank=  1  OMP Thread=1  CPU=  2  NUMA Node=0  CPU Affinity=  2\n",
	  { { "ac2-2083", "0,4" }, { "ac2-2083", "1-2,5" } } },
	{ "node:2 core:8",
	  "xthi",
	  "Hello from rank 0, thread 0, on a. (core affinity = 0)Hello from rank 1, thread 0, on a. "
	  "(core affinity = 1)\n"
	  "Hello from rank 2, on b. (core affinity = 2)1.5 Hello from rank 3, on b. (core affinity = "
	  "3)\n",
	  { { "a", "0" }, { "a", "1" }, { "b", "2" }, { "b", "3" } } },
	{ "node:1 core:8",
	  "hello-jobstep",
	  "MPI 000 - OMP 000 - HWT 001 - Node n1 - RT_GPU_ID 0MPI 001 - OMP 000 - HWT 002 - Node n1\n",
	  { { "n1", "1" }, { "n1", "2" } } },
};

enum { LOGS = sizeof logs / sizeof *logs };

START_TEST(every_form_is_read_among_other_output)
{
	const struct tmap_launcher *found = NULL;
	int ranks = 0;

	ck_assert_msg(read_job(logs[_i].spec, logs[_i].name, logs[_i].text, 0) == 0, "%s: %s",
		      logs[_i].name, printed(&err));
	ck_assert_int_eq(tmap_placement_check(&p, &err), 0);
	for (; ranks < 4 && logs[_i].rank[ranks].host; ranks++) {
		const char *host = logs[_i].rank[ranks].host;
		const struct tmap_place *place = &p.places[p.place[ranks]];

		expect_rank(ranks, strcmp(host, "+n0") ? host : p.machine->node_name[0],
			    logs[_i].rank[ranks].pus, place->bound);
	}
	ck_assert_int_eq(p.size, ranks);
	ck_assert_msg(tmap_launcher_recognise(&found, logs[_i].text, &err) == 0, "%s: %s",
		      logs[_i].name, printed(&err));
	ck_assert_str_eq(found->word.name, logs[_i].name);
}
END_TEST

START_TEST(what_a_log_does_not_say_is_noted)
{
	ck_assert_int_eq(read_job(logs[0].spec, logs[0].name, logs[0].text, 0), 0);
	ck_assert_ptr_null(note);
	ck_assert_int_eq(read_job(logs[2].spec, logs[2].name, logs[2].text, 0), 0);
	ck_assert_str_eq(note, "a rank is bound to the PUs of all its threads");
	ck_assert_int_eq(read_job(logs[4].spec, logs[4].name, logs[4].text, 0), 0);
	ck_assert_str_eq(note,
			 "a rank is bound to the hardware threads on which its threads were "
			 "seen; its binding may have more");
}
END_TEST

#define TABLE "[0] MPI startup(): Rank    Pid      Node name  Pin cpu\n"
#define INTEL TABLE "[0] MPI startup(): 0       9     a  "

static const struct {
	const char *name, *text, *message;
} bad[] = {
	{ "intel-debug", " \n", ": it is empty: nothing says where a rank is" },
	{ "intel-debug", "[0] MPI startup(): 0 9 a {0}\n", ": no line gives a rank its place" },
	{ "intel-debug", INTEL "+1\n",
	  ":2: Intel MPI counts the PUs of this rank and does not name them, as {0,1} does" },
	{ "intel-debug", INTEL "{0,1\n",
	  ":2: rank 0: '{0,1' stands where a list of PUs such as {0,1,8-9} is expected" },
	{ "intel-debug", INTEL "{}\n",
	  ":2: rank 0: '{}' stands where a list of PUs such as {0,1,8-9} is expected" },
	{ "intel-debug", INTEL "0,1\n",
	  ":2: rank 0: ',1' stands where the end of the line is expected" },
	{ "intel-debug", INTEL "0-1\n",
	  ":2: rank 0: the line ends where a list of PUs such as {0,1,8-9} is expected" },
	{ "intel-debug", INTEL "{0,1,\n 2,99}\n",
	  ":2: the node has no PU 99 that the job may use" },
	{ "intel-debug", INTEL "{0}\n[0] MPI startup(): 2 9 a {1}\n",
	  ": rank 1 is missing: there are 2 entries, and line 3 is for rank 2" },
	{ "xthi", "Hello from rank 0, thread 0, on a. (core affinity = )\n",
	  ":1: rank 0: ')' stands where a list of PUs such as 0-3,8 is expected" },
	{ "xthi", "\nHello from rank 0, thread 0, on a. (core affinity = 3-1)\n",
	  ":2: rank 0: '3-1)' stands where a list of PUs such as 0-3,8 is expected" },
	{ "xthi", "Hello from rank 0, thread 0, on a. (core affinity = 0x3)\n",
	  ":1: rank 0: 'x3)' stands where ')' is expected" },
	{ "xthi", "Hello from rank 0, thread 0, on a. (core affinity = 123456789)\n",
	  ":1: rank 0: '123456789)' stands where a list of PUs such as 0-3,8 is expected" },
	{ "xthi",
	  "Hello from rank 0, thread 0, on a. (core affinity = 0)\n"
	  "Hello from rank 0, thread 1, on b. (core affinity = 0)\n",
	  ":2: rank 0 is on 'b' here and on 'a' in line 1" },
	{ "xthi", "Node 0, rank 0, thread 0, (affinity = 0)\n",
	  ":1: rank 0 is on node 0, whose hostname no line above has" },
	{ "xthi", "Node 2000000, hostname a, mpi 1\n",
	  ":1: node 2000000: more than 1048576 nodes are not read" },
	{ "hello-jobstep", "MPI 000 - OMP 000 - HWT -1 - Node a\n",
	  ":1: rank 0: '-1 - Node a' stands where a list of PUs such as 0-3,8 is expected" },
	{ "hello-jobstep", "MPI 000 - OMP 000 - HWT 1\n",
	  ":1: rank 0: the line ends where the rest of such a line is expected" },
	{ "cpumask-display", "[PE_0]: cpumask set to 2 cpus on a, cpumask = 0001\n",
	  ":1: rank 0: the line counts 2 PUs and has 1" },
	{ "cpumask-display", "[PE_0]: cpumask set to 1 cpu on a, cpumask = 0000\n",
	  ":1: rank 0: the line ends where a mask of 0 and 1 that has a 1 is expected" },
	{ "cpumask-display", "[PE_0]: cpumask set to 1 cpu on a, cpumask = 0021\n",
	  ":1: rank 0: '21' stands where a mask of 0 and 1 that has a 1 is expected" },
	{ "xthi",
	  "Hello from rank 0, on a. (core affinity = 0)Hello from rank 1, on a. (core affinity = )\n",
	  ":1: rank 1: ')' stands where a list of PUs such as 0-3,8 is expected" },
	{ "mpibind", "mpibind: task  0 nths  2 gpus 1 cpus\n",
	  ":1: rank 0: ' 1 cpus' stands where the rest of such a line is expected" },
	{ "mpibind", "mpibind: task 0 nths 2 gpus  cpus 0\nmpibind: task 0 nths 2 gpus  cpus 1\n",
	  ":2: process 0 is bound differently in line 1, and the lines do not name their nodes" },
	{ "mvapich2-show", "RANK: 0  CPU_SET: \n",
	  ":1: rank 0: the line ends where PUs such as 0 1 8 is expected" },
	{ "mvapich2-show", "RANK: 0  CPU_SET: 0 x\n",
	  ":1: rank 0: 'x' stands where PUs such as 0 1 8 is expected" },
	{ "taskset", "pid 4's current affinity list: 0\n",
	  ":1: nothing in front says which rank this is, as srun -l does" },
	{ "taskset", "task 0 (node 1): pid 4's current affinity list: 0\n",
	  ":1: nothing in front says which rank this is, as srun -l does" },
	{ "taskset", "0: pid 4's new affinity list: 0\n",
	  ":1: here taskset changes the affinity: what it prints afterwards is read" },
	{ "xthi",
	  "Hello from rank 0, thread 0, on a. (core affinity = 0)\nHello from rank 1, thread 0, on nid00013. (core aff",
	  ":2: rank 1: 'aff' stands where 'affinity =' is expected" },
	{ "xthi",
	  "Hello from rank 0, thread 0, on a. (core affinity = 0)\nHello from rank 1, thread 0, on nid00013. (core aff\n",
	  ":2: rank 1: 'aff' stands where 'affinity =' is expected" },
	{ "xthi", "Hello from rank 0, thread 0, on a. (core affinity = 0)\nHello from rank 1",
	  ":2: rank 1: the line ends where ', thread' is expected" },
	{ "xthi",
	  "Hello from rank 0, thread 0, on a. (core affinity = 0)\nHello from rank 1, thread 0. (core affinity = 1)\n",
	  ":2: ', on HOST' is missing" },
	{ "xthi",
	  "Hello from rank 0, thread 0, on a. (core affinity = 0)\nHello from rank 1, thread 0, onHello from rank 2, thread 0, on a. (core affinity = 2)\n",
	  ":2: rank 1: 'Hello from rank 2, thread 0, on a. (core' stands where a blank is expected" },
	{ "xthi",
	  "Hello from rank 0, thread 0, on a. (core affinity = 0)\nHello from rank 1, Hello from rank 2, thread 0, on a. (core affinity = 2)\n",
	  ":2: rank 1: 'Hello from rank 2, thread 0, on a. (core' stands where 'thread' is expected" },
	{ "xthi", "Host=a  MPI RaHost=a  MPI Rank=  1  CPU=1  CPU Affinity=  1\n",
	  ":1: 'RaHost=a  MPI Rank=  1  CPU=1  CPU Affin' stands where 'Rank=' is expected" },
	{ "xthi", "Host=a  MPI Rank=  0  CPU=1  NUHost=a  MPI Rank=  1  CPU=1  CPU Affinity=  1\n",
	  ":1: rank 0: another such line begins at 'Host=a  MPI Rank=  1  CPU=1  CPU Affinit', before this one has ended" },
	{ "xthi", "Host=a  MPI Rank=  0  CPU=1  CPU Aff",
	  ":1: rank 0: '1  CPU Aff' stands where the rest of such a line is expected" },
	{ "xthi",
	  "Node 0, hostname a, mpi 2\nNode 0, rank 0, thread 0, (affinity = 0)\nNode 0, rank 1, thre",
	  ":3: rank 1: 'thre' stands where 'thread' is expected" },
	{ "hello-jobstep", "MPI 000 - OMP 000 - HWMPI 001 - OMP 000 - HWT 002 - Node a\n",
	  ":1: rank 0: 'HWMPI 001 - OMP 000 - HWT 002 - Node a' stands where 'HWT' is expected" },
	{ "hello-jobstep", "MPI 000 - MPI 001 - OMP 000 - HWT 002 - Node a\n",
	  ":1: rank 0: 'MPI 001 - OMP 000 - HWT 002 - Node a' stands where 'OMP' is expected" },
	{ "hello-jobstep", "MPI 000 - OMP 000 - HWT 001MPI 001 - OMP 000 - HWT 002 - Node a\n",
	  ":1: rank 0: another such line begins at 'MPI 001 - OMP 000 - HWT 002 - Node a', before this one has ended" },
	{ "hello-jobstep",
	  "MPI 000 - OMP 000 - HWT 001 - Node aMPI 001 - OMP 000 - HWT 002 - Node a\n",
	  ":1: rank 0: another such line begins at 'MPI 001 - OMP 000 - HWT 002 - Node a', before this one has ended" },
	{ "hello-jobstep", "MPI 000 - OMP 000 - HWT 1 - Node a\nMPI 001 - ",
	  ":2: rank 1: the line ends where 'OMP' is expected" },
	{ "cpumask-display",
	  "[PE_0]: cpumask set to 1 cpu on a, cpumask = 0001\n[PE_1]: cpumask se",
	  ":2: rank 1: 'se' stands where 'set to' is expected" },
	{ "cpumask-display", "[PE_0]: cpum[PE_1]: cpumask set to 1 cpu on a, cpumask = 0001\n",
	  ":1: rank 0: 'cpum[PE_1]: cpumask set to 1 cpu on a, c' stands where 'cpumask' is expected" },
	{ "cpumask-display",
	  "[PE_0]: cpumask set to 1 cpu on [PE_1]: cpumask set to 1 cpu on a, cpumask = 0001\n",
	  ":1: rank 0: ' cpumask set to 1 cpu on a, cpumask = 00' stands where ',' is expected" },
	{ "mpibind", "mpibind: task 0 nths 2 gpus  cpus 0\nmpibind: task  1 nths",
	  ":2: rank 1: the line ends where a blank is expected" },
	{ "mpibind", "mpibind: task 0 nths 2 gpus mpibind: task 1 nths 2 gpus  cpus 1\n",
	  ":1: rank 0: another such line begins at 'mpibind: task 1 nths 2 gpus  cpus 1', before this one has ended" },
	{ "mvapich2-show", "RANK: 0  CPU_SET: 0\nRANK: 1  CPU_",
	  ":2: rank 1: '_' stands where '_SET:' is expected" },
	{ "mvapich2-show", "RANK: 0  RANK: 1  CPU_SET: 0\n",
	  ":1: rank 0: 'RANK: 1  CPU_SET: 0' stands where 'CPU' is expected" },
	{ "mvapich2-show", "RANK: 0  CPU_SET: 0RANK: 1  CPU_SET: 1\n",
	  ":1: rank 0: 'RANK: 1  CPU_SET: 1' stands where PUs such as 0 1 8 is expected" },
	{ "taskset", "0: pid 4's current affinity list: 0\n1: pid 5's curr",
	  ":2: rank 1: 'curr' stands where 'current affinity list:' is expected" },
	{ "taskset", "[1,0]<stdout>:pid 7[1,1]<stdout>:pid 74's current affinity list: 0\n",
	  ":1: rank 0: '[1,1]<stdout>:pid 74's current affinity ' stands where ''s' is expected" },
	{ "taskset", "rank 0 on a: pid 7's rank 1 on a: pid 7's current affinity list: 0\n",
	  ":1: rank 0: 'rank 1 on a: pid 7's current affinity li' stands where 'current affinity list:' is expected" },
	{ "taskset", "0: pid 7's current affinity list: 01: pid 8's current affinity list: 1\n",
	  ":1: rank 0: ': pid 8's current affinity list: 1' stands where the end of the line is expected" },
	{ "intel-debug", INTEL "{0}\n[0] MPI startup(): 1 9 a\n",
	  ":3: rank 1: the line ends where a blank is expected" },
	{ "intel-debug", INTEL "{0}\n[0] MPI startup(): 1 9 \n",
	  ":3: rank 1: the line ends where a name is expected" },
	{ "intel-debug", INTEL "{0}\n[0] MPI startup(): 1",
	  ":3: rank 1: the line ends where a blank is expected" },
	{ "intel-debug", INTEL "[0] MPI startup(): 1 9 a {1}\n",
	  ":2: rank 0: '[0] MPI startup(): 1 9 a {1}' stands where a list of PUs such as {0,1,8-9} is expected" },
	{ "table", "0 a\n",
	  ":1: a line of the table is a rank, its host and a list of PUs, such as: 0 node01 0-3,8" },
	{ "table", "x a 0\n", ":1: 'x' stands where a number is expected" },
	{ "table", "0 a 0;1\n", ":1: ';1' stands where the end of the line is expected" },
	{ "table", "0 a 0\n0 a 1\n", ":2: rank 0 already stands in line 1" },
};

START_TEST(malformed_lines_are_refused_with_their_place)
{
	ck_assert_int_eq(read_job("node:1 core:8", bad[_i].name, bad[_i].text, 0), -1);
	expect_message(bad[_i].message);
}
END_TEST

/* Beginnings of tags whose ends are looked for; the square of their number is never done with. */
START_TEST(a_line_takes_no_square_of_its_length)
{
	const struct tmap_launcher *found = NULL;
	size_t length = 1 << 20;
	char *text = malloc(length + 1);

	ck_assert_ptr_nonnull(text);
	for (size_t i = 0; i < length; i++)
		text[i] = "[a:1"[i % 4];
	text[length] = '\0';
	ck_assert_int_eq(tmap_launcher_recognise(&found, text, &err), -1);
	free(text);
}
END_TEST

START_TEST(a_rank_takes_no_square_of_its_threads)
{
	struct tmap_str text = TMAP_STR_INIT;

	for (int t = 0; t < 50000; t++)
		tmap_str_addf(&text, "Hello from rank 0, thread %d, on a. (core affinity = %d)\n",
			      t, 2 * t);
	ck_assert_int_eq(read_job("node:1 core:8", "xthi", text.text, 0), -1);
	expect_message(":1: the node has no PU 8 that the job may use");
	tmap_str_fini(&text);
}
END_TEST

START_TEST(lines_that_do_not_name_their_node_are_for_one)
{
	ck_assert_int_eq(read_job("node:2 core:8", "mvapich2-show", "\nRANK: 0  CPU_SET: 0\n", 0),
			 -1);
	expect_message(":2: rank 0: such lines do not name their nodes, and the machine has 2: "
		       "they are read for one");
}
END_TEST

#define HELLO(rank, host, pu) \
	"Hello from rank " rank ", thread 0, on " host ". (core affinity = " pu ")\n"

static const char jobs[] = HELLO("0", "a", "0")
	HELLO("1", "a", "1") "the second job\n" HELLO("1", "b", "3") HELLO("0", "b", "2")
		HELLO("2", "b", "1");

START_TEST(of_several_jobs_one_is_chosen)
{
	ck_assert_int_eq(read_job("node:1 core:4", "xthi", jobs, 0), -1);
	expect_message(
		": there are 2 jobs, of which topomap place --job N takes one: 1 of 2 ranks (from line 1 "
		"on), 2 of 3 ranks (from line 4 on)");
	ck_assert_int_eq(read_job("node:1 core:4", "xthi", jobs, 3), -1);
	expect_message(": there is no job 3: there are 2");
	ck_assert_int_eq(read_job("node:1 core:4", "xthi", jobs, 1), 0);
	ck_assert_int_eq(p.size, 2);
	expect_rank(1, "a", "1", true);
	ck_assert_int_eq(read_job("node:1 core:4", "xthi", jobs, 2), 0);
	ck_assert_int_eq(p.size, 3);
	expect_rank(1, "b", "3", true);
	expect_rank(0, "b", "2", true);
	ck_assert_int_eq(read_job("node:1 core:4", "xthi", HELLO("0", "a", "0"), 1), 0);
	ck_assert_int_eq(read_job("node:1 core:4", "xthi", HELLO("0", "a", "0"), 2), -1);
	expect_message(": there is no job 2: there is 1");
}
END_TEST

/* Where lines come in any order, what the second job lacks may be among those of the first. */
START_TEST(jobs_that_may_be_mixed_are_not_guessed)
{
	const char *cut = HELLO("0", "a", "0") HELLO("1", "a", "1") HELLO("1", "a", "2");

	ck_assert_int_eq(read_job("node:1 core:4", "xthi", cut, 1), -1);
	expect_message(
		":3: job 2 begins here and lacks ranks: those of its lines that may stand in "
		"front would be taken for job 1");
	ck_assert_int_eq(read_job("node:1 core:4", "xthi", cut, 2), -1);
	expect_message(": rank 0 is missing: there is 1 entry, and line 3 is for rank 1");
}
END_TEST

/* A rank that comes again is no job where ranks before or after it are missing. */
START_TEST(a_doubled_rank_is_no_job)
{
	ck_assert_int_eq(read_job("node:1 core:4", "xthi",
				  HELLO("0", "a", "0") HELLO("1", "a", "1") HELLO("1", "a", "1"),
				  0),
			 -1);
	expect_message(":3: thread 0 of rank 1 comes again, and the lines in front or from here on "
		       "are no whole job");
}
END_TEST

START_TEST(files_of_the_project_are_no_logs)
{
	static const char *const texts[] = {
		"# topomap\n\ntopomap shows where the ranks of an MPI job run.\n",
		".Sh FILES OF LAUNCHERS\n.Fl -from Ar NAME:FILE\napplies a file.\n",
		"int main(void)\n{\n\treturn process_rank(0) + 1;\n}\n",
		"from,to,bytes\n0,1,65536\n0,8,65536\n",
		"node01\nnode02\n",
		"rank,host,cpus\n",
		"The process 0 binding is shown. Rank 0 bound to nothing; task 0 [1]\n",
		"\nrank first\nrank 0=a slot=1\n",
	};
	const struct tmap_launcher *found = NULL;

	ck_assert_int_eq(tmap_launcher_recognise(&found, texts[_i], &err), -1);
	ck_assert_str_eq(err.text,
			 "no line says where a rank is in a form that is known; other "
			 "files need their name, as in --from slurm:FILE, or --from table:FILE for "
			 "lines of RANK HOST CPUS without a heading");
	ck_assert_int_eq(tmap_launcher_recognise(&found, " \n\n", &err), -1);
	ck_assert_str_eq(err.text, "it is empty: nothing says where a rank is");
}
END_TEST

START_TEST(the_lines_that_help_shows_are_of_their_form)
{
	const struct tmap_launcher *row = NULL, *found;
	struct tmap_str text = TMAP_STR_INIT;

	for (int i = 0; (row = tmap_launcher_at(i))->word.name; i++) {
		if (!row->is_log)
			continue;
		ck_assert_msg(row->sample != NULL, "%s", row->word.name);
		tmap_str_addf(&text, "%s%s\n",
			      strcmp(row->word.name, "intel-debug") ?
				      "" :
				      "[0] MPI startup(): Rank    Pid      Node name  Pin cpu\n",
			      row->sample);
		found = NULL;
		ck_assert_msg(tmap_launcher_recognise(&found, text.text, &err) == 0, "%s: %s",
			      row->word.name, printed(&err));
		ck_assert_ptr_eq(found, row);
		/* that line is of one rank, and not of rank 0 but for processes of a node */
		if (read_job("node:1 package:2 core:8", row->word.name, text.text, 0) < 0)
			ck_assert_msg(strstr(err.text, "rank 0 is missing") ||
					      strstr(err.text, "process 3") ||
					      strstr(err.text, "16 PUs"),
				      "%s: %s", row->word.name, printed(&err));
		tmap_str_fini(&text);
	}
}
END_TEST

START_TEST(lines_of_two_forms_are_not_guessed)
{
	const struct tmap_launcher *found = NULL;

	ck_assert_int_eq(
		tmap_launcher_recognise(
			&found, "[a:1] MCW rank 0 is not bound\n" HELLO("0", "a", "0"), &err),
		-1);
	ck_assert_str_eq(err.text,
			 "line 1 is of report-bindings and line 2 of xthi: --from "
			 "report-bindings:FILE or xthi:FILE says which is meant");
	ck_assert_int_eq(tmap_launcher_recognise(&found, "# by hand\n\nrank 0=a slot=1\n", &err),
			 0);
	ck_assert_str_eq(found->word.name, "openmpi4");
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("rank_lines");
	TCase *tc = tcase_create("rank_lines");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, every_form_is_read_among_other_output, 0, LOGS);
	tcase_add_test(tc, what_a_log_does_not_say_is_noted);
	tcase_add_loop_test(tc, malformed_lines_are_refused_with_their_place, 0,
			    sizeof bad / sizeof *bad);
	tcase_add_test(tc, a_line_takes_no_square_of_its_length);
	tcase_add_test(tc, a_rank_takes_no_square_of_its_threads);
	tcase_add_test(tc, lines_that_do_not_name_their_node_are_for_one);
	tcase_add_test(tc, of_several_jobs_one_is_chosen);
	tcase_add_test(tc, jobs_that_may_be_mixed_are_not_guessed);
	tcase_add_test(tc, a_doubled_rank_is_no_job);
	tcase_add_loop_test(tc, files_of_the_project_are_no_logs, 0, 8);
	tcase_add_test(tc, the_lines_that_help_shows_are_of_their_form);
	tcase_add_test(tc, lines_of_two_forms_are_not_guessed);
	suite_add_tcase(suite, tc);
	return suite;
}
