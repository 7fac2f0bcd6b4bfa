/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/launchers/launchers.h"

#include "core/place/permute.h"
#include "formats/launchers/common/hostfile.h"
#include "formats/launchers/common/pu_list.h"
#include "formats/launchers/cray/cray.h"
#include "formats/launchers/flux/flux.h"
#include "formats/launchers/hydra/hydra.h"
#include "formats/launchers/intel/intel.h"
#include "formats/launchers/openmpi/openmpi.h"
#include "formats/launchers/permutation/permutation.h"
#include "formats/launchers/slurm/slurm.h"
#include "formats/logs/binding_words.h"
#include "formats/logs/cpu_bind.h"
#include "formats/logs/hydra_debug.h"
#include "formats/logs/rank_forms.h"
#include "formats/logs/rank_table.h"
#include "formats/logs/report_bindings.h"

#include <string.h>

enum {
	/* Linux takes no longer word on a command line, its final zero included. */
	WORD_MAX = 131071,
	/* srun and Open MPI's sequential mapper read lines into 1024 bytes, comments too, and take
	 * what is behind for the next line. */
	READ_MAX = 1022,
	/* The entry is printed as "HOST slot=LIST" into 64 bytes (Open MPI 4.1,
	 * rmaps_rank_file.c). */
	ENTRY_MAX = 57,
};

/* What only these print; rank_forms.c and rank_table.c have the other ones. */
static const char *const report_bindings_lines[] = {
	"] MCW rank %r ",         "] Rank %r bound to package[",
	"] Rank %r is not bound", "jobid: %w App: %n Process rank: %w Bound: ",
	"Data for proc: [",       NULL,
};
static const char *const cpu_bind_lines[] = { ", task %r %n [%n]: mask 0x", NULL };
static const char *const hydra_debug_lines[] = { "process %r binding: ", NULL };
static const char *const rankfile_lines[] = { "^~rank %r=%h slot", NULL };

