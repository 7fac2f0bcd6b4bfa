/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/base/command.h"

#include "cli/base/call_options.h"
#include "cli/base/communicator.h"
#include "core/library/library.h"
#include "core/schedule/datatype.h"
#include "formats/base/format.h"
#include "formats/base/output.h"
#include "formats/base/progress_line.h"
#include "formats/machine/json_profile.h"
#include "formats/report/guidelines/guidelines_read.h"
#include "formats/report/guidelines/guidelines_report.h"

struct guidelines_args {
	const char *input, *output, *profile, *measured, *comm, *adapters, *datatype;
	int64_t bytes;
	int collective, root, library, format;
	bool strict;
};

static const struct tmap_opt operands[] = {
	{ TMAP_OPERAND_PLACEMENT(struct guidelines_args, input) },
	TMAP_OPT_END,
};

static const struct tmap_opt options[] = {
	{ TMAP_OPT_BYTES(struct guidelines_args, bytes, ""), .required = true },
	{ TMAP_OPT_DATATYPE(struct guidelines_args, datatype, "") },
	{ TMAP_OPT_CHOICE(struct guidelines_args, collective, 'c', "collective", "COLLECTIVE", NULL,
			  &tmap_collectives, TMAP_KEYWORDS_ALL,
			  "only the guidelines of this collective") },
	{ TMAP_OPT_ROOT(struct guidelines_args, root, "") },
	{ TMAP_OPT_LIBRARY(struct guidelines_args, library, 'l',
			   "MPI library whose default algorithms are the native collectives") },
	{ TMAP_OPT_COMM(struct guidelines_args, comm) },
	{ TMAP_OPT_ADAPTERS(struct guidelines_args, adapters) },
	{ TMAP_OPT_PROFILE(struct guidelines_args, profile, "") },
	{ TMAP_OPT_FILE(struct guidelines_args, measured, 'm', "measured", "FILE", NULL,
			"measured times: this command's JSON for the same ranks and bytes, with "
			"numbers in the members measured") },
	{ TMAP_OPT_FLAG(struct guidelines_args, strict, 0, "strict",
			"with --measured: if guidelines are violated by more than 3 %, the exit "
			"status is 4") },
	{ TMAP_OPT_FORMAT(struct guidelines_args, format, "text",
			  TMAP_FORMATS(TEXT) | TMAP_FORMATS(JSON)) },
	{ TMAP_OPT_OUTPUT(struct guidelines_args, output) },
	TMAP_OPT_END,
};

static const struct tmap_example examples[] = {
	{ "which collectives of Open MPI 4.1 may be slower than mock-ups",
	  "topomap guidelines -b 1MiB job.json", NULL },
	{ "the broadcast of MPICH, for a script",
	  "topomap guidelines -b 64KiB -c bcast --library mpich -f json job.json", NULL },
	{ "a measured run compared with the guidelines",
	  "topomap guidelines -b 1MiB --measured run.json --strict job.json",
	  "it needs a measured run" },
	{ NULL, NULL, NULL },
};

static int show(const struct tmap_guidelines *guidelines, const struct guidelines_args *args,
		struct tmap_error *err)
{
	struct tmap_output out = { 0 };
	int status = tmap_output_init(&out, args->output, err);

	if (status == 0 && args->format == TMAP_FORMAT_TEXT)
		status = tmap_communicator_write_text(out.file, guidelines->placement, err);
	if (status == 0)
		status = (args->format == TMAP_FORMAT_JSON ?
				  tmap_json_write_guidelines :
				  tmap_text_write_guidelines)(out.file, guidelines, err);
	if (status == 0)
		status = tmap_output_commit(&out, err);
	tmap_output_fini(&out);
	return status;
}

static int judge(const struct tmap_guidelines *guidelines, struct tmap_error *err)
{
	int violated = 0;

	for (int i = 0; i < guidelines->count; i++)
		violated += tmap_guideline_is_violated(&guidelines->guideline[i]);
	return violated ? tmap_fail(err, TMAP_FINDINGS, "%d guideline%s violated", violated,
				    violated == 1 ? " is" : "s are") :
			  0;
}

static int check(const struct guidelines_args *args, struct tmap_error *err)
{
	if (args->strict && !args->measured)
		return tmap_fail(err, TMAP_USAGE,
				 "--strict needs measured times: --measured is "
				 "missing");
	return 0;
}

/* A table of nothing is no answer: the size is more than any of them can count. */
static int check_some(const struct tmap_guidelines *guidelines, struct tmap_error *err)
{
	for (int i = 0; i < guidelines->count; i++)
		if (!guidelines->guideline[i].reason)
			return 0;
	return guidelines->count ? tmap_fail(err, TMAP_INPUT, "no guideline can be timed here: %s",
					     guidelines->guideline[0].reason) :
				   0;
}

static int read_measured(struct tmap_guidelines *guidelines, const char *path,
			 struct tmap_error *err)
{
	if (!path || tmap_json_read_measured(path, guidelines, err) == 0)
		return 0;
	return tmap_wrap(err, "--measured");
}

static int run(const void *data, struct tmap_error *err)
{
	const struct guidelines_args *args = data;
	struct tmap_profile_request profile = { 0 };
	struct tmap_placement placement = { 0 };
	struct tmap_guidelines guidelines = { 0 };
	struct tmap_guidelines_request request = { .collective = args->collective,
						   .bytes = args->bytes,
						   .root = args->root };
	struct tmap_progress_line line = { 0 };
	int status = -1;

	if (check(args, err) < 0)
		return -1;
	if (args->datatype &&
	    (tmap_datatype_parse(args->datatype, &request.element, err) < 0 ||
	     tmap_datatype_check(request.element, request.bytes, err) < 0))
		return tmap_wrap(err, "--datatype");
	request.profile = &profile.profile;
	if (tmap_communicator_read(&placement, args->input, args->comm, args->adapters, err) < 0 ||
	    tmap_profile_option(&profile, args->profile, &placement, err) < 0)
		goto out;
	request.library = tmap_library_pick(args->library, &placement);
	tmap_progress_line_init(&line, "topomap guidelines", stderr);
	request.progress = &line.progress;
	status = tmap_guidelines_init(&guidelines, &placement, &request, err);
	tmap_progress_line_fini(&line);
	if (status == 0)
		status = check_some(&guidelines, err);
	if (status == 0)
		status = read_measured(&guidelines, args->measured, err);
	if (status == 0)
		status = show(&guidelines, args, err);
	if (status == 0 && args->strict)
		status = judge(&guidelines, err);
out:
	tmap_guidelines_fini(&guidelines);
	tmap_placement_fini(&placement);
	tmap_profile_request_fini(&profile);
	return status;
}

const struct tmap_command tmap_cmd_guidelines = {
	.name = "guidelines",
	.summary = "predict which performance guidelines a library violates",
	.description =
		"A guideline says that a collective must not be slower than a mock-up of other "
		"collectives that does the same, such as a broadcast than a scatter and an "
		"allgather. The list has the predicted times of both on this placement, with "
		"the library's default algorithms; a question mark is a violation. --measured "
		"compares measured times in the same way.",
	.operands = operands,
	.options = options,
	.args_size = sizeof(struct guidelines_args),
	.examples = examples,
	.run = run,
};
