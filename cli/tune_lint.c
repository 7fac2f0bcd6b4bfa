/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/tune_lint.h"

#include "cli/base/adapters.h"
#include "cli/base/call_options.h"
#include "cli/base/other_file.h"
#include "cli/tune_library.h"
#include "cli/tune_times.h"
#include "core/tune/rule_lint.h"
#include "core/tune/selection_lint.h"
#include "core/tune/tuning.h"
#include "formats/base/format.h"
#include "formats/base/input.h"
#include "formats/base/output.h"
#include "formats/base/progress_line.h"
#include "formats/rules/findings_report.h"
#include "formats/rules/mpich_selection.h"
#include "formats/rules/rule_forms.h"
#include "formats/rules/rule_origin.h"

#include <string.h>

static int write_findings(const struct tmap_rule_findings *findings,
			  const struct tmap_tune_lint *lint, int library, struct tmap_error *err)
{
	struct tmap_output out = { 0 };
	int status = tmap_output_init(&out, lint->output, err);

	if (status == 0 && lint->format == TMAP_FORMAT_JSON)
		status = tmap_rule_findings_write_json(out.file, findings, library, lint->rules,
						       err);
	else if (status == 0)
		tmap_rule_findings_write_text(out.file, findings, library, lint->rules);
	status = tmap_output_end(&out, status, err);
	if (status < 0 || !findings->count)
		return status;
	tmap_fail(err, TMAP_FINDINGS, "%d mistake%s", findings->count,
		  findings->count == 1 ? "" : "s");
	return tmap_at(err, tmap_input_name(lint->rules), 0);
}

/* A file that was read: of either kind, as the library has them. */
struct rules {
	struct tmap_rule_file file;
	struct tmap_selection selection;
};

static void rules_fini(struct rules *rules)
{
	tmap_selection_fini(&rules->selection);
	tmap_rule_file_fini(&rules->file);
}

static int rules_read(struct rules *rules, const char *path, int library, struct tmap_error *err)
{
	if (tmap_library_selects(library))
		return tmap_mpich_selection_read(&rules->selection, path, err);
	return tmap_rules_read(&rules->file, path, library, err);
}

static int rules_judge(struct tmap_rule_findings *findings, const struct rules *rules, int library,
		       const struct tmap_tune_places *places, int64_t most, struct tmap_error *err)
{
	if (tmap_library_selects(library))
		return tmap_selection_lint(findings, &rules->selection, library, places, most, err);
	return tmap_rule_lint(findings, &rules->file, library, places, most, err);
}

/* The rules, the placement and times: standard input can be one of them. */
static int check_inputs(const struct tmap_tune_lint *lint, struct tmap_error *err)
{
	int count = strcmp(lint->rules, "-") == 0;

	count += lint->input && strcmp(lint->input, "-") == 0;
	for (size_t i = 0; i < lint->times->count; i++)
		count += strcmp(lint->times->items[i], "-") == 0;
	return count < 2 ? 0 :
			   tmap_fail(err, TMAP_USAGE,
				     "only one of --lint, --times and the placement can be "
				     "standard input");
}

/* What costs need, and times. */
struct job {
	struct tmap_tune_documents documents;
	struct tmap_record record;
	struct tmap_profile_request profile;
	struct tmap_tune_places places;
	int64_t most; /* size that is timed */
};

static void job_fini(struct job *job)
{
	tmap_tune_places_fini(&job->places);
	tmap_profile_request_fini(&job->profile);
	tmap_record_fini(&job->record);
	tmap_tune_documents_fini(&job->documents);
}

/* Of the placement that is given, or else that of the times; of a record the communicators are those of the
 * program. */
static int job_read(struct job *job, int *library, const struct tmap_tune_lint *lint,
		    struct tmap_error *err)
{
	struct tmap_tune_documents *documents = &job->documents;
	struct tmap_placement *placement = &job->record.placement;

	if (tmap_tune_documents_read(documents, lint->times, err) < 0 ||
	    (lint->input && tmap_record_operand(&job->record, lint->input, err) < 0))
		return -1;
	if (!lint->input)
		placement = tmap_tune_documents_job(documents);
	job->most = lint->most != TMAP_NONE        ? lint->most :
		tmap_record_is_there(&job->record) ? tmap_tune_record_most(&job->record) :
						     TMAP_TUNE_PRESET;
	if (tmap_adapters_option(placement, lint->adapters, err) < 0 ||
	    tmap_tune_library_pick(library,
				   &(struct tmap_tune_library){ .wanted = *library,
								.measured = documents->count ?
									documents->times[0].mpi :
									NULL,
								.record = &job->record,
								.placement = placement },
				   err) < 0 ||
	    tmap_profile_option(&job->profile, lint->profile, placement, err) < 0 ||
	    (tmap_record_is_there(&job->record) ?
		     tmap_tune_places_init_record(&job->places, &job->record, &job->profile.profile,
						  err) :
		     tmap_tune_places_init(&job->places, placement, &job->profile.profile, err)) <
		    0)
		return -1;
	if (tmap_library_rules_by_range(*library))
		tmap_tune_places_sort_by_spread(&job->places);
	return tmap_tune_documents_give(documents, &job->places, *library, err);
}

/* Without a job: what the file says that it was made for. Standard input is read once only. */
static int library_of_file(int *library, const char *path, struct tmap_error *err)
{
	struct tmap_rule_origin origin = { 0 };

	if (strcmp(path, "-") != 0 && tmap_rule_origin_read(&origin, path, err) < 0)
		return tmap_wrap(err, "--lint");
	if (!origin.line)
		return tmap_fail(err, TMAP_USAGE,
				 "--library is missing: releases read rules differently");
	*library = origin.library;
	return 0;
}

int tmap_tune_lint(const struct tmap_tune_lint *lint, struct tmap_error *err)
{
	struct job job = { 0 };
	struct tmap_rule_findings findings = { 0 };
	struct rules rules = { 0 };
	struct tmap_progress_line line;
	bool has_job = lint->input || lint->times->count;
	int library = lint->library, status = -1;

	if (check_inputs(lint, err) < 0 ||
	    (library == TMAP_NONE && !has_job && library_of_file(&library, lint->rules, err) < 0))
		return -1;
	tmap_progress_line_start(&line, "topomap tune");
	if (has_job && job_read(&job, &library, lint, err) < 0) /* it may name the library */
		goto out;
	if (rules_read(&rules, lint->rules, library, err) < 0) {
		tmap_wrap(err, "--lint");
		goto out;
	}
	tmap_progress_begin(&line.progress, "predictions");
	status = rules_judge(&findings, &rules, library, has_job ? &job.places : NULL, job.most,
			     err);
	tmap_progress_line_fini(&line);
	if (status == 0)
		status = tmap_tune_documents_write_caveats(stderr, &job.documents, err);
	if (status == 0)
		status = write_findings(&findings, lint, library, err);
out:
	tmap_progress_line_fini(&line);
	tmap_rule_findings_fini(&findings);
	rules_fini(&rules);
	job_fini(&job);
	return status;
}