static const struct tmap_launcher rows[] = {
	/* rank 0 first: the check for doubled ranks files every rank under 0 */
	{ .word = { "openmpi4", "Open MPI 4" },
	  .mark = { { .launcher = "mpirun (Open MPI)",
		      .name = "Open MPI",
		      .library = "Open MPI v",
		      .before = TMAP_RELEASE(5, 0) } },
	  .fixes = &tmap_openmpi4_fixes,
	  .limits = { .entry_max = ENTRY_MAX, .list_max = 63, .rank_0_first = true },
	  .writes = "Open MPI 4: a rankfile for mpirun --rankfile",
	  .reads = "a rankfile of Open MPI 4",
	  .option = "rankfile",
	  .own_lines = rankfile_lines,
	  .places = "mpirun of Open MPI 4.1",
	  .has_own_ends = true,
	  .parse = tmap_rankfile_parse,
	  .resolve = tmap_rankfile_resolve,
	  .form = "rank N=HOST slot=LIST, one line a rank",
	  .lint = tmap_rankfile_lint,
	  .policy = &tmap_openmpi_policy,
	  .file = "RANKFILE",
	  .instead = { "seq", "hydra40", "slurm" },
	  .write = tmap_openmpi4_write,
	  .command = tmap_openmpi4_command },

	{ .word = { "openmpi5", "Open MPI 5 (PRRTE)" },
	  .mark = { { .launcher = "mpirun (Open MPI)",
		      .name = "Open MPI",
		      .library = "Open MPI v",
		      .since = TMAP_RELEASE(5, 0) },
		    { .launcher = "prterun (PRRTE)", .name = "PRRTE" } },
	  .fixes = &tmap_openmpi5_fixes,
	  .library = "openmpi5",
	  .library_why = "assumed: PRRTE is its launcher",
	  .limits = { .entry_max = ENTRY_MAX,
		      .list_max = 63,
		      .rank_0_first = true,
		      .is_prrte = true },
	  .writes = "Open MPI 5: a rankfile for mpirun --map-by rankfile:file=",
	  .reads = "a rankfile of Open MPI 5",
	  .option = "prrte-rankfile",
	  .places = "mpirun of Open MPI 5.0 (PRRTE 3.0.8)",
	  .has_own_ends = true,
	  .parse = tmap_rankfile_parse,
	  .resolve = tmap_rankfile_resolve,
	  .form = "rank N=HOST slot=LIST, one line a rank",
	  .lint = tmap_rankfile_lint,
	  .policy = &tmap_openmpi5_policy,
	  .file = "RANKFILE",
	  .instead = { "slurm", "hydra40" },
	  .write = tmap_openmpi5_write,
	  .command = tmap_openmpi5_command,
	  .note = tmap_openmpi5_note },

	{ .word = { "prrte", "PRRTE" },
	  .writer = "openmpi5",
	  .places = "prterun of PRRTE 3.0.8",
	  .policy = &tmap_prrte_policy },

	{ .word = { "seq", "Open MPI 4 and 5, sequential mapper" },
	  .mark = { { .launcher = "mpirun (Open MPI)",
		      .name = "Open MPI",
		      .library = "Open MPI v" } },
	  .fixes = &tmap_openmpi4_fixes,
	  .limits = { .line_max = READ_MAX },
	  .writes = "Open MPI 4 and 5: a hostfile for their sequential mapper",
	  .reads = "a hostfile of Open MPI's sequential mapper",
	  .option = "seq-file",
	  .parse = tmap_seq_hostfile_parse,
	  .resolve = tmap_seq_hostfile_resolve,
	  .form = "HOST, or HOST and its core list as in 0-1,4, one line a rank",
	  .policy = &tmap_openmpi_policy,
	  .file = "HOSTFILE",
	  .instead = { "hydra40", "slurm" },
	  .write = tmap_seq_hostfile_write,
	  .command = tmap_seq_hostfile_command,
	  .note = tmap_seq_hostfile_note },

	{ .word = { "slurm", "Slurm" },
	  .mark = { { .launcher = "srun (Slurm)", .name = "Slurm" } },
	  .fixes = &tmap_slurm_fixes,
	  .library = "openmpi4",
	  .library_why = "assumed: none is named, and Slurm starts any",
	  .limits = { .argument_max = WORD_MAX },
	  .writes = "Slurm: a SLURM_HOSTFILE, and --cpu-bind or a script that binds",
	  .reads = "a SLURM_HOSTFILE, for srun -m arbitrary",
	  .option = "slurm-hostfile",
	  .places = "srun of Slurm 22.05",
	  .parse = tmap_slurm_parse,
	  .resolve = tmap_pu_list_resolve,
	  .form = "HOST or HOST*COUNT, one a line",
	  .policy = &tmap_slurm_policy,
	  .file = "HOSTFILE",
	  .ending = { "", ".sh" },
	  .count_files = tmap_slurm_count_files,
	  .write = tmap_slurm_write,
	  .command = tmap_slurm_command,
	  .note = tmap_slurm_note },

	{ .word = { "slurm23.11", "Slurm 23.11 and later" },
	  .mark = { { .launcher = "srun (Slurm)", .name = "Slurm", .since = TMAP_RELEASE(23, 11) } },
	  .fixes = &tmap_slurm_fixes,
	  .library = "openmpi4",
	  .library_why = "assumed: none is named, and Slurm starts any",
	  .limits = { .argument_max = WORD_MAX },
	  .writes = "Slurm 23.11 and later: the same",
	  .reads = "the same",
	  .places = "srun of Slurm 23.11 and later",
	  .parse = tmap_slurm_parse,
	  .resolve = tmap_pu_list_resolve,
	  .form = "HOST or HOST*COUNT, one a line",
	  .policy = &tmap_slurm_23_11_policy,
	  .file = "HOSTFILE",
	  .ending = { "", ".sh" },
	  .count_files = tmap_slurm_count_files,
	  .write = tmap_slurm_write,
	  .command = tmap_slurm_command,
	  .note = tmap_slurm_note },

	/* from 4.1 to 5.0 mpiexec takes -rankmap, and starts the ranks where they were before */
	{ .word = { "hydra", "MPICH 5.1 and later" },
	  .mark = { { .launcher = "mpiexec (Hydra)",
		      .name = "Hydra",
		      .library = "MPICH ",
		      .since = TMAP_RELEASE(5, 1) } },
	  .fixes = &tmap_hydra_fixes,
	  .library = "mpich",
	  .library_why = "assumed: Hydra is its launcher",
	  .limits = { .line_max = 16383, .argument_max = 16000, .has_rankmap = true },
	  .writes = "MPICH 5.1 and later: a hostfile with bindings for mpiexec -f",
	  .reads = "a hostfile of MPICH's mpiexec -f",
	  .option = "hydra-hostfile",
	  .places = "mpiexec of MPICH 4.1 and later",
	  .wants_io = true,
	  .parse = tmap_hydra_hostfile_parse,
	  .resolve = tmap_hostfile_resolve,
	  .form = "HOST:PROCESSES, and behind it binding=SPEC if they are bound, one host a line",
	  .policy = &tmap_hydra_policy,
	  .file = "HOSTFILE",
	  .instead = { "hydra40", "slurm" },
	  .write = tmap_hydra_write,
	  .command = tmap_hydra_command },

	{ .word = { "hydra40", "MPICH 4 and later" },
	  .mark = { { .launcher = "mpiexec (Hydra)", .name = "Hydra", .library = "MPICH " } },
	  .fixes = &tmap_hydra_fixes,
	  .library = "mpich",
	  .library_why = "assumed: Hydra is its launcher",
	  .limits = { .line_max = 16383 },
	  .writes = "MPICH 4 and later, without -rankmap: hosts again and again",
	  .reads = "the same",
	  .places = "mpiexec of MPICH 4.0",
	  .wants_io = true,
	  .parse = tmap_hydra_hostfile_parse,
	  .resolve = tmap_hostfile40_resolve,
	  .form = "HOST:PROCESSES, and behind it binding=SPEC if they are bound, one host a line",
	  .policy = &tmap_hydra40_policy,
	  .file = "HOSTFILE",
	  .instead = { "slurm" },
	  .write = tmap_hydra_write,
	  .command = tmap_hydra_command,
	  .note = tmap_hydra_note },

	{ .word = { "cray", "Cray MPICH" },
	  .mark = { { .launcher = "mpiexec (PALS)",
		      .name = "Cray PALS",
		      .library = "CRAY MPICH version ",
		      .is_library_only = true,
		      .program = "mpiexec" },
		    { .launcher = "mpiexec (Cray PALS)",
		      .name = "Cray PALS",
		      .library = "CRAY MPICH version ",
		      .is_library_only = true,
		      .program = "mpiexec" },
		    { .launcher = "aprun (ALPS)",
		      .name = "Cray ALPS",
		      .library = "CRAY MPICH version ",
		      .is_library_only = true,
		      .program = "aprun" } },
	  .limits = { .value_max = 1023 },
	  .writes = "Cray MPICH: an MPICH_RANK_ORDER file for the slots that there are",
	  .reads = "an MPICH_RANK_ORDER file: the rank of each slot of the placement",
	  .option = "mpich-rank-order",
	  .places = "mpiexec of Cray PALS, as sites document it",
	  .parse_list = tmap_cray_parse_list,
	  .reorder = tmap_reorder_place,
	  .form = "each rank once, as 0,2-3,1",
	  .policy = &tmap_cray_policy,
	  .fixes = &tmap_cray_fixes,
	  .library = "mpich",
	  .library_why = "assumed: Cray MPICH is made of it",
	  .file = "MPICH_RANK_ORDER",
	  .instead = { "slurm", "hydra40" },
	  .write = tmap_cray_write,
	  .command = tmap_cray_command,
	  .note = tmap_cray_note },

	{ .word = { "flux", "Flux" },
	  .mark = { { .launcher = "flux run", .name = "Flux" } },
	  .fixes = &tmap_flux_fixes,
	  .library = "openmpi4",
	  .library_why = "assumed: none is named, and Flux starts any",
	  .limits = { .value_max = 1024, .argument_max = WORD_MAX },
	  .writes = "Flux: a task map (RFC 34) for flux run --taskmap=manual:",
	  .reads = "a task map of Flux (RFC 34)",
	  .option = "flux-taskmap",
	  .places = "flux run of flux-core 0.88",
	  .parse = tmap_flux_parse,
	  .resolve = tmap_pu_list_resolve,
	  .form = "[[FIRST NODE,NODES,TASKS ON EACH,TIMES],...]",
	  .policy = &tmap_flux_policy,
	  .file = "TASKMAP",
	  .instead = { "slurm", "hydra40" },
	  .write = tmap_flux_write,
	  .command = tmap_flux_command,
	  .note = tmap_flux_note },

	{ .word = { "intel", "Intel MPI" },
	  .mark = { { .launcher = "mpiexec (Hydra)",
		      .name = "Intel MPI",
		      .library = "Intel(R) MPI Library ",
		      .is_library_only = true } },
	  .fixes = &tmap_intel_fixes,
	  .library = "mpich",
	  .library_why = "assumed: Intel MPI is made of it",
	  .limits = { .argument_max = WORD_MAX },
	  .writes = "Intel MPI: a machinefile, and one list of processors for all nodes",
	  .reads = "a machinefile of Intel MPI",
	  .option = "intel-machinefile",
	  .places = "mpirun of Intel MPI 2021, as its documents describe it",
	  .parse = tmap_intel_parse,
	  .resolve = tmap_pu_list_resolve,
	  .form = "HOST:PROCESSES, one host a line",
	  .policy = &tmap_intel_policy,
	  .file = "MACHINEFILE",
	  .instead = { "slurm", "hydra40" },
	  .write = tmap_intel_write,
	  .command = tmap_intel_command },

	{ .word = { "permutation", "a permutation" },
	  .writes = "a text: line r has the rank whose place rank r takes",
	  .reads = "a permutation: line r has the rank whose place rank r takes",
	  .option = "permutation",
	  .parse_list = tmap_permutation_parse_list,
	  .reorder = tmap_permute_place,
	  .form = "one rank a line, each rank once, from 0 on",
	  .file = "PERMUTATION",
	  .instead = { "openmpi4", "slurm", "hydra40" },
	  .write = tmap_permutation_write,
	  .command = tmap_permutation_command,
	  .note = tmap_permutation_note },

	{ .word = { "permutation-json", "a permutation" },
	  .writes = "the same as a JSON document",
	  .reads = "the same as a JSON document with place_of, such as a suggestion",
	  .parse_list = tmap_permutation_parse_list,
	  .reorder = tmap_permute_place,
	  .form = "the document that topomap suggest-rankfile --launcher "
		  "permutation-json writes, each rank once",
	  .file = "PERMUTATION",
	  .instead = { "openmpi4", "slurm", "hydra40" },
	  .write = tmap_permutation_write_json,
	  .command = tmap_permutation_command,
	  .note = tmap_permutation_note },

	{ .word = { "c", "a program that reorders its ranks itself" },
	  .writes = "a few lines of C that reorder inside the program, by MPI_Comm_split",
	  .file = "REORDER.h",
	  .instead = { "openmpi4", "slurm", "hydra40" },
	  .write = tmap_c_write,
	  .command = tmap_c_command,
	  .note = tmap_c_note },

	/* What launchers print, and options that are as good as a file. */
	{ .word = { "report-bindings", "Open MPI 2 to 5" },
	  .reads =
		  "output of Open MPI's mpirun --report-bindings, --display-map or --display-devel-map",
	  .option = "report-bindings",
	  .is_log = true,
	  .own_lines = report_bindings_lines,
	  .sample = "[a:4711] MCW rank 3 bound to socket 0[core 1[hwt 0]]: [./B][./.]",
	  .parse = tmap_report_bindings_parse,
	  .resolve = tmap_binding_words_resolve },

	{ .word = { "cpu-bind-verbose", "Slurm" },
	  .writer = "slurm",
	  .reads = "output of srun --cpu-bind=verbose",
	  .option = "cpu-bind-verbose",
	  .is_log = true,
	  .own_lines = cpu_bind_lines,
	  .sample = "cpu-bind=MASK - node07, task  3  1 [4711]: mask 0xc set",
	  .parse = tmap_cpu_bind_parse,
	  .resolve = tmap_cpu_bind_resolve },

	{ .word = { "hydra-topo-debug", "MPICH" },
	  .writer = "hydra",
	  .reads = "output of MPICH's mpiexec with HYDRA_TOPO_DEBUG=1",
	  .option = "hydra-topo-debug",
	  .is_log = true,
	  .own_lines = hydra_debug_lines,
	  .sample = "process 0 binding: 1010000000000000",
	  .is_without_hosts = true,
	  .parse = tmap_hydra_debug_parse,
	  .resolve = tmap_hydra_debug_resolve },

	{ .word = { "intel-debug", "Intel MPI" },
	  .writer = "intel",
	  .reads = "output of Intel MPI with I_MPI_DEBUG=4 or more",
	  .is_log = true,
	  .lines = &tmap_intel_debug_lines,
	  .sample = "[0] MPI startup(): 3  4711  node07  {0,1,8-9}",
	  .parse = tmap_rank_lines_parse,
	  .resolve = tmap_pu_list_resolve },

	{ .word = { "cpumask-display", "Cray MPICH" },
	  .writer = "cray",
	  .reads = "output of Cray MPICH with MPICH_CPUMASK_DISPLAY=1",
	  .is_log = true,
	  .lines = &tmap_cpumask_display_lines,
	  .sample = "[PE_3]: cpumask set to 2 cpus on nid001, cpumask = 00000011",
	  .parse = tmap_rank_lines_parse,
	  .resolve = tmap_pu_list_resolve },

	{ .word = { "mvapich2-show", "MVAPICH2" },
	  .reads = "output of MVAPICH2 with MV2_SHOW_CPU_BINDING=1, of one node",
	  .is_log = true,
	  .lines = &tmap_mvapich2_lines,
	  .sample = "RANK: 3  CPU_SET: 0 1",
	  .is_without_hosts = true,
	  .parse = tmap_rank_lines_parse,
	  .resolve = tmap_pu_list_resolve },

	{ .word = { "mpibind", "mpibind" },
	  .reads = "output of srun --mpibind=v or flux run -o mpibind=verbose:1",
	  .is_log = true,
	  .lines = &tmap_mpibind_lines,
	  .sample = "mpibind: task 3 nths 2 gpus 1 cpus 0-1",
	  .is_without_hosts = true,
	  .parse = tmap_rank_lines_parse,
	  .resolve = tmap_pu_list_resolve },

	{ .word = { "xthi", "xthi" },
	  .reads = "output of xthi: the affinity of each thread",
	  .is_log = true,
	  .lines = &tmap_xthi_lines,
	  .sample = "Hello from rank 3, thread 0, on nid001. (core affinity = 0-3,8)",
	  .parse = tmap_rank_lines_parse,
	  .resolve = tmap_pu_list_resolve },

	{ .word = { "hello-jobstep", "hello_jobstep" },
	  .reads = "output of hello_jobstep or hello_mpi_omp: where threads ran",
	  .is_log = true,
	  .lines = &tmap_hello_jobstep_lines,
	  .sample = "MPI 003 - OMP 000 - HWT 001 - Node nid001",
	  .parse = tmap_rank_lines_parse,
	  .resolve = tmap_pu_list_resolve },

	{ .word = { "taskset", "taskset" },
	  .reads = "output of taskset -cp by each rank, with the rank in front",
	  .is_log = true,
	  .lines = &tmap_taskset_lines,
	  .sample = "3: pid 4711's current affinity list: 0-1",
	  .is_without_hosts = true,
	  .parse = tmap_rank_lines_parse,
	  .resolve = tmap_pu_list_resolve },

	{ .word = { "table", "a table" },
	  .reads = "a table with the rank, host and cpus of each rank",
	  .own_lines = tmap_rank_table_heads,
	  .sample = "3 node07 0-3,8",
	  .parse = tmap_rank_table_parse,
	  .resolve = tmap_pu_list_resolve },

	{ .word = { "hydra-rankmap", "MPICH 4.1 and later" },
	  .writer = "hydra",
	  .reads = "no file but the map of MPICH's -rankmap itself",
	  .option = "hydra-rankmap",
	  .sample = "0,0,1",
	  .is_without_hosts = true,
	  .parse = tmap_hydra_rankmap_parse,
	  .resolve = tmap_pu_list_resolve,
	  .is_argument = true },

	{ .word = { NULL, NULL } },
};

const struct tmap_keywords tmap_launchers = TMAP_KEYWORDS("launcher", rows);
const struct tmap_keywords tmap_launchers_written =
	TMAP_KEYWORDS_WITH("launcher", rows, struct tmap_launcher, writes);
const struct tmap_keywords tmap_launchers_read =
	TMAP_KEYWORDS_WITH_OPTIONS("launcher", rows, struct tmap_launcher, reads, option);
const struct tmap_keywords tmap_launchers_placing =
	TMAP_KEYWORDS_WITH("launcher", rows, struct tmap_launcher, places);

const struct tmap_launcher *tmap_launcher_at(int index)
{
	return &rows[index];
}

const struct tmap_launcher *tmap_launcher_find(const char *name)
{
	for (const struct tmap_launcher *row = rows; row->word.name; row++)
		if (strcmp(row->word.name, name) == 0)
			return row;
	return NULL;
}
