/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/base/call_options.h"
#include "cli/base/command.h"
#include "cli/profile_sources.h"
#include "core/base/utf8.h"
#include "core/cost/profile_trust.h"
#include "formats/base/format.h"
#include "formats/base/output.h"
#include "formats/report/profile/agreement_report.h"
#include "formats/report/profile/profile_plot.h"
#include "formats/report/profile/profile_report.h"

#include <stdlib.h>

struct profile_args {
	const char *profile, *output, *name, *compare;
	struct tmap_profile_sources sources;
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
	{ TMAP_OPT_PROFILE_SOURCES(struct profile_args, sources) },
	{ TMAP_OPT_STRING(struct profile_args, name, 0, "name", "NAME", NULL,
			  "with --from: what tables call the profile; imported by default") },
	{ TMAP_OPT_OF(struct profile_args, compare, const char *, &tmap_opt_word_or_file, 0,
		      "compare", "PROFILE", NULL,
		      "say whether this profile and another have the same costs, within their "
		      "confidence intervals; exit status 4 if they have not"),
	  .words = &tmap_profiles, .among = TMAP_KEYWORDS_ALL },
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
	{ "costs between nodes and in memory, as other programs measured them",
	  "topomap profile epyc-hdr --from osu:osu.txt --from stream,controllers=8:stream.txt "
	  "-o ours.json",
	  NULL },
	{ "do two calibrations agree?", "topomap profile epyc-hdr --compare epyc-hdr", NULL },
	{ NULL, NULL, NULL },
};

static int write_profile(FILE *out, const struct profile_args *args,
			 const struct tmap_profile *profile, struct tmap_error *err)
{
	if (args->format == TMAP_FORMAT_SVG)
		return tmap_svg_write_profile(out, profile, err);
	if (args->format == TMAP_FORMAT_JSON)
		return tmap_profile_write_json(profile, out, err);
	return profile ? tmap_text_write_whole_profile(out, profile, err) :
			 tmap_text_write_profiles(out, err);
}

/* The sentence of exit status 4. */
static int report_differing(const struct tmap_profile_agreement *it, struct tmap_error *err)
{
	bool is_noisy = tmap_profile_is_noisy(it->a) || tmap_profile_is_noisy(it->b);

	if (!it->differing)
		return 0;
	return tmap_fail(err, TMAP_FINDINGS, "%d of %d costs differ%s", it->differing, it->count,
			 is_noisy ? ", and the machine was not quiet" : "");
}

/* No option is ignored in silence. */
static int check(const struct profile_args *args, struct tmap_error *err)
{
	if (args->name && !args->sources.count)
		return tmap_fail(err, TMAP_USAGE, "--name is for profiles made by --from");
	if (args->name && (!*args->name || !tmap_utf8_is_plain(args->name)))
		return tmap_fail(err, TMAP_USAGE, "--name: it is empty or has a control character");
	if (args->compare && !args->profile && !args->sources.count)
		return tmap_fail(err, TMAP_USAGE, "--compare needs a PROFILE");
	if (args->compare && args->format == TMAP_FORMAT_SVG)
		return tmap_fail(err, TMAP_USAGE, "--compare cannot be combined with -f svg");
	if (!args->profile && !args->sources.count && args->format != TMAP_FORMAT_TEXT)
		return tmap_fail(err, TMAP_USAGE, "a %s has one profile: name it",
				 args->format == TMAP_FORMAT_JSON ? "document" : "picture");
	return 0;
}

static int compare(const struct profile_args *args, const struct tmap_profile *profile,
		   struct tmap_error *err)
{
	struct tmap_profile_agreement agreement = { 0 };
	struct tmap_profile_request other = { 0 };
	struct tmap_output out = { 0 };
	int status = tmap_profile_choose(&other, args->compare, NULL, err);

	if (status < 0)
		return tmap_wrap(err, "--compare");
	status = tmap_profile_agreement_init(&agreement, profile, &other.profile, err);
	if (status == 0)
		status = tmap_output_init(&out, args->output, err);
	if (status == 0)
		status = args->format == TMAP_FORMAT_JSON ?
			tmap_json_write_agreement(out.file, &agreement, err) :
			tmap_text_write_agreement(out.file, &agreement, err);
	status = tmap_output_end(&out, status, err);
	if (status == 0)
		status = report_differing(&agreement, err);
	tmap_profile_agreement_fini(&agreement);
	tmap_profile_request_fini(&other);
	return status;
}

static int show(const struct profile_args *args, const struct tmap_profile *profile,
		struct tmap_error *err)
{
	struct tmap_output out = { 0 };
	int status = tmap_output_init(&out, args->output, err);

	if (status == 0)
		status = write_profile(out.file, args, profile, err);
	return tmap_output_end(&out, status, err);
}

static int run(const void *data, struct tmap_error *err)
{
	const struct profile_args *args = data;
	struct tmap_profile_request choice = { 0 };
	struct tmap_profile_draft draft = { .row = NULL };
	const struct tmap_profile *profile = args->profile ? &choice.profile : NULL;
	char *source = NULL;
	int status = check(args, err);

	if (status == 0)
		status = tmap_profile_choose(&choice, args->profile, NULL, err);
	if (status == 0 && args->sources.count) {
		status = tmap_profile_sources_read(&draft, &source, &args->sources,
						   args->name ? args->name : "imported", profile,
						   err);
		profile = &draft.profile;
	}
	if (status == 0)
		status = args->compare ? compare(args, profile, err) : show(args, profile, err);
	tmap_profile_draft_fini(&draft);
	tmap_profile_request_fini(&choice);
	free(source);
	return status;
}

const struct tmap_command tmap_cmd_profile = {
	.name = "profile",
	.summary = "show a cost profile, or write it as a document",
	.description =
		"A cost profile says what messages cost: predictions rest on one. Prints what "
		"a published one or that of a file has, and where its numbers come from; "
		"as a document it is the beginning of one's own. With --from it is made of what "
		"other programs measured.",
	.operands = operands,
	.options = options,
	.args_size = sizeof(struct profile_args),
	.examples = examples,
	.run = run,
};
