/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/base/format.h"
#include "formats/base/output.h"
#include "formats/report/times/times_read.h"
#include "formats/report/times/times_report.h"
#include "mpi_run/bench/times_write.h"
#include "mpi_run/bench/verbs.h"

#include <stdio.h>

struct join_args {
	struct tmap_opt_list files;
	const char *output;
	int format;
};

static const struct tmap_opt operands[] = {
	{ TMAP_OPERAND_FILES(struct join_args, files, "TIMES", "times documents, one a launch"),
	  .required = true },
	TMAP_OPT_END,
};

static const struct tmap_opt options[] = {
	{ TMAP_OPT_FORMAT(struct join_args, format, "text",
			  TMAP_FORMATS(TEXT) | TMAP_FORMATS(JSON) | TMAP_FORMATS(CSV)) },
	{ TMAP_OPT_OUTPUT_AS(struct join_args, output, ".json or .csv") },
	TMAP_OPT_END,
};

static const struct tmap_example examples[] = {
	{ "three launches as one document",
	  "topomap-bench join first.json second.json third.json -o times.json",
	  "it needs measured times" },
	{ NULL, NULL, NULL },
};

/* What nobody finds in the document, who looks for it. */
static void losses_note(const struct tmap_join_losses *lost)
{
	if (lost->like)
		fputs("topomap-bench: what --like measured is of one launch, and not joined\n",
		      stderr);
	if (lost->raw)
		fputs("topomap-bench: times of --raw are of one launch, and not joined\n", stderr);
}

static int run(const void *data, struct tmap_error *err)
{
	const struct join_args *args = data;
	struct tmap_times times = { 0 };
	struct tmap_output out = { 0 };
	int status = tmap_times_read_joined(&times, args->files.items, args->files.count, err);

	if (status == 0)
		status = tmap_output_init(&out, args->output, err);
	if (status == 0)
		status = tmap_times_write(&out, &times, args->format, tmap_text_write_times, err);
	if (status == 0)
		losses_note(&times.lost);
	tmap_output_fini(&out);
	tmap_times_fini(&times);
	return status;
}

const struct tmap_command tmap_bench_join_command = {
	.name = "bench-join",
	.invocation = "topomap-bench join",
	.summary = "join measured times of separate launches",
	.description =
		"Times of one launch have much in common; to compare algorithms, launch the "
		"measurement several times and join the documents. An experiment then has the "
		"median of each launch, and its statistics are of these medians. The ranks "
		"must be placed alike. It needs no MPI job.",
	.operands = operands,
	.options = options,
	.args_size = sizeof(struct join_args),
	.examples = examples,
	.run = run,
};
