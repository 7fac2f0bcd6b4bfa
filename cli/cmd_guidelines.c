#include "cli/base/command.h"

#include "core/library/library.h"
#include "formats/base/file.h"
#include "formats/base/format.h"
#include "formats/report/guidelines/json_guidelines.h"
#include "formats/machine/json_placement.h"
#include "formats/machine/json_profile.h"
#include "formats/report/guidelines/text_guidelines.h"

struct guidelines_args {
	const char *input, *output, *profile, *measured;
	int64_t bytes;
	int collective, root, library, format;
	bool strict;
};

static const struct tm_opt operands[] = {
	{ TM_OPERAND_PLACEMENT(struct guidelines_args, input) },
	TM_OPT_END
};

static const struct tm_opt options[] = {
	{ TM_OPT_SIZE(struct guidelines_args, bytes, 'b', "bytes", "BYTES", NULL,
		      "the size that the MPI call names: of the block of a rank, or of the whole "
		      "vector where it is reduced or broadcast"), .required = true },
	{ TM_OPT_CHOICE(struct guidelines_args, collective, 'c', "collective", "COLLECTIVE", NULL,
			&tm_collectives, TM_WORDS_ALL, "only the guidelines of this one") },
	{ TM_OPT_INT(struct guidelines_args, root, 'r', "root", "RANK", "0", 0, INT_MAX,
		     "where data starts or ends") },
	{ TM_OPT_CHOICE(struct guidelines_args, library, 'l', "library", "LIBRARY", "openmpi4",
			&tm_libraries, TM_WORDS_ALL, "whose choices the native collectives are") },
	{ TM_OPT_FILE(struct guidelines_args, profile, 0, "profile", "PROFILE", "summit",
		      "what messages cost, as in topomap score") },
	{ TM_OPT_FILE(struct guidelines_args, measured, 'm', "measured", "FILE", NULL,
		      "measured times: the JSON document of this command for the same ranks and "
		      "bytes, with the numbers filled in under measured") },
	{ TM_OPT_FLAG(struct guidelines_args, strict, 0, "strict",
		      "with --measured: guidelines that the measured run violates by more than 3 % "
		      "make the exit status 4") },
	{ TM_OPT_FORMAT(struct guidelines_args, format, "text",
			TM_FORMATS(TEXT) | TM_FORMATS(JSON)) },
	{ TM_OPT_OUTPUT(struct guidelines_args, output) },
	TM_OPT_END
};

static const struct tm_example examples[] = {
	{ "where Open MPI 4.1 may be beaten by what can be built of its own parts",
	  "topomap guidelines -b 1MiB job.json", NULL },
	{ "a broadcast of MPICH, for a script",
	  "topomap guidelines -b 64KiB -c bcast --library mpich -f json job.json", NULL },
	{ "a measured run held against them",
	  "topomap guidelines -b 1MiB --measured run.json --strict job.json",
	  "it needs a measured run" },
	{ NULL, NULL, NULL }
};

static int show(const struct tm_guidelines *guidelines, const struct guidelines_args *args,
		struct tm_error *err)
{
	struct tm_output out = { 0 };
	int status = tm_output_init(&out, args->output, err);

	if (status == 0)
		status = (args->format == TM_FORMAT_JSON ? tm_json_write_guidelines :
			  tm_text_write_guidelines)(out.file, guidelines, err);
	if (status == 0)
		status = tm_output_commit(&out, err);
	tm_output_fini(&out);
	return status;
}

static int judge(const struct tm_guidelines *guidelines, struct tm_error *err)
{
	int violated = 0;

	for (int i = 0; i < guidelines->count; i++)
		violated += tm_guideline_is_violated(&guidelines->guideline[i]);
	return violated ? tm_fail(err, TM_FINDINGS, "%d guideline%s violated", violated,
				  violated == 1 ? " is" : "s are") : 0;
}

static int check(const struct guidelines_args *args, struct tm_error *err)
{
	if (args->strict && !args->measured)
		return tm_fail(err, TM_USAGE, "--strict judges measured times: --measured is "
			       "missing");
	return 0;
}

static int run(const void *data, struct tm_error *err)
{
	const struct guidelines_args *args = data;
	struct tm_profile_choice profile = { 0 };
	struct tm_placement placement = { 0 };
	struct tm_guidelines guidelines = { 0 };
	struct tm_guidelines_request request = {
		.collective = args->collective, .bytes = args->bytes, .root = args->root,
		.library = args->library };
	int status = -1;

	if (check(args, err) < 0)
		return -1;
	if (tm_profile_choose(&profile, args->profile, err) < 0)
		return tm_wrap(err, "--profile");
	request.profile = &profile.profile;
	if (tm_placement_read_json(&placement, args->input, err) == 0 &&
	    tm_guidelines_init(&guidelines, &placement, &request, err) == 0 &&
	    (!args->measured || tm_json_read_measured(args->measured, &guidelines, err) == 0))
		status = show(&guidelines, args, err);
	if (status == 0 && args->strict)
		status = judge(&guidelines, err);
	tm_guidelines_fini(&guidelines);
	tm_placement_fini(&placement);
	tm_profile_choice_fini(&profile);
	return status;
}

const struct tm_command tm_cmd_guidelines = {
	.name = "guidelines",
	.summary = "list what should not be slower than what on a placement",
	.description =
		"A collective operation can be built of others: a broadcast of a scatter and an "
		"allgather, or of collectives over node and lane communicators. If the native one, "
		"as the library does it, is slower than such a mock-up, the library has done worse "
		"than it could: a performance guideline is violated (Traeff, Gropp, Thakur, "
		"\"Self-consistent MPI Performance Guidelines\"; Traeff and Hunold, \"Decomposing MPI "
		"Collectives for Exploiting Multi-lane Communication\").\n\n"
		"The list has the guidelines of each collective with predicted times on this "
		"placement: of what the library takes by itself, and of the mock-up, whose parts are "
		"what it takes for these. Mock-ups over lanes are the algorithm lane of the "
		"catalogue, with one leader a node where lanes=1. What is reduced locally costs "
		"nothing more than schedules say. Where the library's choice is not known, the "
		"fastest algorithm that needs no placement stands for it.\n\n"
		"Predictions tell where to look: a question mark stands where a violation is foreseen, "
		"in parentheses where it rests on a choice that is not known. The JSON document has a "
		"place for measured times; with --measured they stand beside the predicted ones, and "
		"what they violate by more than 3 % has an exclamation mark.",
	.operands = operands,
	.options = options,
	.args_size = sizeof(struct guidelines_args),
	.examples = examples,
	.see_also = "topomap-score(1), topomap-lanes(1), topomap(7), topomap-json(5)",
	.run = run,
};
