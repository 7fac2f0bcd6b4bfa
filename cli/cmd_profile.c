/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/base/call_options.h"
#include "cli/base/command.h"
#include "formats/base/format.h"
#include "formats/base/output.h"
#include "formats/report/profile/profile_plot.h"
#include "formats/report/profile/profile_report.h"

struct profile_args {
	const char *profile, *output;
	int format;
};

static const struct tmap_opt operands[] = {
	{ TMAP_OPT_OF(struct profile_args, profile, const char *, &tmap_opt_word_or_file, 0, NULL,
		      "PROFILE", NULL,
		      "file of a profile, or one of those published; without it these are listed"),
	  .words = &tmap_profiles, .among = TMAP_KEYWORDS_ALL },
	TMAP_OPT_END,
};

static const struct tmap_opt options[] = {
	{ TMAP_OPT_FORMAT(struct profile_args, format, "text",
			  TMAP_KEYWORDS_BIT(TMAP_FORMAT_TEXT) |
				  TMAP_KEYWORDS_BIT(TMAP_FORMAT_JSON) |
				  TMAP_KEYWORDS_BIT(TMAP_FORMAT_SVG)) },
	{ TMAP_OPT_OUTPUT(struct profile_args, output) },
	TMAP_OPT_END,
};

static const struct tmap_example examples[] = {
	{ "list the published profiles", "topomap profile", NULL },
	{ "show one with its sources", "topomap profile gigabit", NULL },
	{ "make it the beginning of one's own", "topomap profile epyc-hdr -o ours.json", NULL },
	{ "draw what its messages cost, over their bytes",
	  "topomap profile epyc-hdr -o epyc-hdr.svg", NULL },
	{ NULL, NULL, NULL },
};

static int write_profile(FILE *out, const struct profile_args *args,
			 const struct tmap_profile_request *choice, struct tmap_error *err)
{
	if (args->format == TMAP_FORMAT_SVG)
		return tmap_svg_write_profile(out, &choice->profile, err);
	if (args->format == TMAP_FORMAT_JSON)
		return tmap_profile_write_json(&choice->profile, out, err);
	return args->profile ? tmap_text_write_whole_profile(out, &choice->profile, err) :
			       tmap_text_write_profiles(out, err);
}

static int run(const void *data, struct tmap_error *err)
{
	const struct profile_args *args = data;
	struct tmap_profile_request choice = { 0 };
	struct tmap_output out = { 0 };
	int status;

	if (!args->profile && args->format != TMAP_FORMAT_TEXT)
		return tmap_fail(err, TMAP_USAGE, "a %s has one profile: name it",
				 args->format == TMAP_FORMAT_JSON ? "document" : "picture");
	status = tmap_profile_choose(&choice, args->profile, NULL, err);
	if (status == 0)
		status = tmap_output_init(&out, args->output, err);
	if (status == 0)
		status = write_profile(out.file, args, &choice, err);
	status = tmap_output_end(&out, status, err);
	tmap_profile_request_fini(&choice);
	return status;
}

const struct tmap_command tmap_cmd_profile = {
	.name = "profile",
	.summary = "show a cost profile, or write it as a document",
	.description =
		"A cost profile says what messages cost: predictions rest on one. Prints what "
		"a published one or that of a file has, and where its numbers come from; "
		"as a document it is the beginning of one's own.",
	.operands = operands,
	.options = options,
	.args_size = sizeof(struct profile_args),
	.examples = examples,
	.run = run,
};
