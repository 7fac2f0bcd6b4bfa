/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_probe/options.h"

#define TEXT_OF(number) TEXT_AS_IS(number)
#define TEXT_AS_IS(number) #number

static const struct tmap_opt options[] = {
	{ TMAP_OPT_OUTPUT_JSON(struct tmap_probe_args, output) },
	{ TMAP_OPT_FLAG(
		struct tmap_probe_args, matrix, 0, "matrix",
		"also write the distance of every pair of ranks, in jobs of at most " TEXT_OF(
			TMAP_MATRIX_LIMIT) " ranks") },
	{ TMAP_OPT_FILE(struct tmap_probe_args, rankfile, 0, "rankfile", "FILE", NULL,
			"take the bindings from this Open MPI rankfile, not from the system, for "
			"machines imitated with HWLOC_XMLFILE") },
	{ TMAP_OPT_FILE(struct tmap_probe_args, network, 0, "network", "FILE", NULL,
			"the switches above the nodes, such as Slurm's topology.conf; by default "
			"those in SLURM_TOPOLOGY_ADDR") },
	{ TMAP_OPT_STRING(struct tmap_probe_args, topology, 0, "topology", "NAME", NULL,
			  "which topology of a topology.yaml (by default the cluster's)") },
	{ TMAP_OPT_STRING(struct tmap_probe_args, program, 0, "program", "NAME", NULL,
			  "the program that this rank stands for, where a job has several") },
	{ TMAP_OPT_FLAG(struct tmap_probe_args, no_environment, 0, "no-environment",
			"do not record the variables that say how many threads a rank runs") },
	TMAP_OPT_END,
};

static const struct tmap_example examples[] = {
	{ "the placement of a job with one rank for each core, in cyclic order",
	  "mpirun --map-by node --bind-to core topomap-probe -o job.json", "it needs an MPI job" },
	{ "the same under Slurm, and a summary at once",
	  "srun -n 64 --cpu-bind=cores topomap-probe | topomap inspect", "it needs an MPI job" },
	{ "a job whose nodes are under the switches of a topology.conf",
	  "mpirun topomap-probe --network topology.conf -o job.json", "it needs an MPI job" },
	{ "a job of two programs, each with its threads",
	  "mpirun -n 4 -x OMP_NUM_THREADS=8 topomap-probe --program ocean -o job.json : "
	  "-n 32 topomap-probe --program air",
	  "it needs an MPI job" },
	{ "an imitated machine, node.xml, with Open MPI 4",
	  "HWLOC_XMLFILE=node.xml HWLOC_THISSYSTEM=0 mpirun -x HWLOC_XMLFILE "
	  "-x HWLOC_THISSYSTEM --oversubscribe --rankfile job.rf topomap-probe --rankfile job.rf",
	  "it needs an MPI job" },
	{ NULL, NULL, NULL },
};

const struct tmap_command tmap_probe_command = {
	.name = "probe",
	.invocation = "topomap-probe",
	.summary = "write the mapping and binding of a running MPI job",
	.description =
		"An MPI program: start it as you start your job, with the same options for "
		"mapping and binding. Rank 0 writes the placement, which every topomap command "
		"reads: the topology of the nodes, and the PUs that each rank may run on.",
	.options = options,
	.args_size = sizeof(struct tmap_probe_args),
	.examples = examples,
};
