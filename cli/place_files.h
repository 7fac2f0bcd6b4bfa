/*
 * place_files.h - the files that say where ranks run, one option of `topomap place` each: what
 * launchers read and what they print. A rank map is a text of its own.
 */
#ifndef TM_CLI_PLACE_FILES_H
#define TM_CLI_PLACE_FILES_H

#include "core/machine/placement.h"
#include "core/base/string.h"
#include "options/opt.h"

enum tm_place_file {
	TM_PLACE_RANKFILE, TM_PLACE_REPORT_BINDINGS, TM_PLACE_HYDRA_DEBUG, TM_PLACE_CPU_BIND,
	TM_PLACE_SLURM_HOSTFILE, TM_PLACE_HYDRA_HOSTFILE, TM_PLACE_RANKMAP, TM_PLACE_RANKFILE5,
	TM_PLACE_SEQ, TM_PLACE_TASKMAP, TM_PLACE_MACHINEFILE,
	TM_PLACE_FILE_COUNT
};

/** The options' values; NULL where not given. */
struct tm_place_files {
	const char *path[TM_PLACE_FILE_COUNT];
};

#define TM_OPT_PLACE_FILES(args, files) \
	{ TM_OPT_FILE(args, files.path[TM_PLACE_RANKFILE], 0, "rankfile", "FILE", NULL, \
		      "place the ranks as Open MPI 4 does under this rankfile") }, \
	{ TM_OPT_FILE(args, files.path[TM_PLACE_RANKFILE5], 0, "prrte-rankfile", "FILE", NULL, \
		      "as Open MPI 5 (PRRTE) does under it") }, \
	{ TM_OPT_FILE(args, files.path[TM_PLACE_SEQ], 0, "seq-file", "FILE", NULL, \
		      "as Open MPI's sequential mapper does with this hostfile") }, \
	{ TM_OPT_FILE(args, files.path[TM_PLACE_REPORT_BINDINGS], 0, "report-bindings", "FILE", \
		      NULL, "where mpirun --report-bindings or --display-map of Open MPI 2 to 5 " \
		      "says that they are") }, \
	{ TM_OPT_FILE(args, files.path[TM_PLACE_HYDRA_DEBUG], 0, "hydra-topo-debug", "FILE", NULL, \
		      "where MPICH's mpiexec says so with HYDRA_TOPO_DEBUG=1") }, \
	{ TM_OPT_FILE(args, files.path[TM_PLACE_CPU_BIND], 0, "cpu-bind-verbose", "FILE", NULL, \
		      "where srun --cpu-bind=verbose says so") }, \
	{ TM_OPT_FILE(args, files.path[TM_PLACE_SLURM_HOSTFILE], 0, "slurm-hostfile", "FILE", NULL, \
		      "on the nodes that srun -m arbitrary takes from this SLURM_HOSTFILE, bound as " \
		      "a comment in it says, else each rank on the next core") }, \
	{ TM_OPT_FILE(args, files.path[TM_PLACE_HYDRA_HOSTFILE], 0, "hydra-hostfile", "FILE", NULL, \
		      "on the nodes that MPICH's mpiexec -f takes from this file, bound as its " \
		      "binding= says, else each rank on the next core") }, \
	{ TM_OPT_FILE(args, files.path[TM_PLACE_MACHINEFILE], 0, "intel-machinefile", "FILE", NULL, \
		      "on the nodes of this machinefile of Intel MPI, pinned as a comment in it " \
		      "says, else each rank on the next core") }, \
	{ TM_OPT_FILE(args, files.path[TM_PLACE_TASKMAP], 0, "flux-taskmap", "FILE", NULL, \
		      "on the nodes of Flux's task map, bound as a comment in it says, else each " \
		      "rank on the next core") }, \
	{ TM_OPT_STRING(args, files.path[TM_PLACE_RANKMAP], 0, "hydra-rankmap", "MAP", NULL, \
			"on the nodes that MPICH's -rankmap gives, such as 0,0,1 or " \
			"(vector,(0,2,4)), each rank on the next core") }

/** The option that was given ("--rankfile"); NULL: none. */
const char *tm_place_files_option(const struct tm_place_files *files);

/** *p = what the file says. TM_USAGE where there are several; refuses one that does not place
 *  @p ranks ranks, unless that is TM_NONE. */
int tm_place_files_read(struct tm_placement *p, struct tm_machine *machine,
			const struct tm_place_files *files, int ranks, struct tm_error *err);

/** Append the option: " --rankfile job.rankfile". */
void tm_place_files_describe(struct tm_str *text, const struct tm_place_files *files);

#endif
