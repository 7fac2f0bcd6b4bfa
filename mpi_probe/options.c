#include "mpi_probe/options.h"

#define TEXT_OF(number) TEXT_AS_IS(number)
#define TEXT_AS_IS(number) #number

static const struct tmap_opt options[] = {
	{ TMAP_OPT_OUTPUT(struct tmap_probe_args, output) },
	{ TMAP_OPT_FLAG(
		struct tmap_probe_args, matrix, 0, "matrix",
		"write the distance of every pair of ranks too, for jobs of at most " TEXT_OF(
			TMAP_MATRIX_LIMIT) " ranks") },
	{ TMAP_OPT_FILE(struct tmap_probe_args, rankfile, 0, "rankfile", "FILE", NULL,
			"take the bindings from this Open MPI rankfile instead of asking the "
			"system, for machines imitated with HWLOC_XMLFILE") },
	TMAP_OPT_END,
};

static const struct tmap_example examples[] = {
	{ "where the ranks of a job run, one for each core, next ranks on next nodes",
	  "mpirun --map-by node --bind-to core topomap-probe -o job.json", "it needs an MPI job" },
	{ "the same under Slurm, and a summary at once",
	  "srun -n 64 --cpu-bind=cores topomap-probe | topomap inspect", "it needs an MPI job" },
	{ "a machine that is not there: node.xml, with Open MPI 4",
	  "HWLOC_XMLFILE=node.xml HWLOC_THISSYSTEM=0 mpirun -x HWLOC_XMLFILE "
	  "-x HWLOC_THISSYSTEM --oversubscribe --rankfile job.rf topomap-probe --rankfile job.rf",
	  "it needs an MPI job" },
	{ NULL, NULL, NULL },
};

const struct tmap_command tmap_probe_command = {
	.name = "probe",
	.invocation = "topomap-probe",
	.source = "mpi_probe/options.c",
	.summary = "write where the ranks of a running MPI job are",
	.description =
		"An MPI program, to be started as the job in question is: by mpirun, mpiexec, srun or "
		"another launcher, with the same options for mapping and binding. Rank 0 writes the "
		"placement document, which every topomap command reads.\n\n"
		"Each rank asks the kernel which PUs it may run on, on which it ran last, and which "
		"NUMA nodes its memory policy allows (where the kernel tells: containers often forbid "
		"that question). A rank is bound if it may not run on all PUs that the job may use of "
		"its node; so a rank that has all of them to itself, as the only PU of a node, is not "
		"bound. What the job may use is what the cpuset of the node's first rank allows, and "
		"what any rank of the node may run on.\n\n"
		"The ranks that MPI_Comm_split_type(MPI_COMM_TYPE_SHARED) joins are one node. Its "
		"smallest rank describes it with hwloc and speaks for it: rank 0 of the job hears from "
		"one rank of each node, and gets each distinct description once, whatever the host "
		"names. "
		"Sizes of memories are rounded to 7 bits, because what the system keeps for itself "
		"differs between nodes that are equal otherwise. Nodes stand in the order of their "
		"smallest ranks. Where several have one host name, the second is called NAME#2, the "
		"third NAME#3.\n\n"
		"Where hwloc does not describe the system that the rank runs on, as with HWLOC_XMLFILE "
		"and HWLOC_THISSYSTEM=0, the kernel's answers are about another machine. The ranks "
		"then count as unbound, with a warning, unless --rankfile says where they are.\n\n"
		"What goes wrong on any rank is said once, in one sentence, and all ranks exit with "
		"its status. If MPI_Init itself fails, the MPI library adds words of its own and chooses "
		"the status, which is not 0.",
	.options = options,
	.args_size = sizeof(struct tmap_probe_args),
	.examples = examples,
	.see_also = "mpirun(1), hwloc(7)",
};
