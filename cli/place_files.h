/*
 * place_files.h - the files that say where ranks run, one option of `topomap place` each: what
 * launchers read and what they print. A rank map is a text of its own.
 */
#ifndef TMAP_CLI_PLACE_FILES_H
#define TMAP_CLI_PLACE_FILES_H

#include "core/base/string.h"
#include "core/machine/placement.h"
#include "options/opt.h"

enum tmap_place_file {
	TMAP_PLACE_RANKFILE,
	TMAP_PLACE_REPORT_BINDINGS,
	TMAP_PLACE_HYDRA_DEBUG,
	TMAP_PLACE_CPU_BIND,
	TMAP_PLACE_SLURM_HOSTFILE,
	TMAP_PLACE_HYDRA_HOSTFILE,
	TMAP_PLACE_RANKMAP,
	TMAP_PLACE_RANKFILE5,
	TMAP_PLACE_SEQ,
	TMAP_PLACE_TASKMAP,
	TMAP_PLACE_MACHINEFILE,
	TMAP_PLACE_FILE_COUNT
};

/** The options' values; NULL where not given. */
struct tmap_place_files {
	const char *path[TMAP_PLACE_FILE_COUNT];
};

#define TMAP_OPT_PLACE_FILES(args, files) \
	{ TMAP_OPT_FILE(args, files.path[TMAP_PLACE_RANKFILE], 0, "rankfile", "FILE", NULL, \
			"place the ranks as Open MPI 4 does under this rankfile") }, \
		{ TMAP_OPT_FILE(args, files.path[TMAP_PLACE_RANKFILE5], 0, "prrte-rankfile", \
				"FILE", NULL, "as Open MPI 5 (PRRTE) does under it") }, \
		{ TMAP_OPT_FILE(args, files.path[TMAP_PLACE_SEQ], 0, "seq-file", "FILE", NULL, \
				"as Open MPI's sequential mapper does with this hostfile") }, \
		{ TMAP_OPT_FILE( \
			args, files.path[TMAP_PLACE_REPORT_BINDINGS], 0, "report-bindings", \
			"FILE", NULL, \
			"where mpirun --report-bindings or --display-map of Open MPI 2 to 5 " \
			"says that they are") }, \
		{ TMAP_OPT_FILE(args, files.path[TMAP_PLACE_HYDRA_DEBUG], 0, "hydra-topo-debug", \
				"FILE", NULL, \
				"where MPICH's mpiexec says so with HYDRA_TOPO_DEBUG=1") }, \
		{ TMAP_OPT_FILE(args, files.path[TMAP_PLACE_CPU_BIND], 0, "cpu-bind-verbose", \
				"FILE", NULL, "where srun --cpu-bind=verbose says so") }, \
		{ TMAP_OPT_FILE( \
			args, files.path[TMAP_PLACE_SLURM_HOSTFILE], 0, "slurm-hostfile", "FILE", \
			NULL, \
			"on the nodes that srun -m arbitrary takes from this SLURM_HOSTFILE, bound as " \
			"a comment in it says, else each rank on the next core") }, \
		{ TMAP_OPT_FILE( \
			args, files.path[TMAP_PLACE_HYDRA_HOSTFILE], 0, "hydra-hostfile", "FILE", \
			NULL, \
			"on the nodes that MPICH's mpiexec -f takes from this file, bound as its " \
			"binding= says, else each rank on the next core") }, \
		{ TMAP_OPT_FILE( \
			args, files.path[TMAP_PLACE_MACHINEFILE], 0, "intel-machinefile", "FILE", \
			NULL, \
			"on the nodes of this machinefile of Intel MPI, pinned as a comment in it " \
			"says, else each rank on the next core") }, \
		{ TMAP_OPT_FILE( \
			args, files.path[TMAP_PLACE_TASKMAP], 0, "flux-taskmap", "FILE", NULL, \
			"on the nodes of Flux's task map, bound as a comment in it says, else each " \
			"rank on the next core") }, \
	{ \
		TMAP_OPT_STRING(args, files.path[TMAP_PLACE_RANKMAP], 0, "hydra-rankmap", "MAP", \
				NULL, \
				"on the nodes that MPICH's -rankmap gives, such as 0,0,1 or " \
				"(vector,(0,2,4)), each rank on the next core") \
	}

/** The option that was given ("--rankfile"); NULL: none. */
const char *tmap_place_files_option(const struct tmap_place_files *files);

/** *p = what the file says. TMAP_USAGE where there are several; refuses one that does not place
 *  @p ranks ranks, unless that is TMAP_NONE. */
int tmap_place_files_read(struct tmap_placement *p, struct tmap_machine *machine,
			  const struct tmap_place_files *files, int ranks, struct tmap_error *err);

/** Append the option: " --rankfile job.rankfile". */
void tmap_place_files_describe(struct tmap_str *text, const struct tmap_place_files *files);

#endif
