/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/logs/rank_forms.h"

/* Since 2017; a long list goes on in the next line, and I_MPI_DEBUG=+4 puts rank, pid and host in
 * front. Without pinning there is no column of PUs. */
static const struct tmap_rank_pattern intel_debug[] = {
	{ "] MPI startup(): %r %n %h +%n%$",
	  "Intel MPI counts the PUs of this rank and does not name them, as {0,1} does", NULL },
	{ "] MPI startup(): %r %n| %h%$", NULL, "Pid Node name%$" },
	{ "] MPI startup(): %r %n| %h %b%$", NULL, "Pid Node name Pin cpu" },
	{ NULL, NULL, NULL },
};

const struct tmap_rank_lines tmap_intel_debug_lines = {
	.pattern = intel_debug,
	.begin = "] MPI startup(): Rank Pid Node name",
	.end = "] MPI startup(): =",
};

static const struct tmap_rank_pattern xthi[] = {
	{ "Hello from rank %r, thread %t. (core affinity", "', on HOST' is missing", NULL },
	{ "Hello from rank %r, thread %t,| on %h. (core affinity =~%l~)", NULL, NULL },
	{ "Hello from rank %r, thread %t,| on host %h, core %n . (core affinity =~%l~)", NULL,
	  NULL },
	{ "Hello from rank %r, on| %h. (core affinity =~%l~)", NULL, NULL },
	{ "Host=%h MPI Rank=|~%r OMP Thread=~%t CPU=%*CPU Affinity=~%l", NULL, NULL },
	{ "Host=%h MPI Rank=|~%r CPU=%*CPU Affinity=~%l", NULL, NULL },
	{ "Node %k, hostname| %h, mpi", NULL, NULL },
	{ "Node %k, rank %r, thread %t,| (affinity =~%l~)", NULL, NULL },
	{ NULL, NULL, NULL },
};

const struct tmap_rank_lines tmap_xthi_lines = { .pattern = xthi, .is_by_thread = true };

static const struct tmap_rank_pattern hello_jobstep[] = {
	{ "MPI %r - OMP| %t - HWT %l%* - Node %h", NULL, NULL },
	{ NULL, NULL, NULL },
};

const struct tmap_rank_lines tmap_hello_jobstep_lines = {
	.pattern = hello_jobstep,
	.is_by_thread = true,
	.note = "a rank is bound to the hardware threads on which its threads were seen; "
		"its binding may have more",
};

static const struct tmap_rank_pattern cpumask_display[] = {
	{ "[PE_%r]:~cpumask| set to %c %w on %h,~cpumask =~%m~%$", NULL, NULL },
	{ NULL, NULL, NULL },
};

const struct tmap_rank_lines tmap_cpumask_display_lines = { .pattern = cpumask_display };

static const struct tmap_rank_pattern mpibind[] = {
	{ "mpibind: task| %r %w %n gpus%*cpus %l~%$", NULL, NULL },
	{ NULL, NULL, NULL },
};

const struct tmap_rank_lines tmap_mpibind_lines = { .pattern = mpibind, .is_by_node = true };

static const struct tmap_rank_pattern mvapich2[] = {
	{ "RANK:~%r CPU|_SET:~%s", NULL, NULL },
	{ NULL, NULL, NULL },
};

const struct tmap_rank_lines tmap_mvapich2_lines = { .pattern = mvapich2 };

/* What says the rank: mpirun --output tag or --tag-output, with the host as tag-detailed; --output
 * rank, mpiexec -l; srun -l; or an echo in front. */
#define LIST_OF_PID "pid %n's|~current affinity list:~%l~%$"

static const struct tmap_rank_pattern taskset[] = {
	{ "pid %n's new affinity list:",
	  "here taskset changes the affinity: what it prints afterwards is read", NULL },
	{ "[%w,%r][%h:%n]<%w>:~" LIST_OF_PID, NULL, NULL },
	{ "[%w,%r]<%w>:~" LIST_OF_PID, NULL, NULL },
	{ "[%r]<%w>:~" LIST_OF_PID, NULL, NULL },
	{ "[%r]~" LIST_OF_PID, NULL, NULL },
	{ "^~%r:~" LIST_OF_PID, NULL, NULL },
	{ "rank %r on %h:~" LIST_OF_PID, NULL, NULL },
	{ "rank %r:~" LIST_OF_PID, NULL, NULL },
	{ "^~%r %h " LIST_OF_PID, NULL, NULL },
	{ "^~%r " LIST_OF_PID, NULL, NULL },
	{ "pid %n's current affinity list:",
	  "nothing in front says which rank this is, as srun -l does", NULL },
	{ NULL, NULL, NULL },
};

const struct tmap_rank_lines tmap_taskset_lines = { .pattern = taskset };
