/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/base/command.h"

#include "cli/base/structure.h"

static const struct tmap_opt operands[] = {
	{ TMAP_OPERAND_PLACEMENT(struct tmap_structure_args, job.input) },
	TMAP_OPT_END,
};

static const struct tmap_opt options[] = {
	TMAP_OPT_JOB(struct tmap_structure_args, job),
	{ TMAP_OPT_STRING(struct tmap_structure_args, job.merge, 0, "merge", "DISTANCES", NULL,
			  "merge these distances into one: \"1,2,3\"") },
	TMAP_OPT_AGAINST(struct tmap_structure_args, against, job, "ring", "block of each rank"),
	{ TMAP_OPT_ACCESSES(struct tmap_structure_args, accesses) },
	{ TMAP_OPT_FOLD(struct tmap_structure_args, fold) },
	{ TMAP_OPT_FORMAT(struct tmap_structure_args, format, "text", TMAP_REPORT_FORMATS) },
	{ TMAP_OPT_OUTPUT(struct tmap_structure_args, output) },
	TMAP_OPT_END,
};

static const struct tmap_example examples[] = {
	{ "the ring of a job", "topomap ring job.json", NULL },
	{ "a picture of it", "topomap ring -f svg -o ring.svg job.json", NULL },
	{ "its order for a script", "topomap ring -f json <job.json", NULL },
	{ "the ring of a sub-communicator", "topomap ring --comm 8-15,0-7 job.json", NULL },
	{ "compare the ring with the libraries' rings, memory accesses included",
	  "topomap ring --against all --bytes 64KiB --accesses job.json", NULL },
	{ NULL, NULL, NULL },
};

static int run(const void *data, struct tmap_error *err)
{
	return tmap_structure_run(data, TMAP_NONE, err);
}

const struct tmap_command tmap_cmd_ring = {
	.name = "ring",
	.summary = "show the distance-aware allgather ring of a placement",
	.description =
		"The ring crosses every border of the machine as few times as possible (Ma, "
		"Herault, Bosilca, Dongarra). --against compares it with the rings of Open "
		"MPI, MPICH and UCC: steps at each distance, bytes across each level, and the "
		"predicted time of an allgather of --bytes from each rank.",
	.operands = operands,
	.options = options,
	.args_size = sizeof(struct tmap_structure_args),
	.examples = examples,
	.run = run,
};
