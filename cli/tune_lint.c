/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/tune_lint.h"

#include "cli/base/adapters.h"
#include "cli/base/call_options.h"
#include "cli/base/other_file.h"
#include "cli/tune_library.h"
#include "core/tune/rule_lint.h"
#include "formats/base/format.h"
#include "formats/base/input.h"
#include "formats/base/output.h"
#include "formats/rules/findings_report.h"
#include "formats/rules/openmpi_rules.h"

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

int tmap_tune_lint(const struct tmap_tune_lint *lint, struct tmap_error *err)
{
	struct tmap_profile_request profile = { 0 };
	struct tmap_record record = { 0 };
	struct tmap_tune_places places = { 0 };
	struct tmap_rule_findings findings = { 0 };
	struct tmap_rule_file file = { 0 };
	int library = lint->library, status = -1;

	if (lint->input && strcmp(lint->input, "-") == 0 && strcmp(lint->rules, "-") == 0)
		return tmap_fail(err, TMAP_USAGE,
				 "only one of --lint and the placement can be standard input");
	if (tmap_openmpi_rules_read(&file, lint->rules, err) < 0) {
		tmap_wrap(err, "--lint");
		goto out;
	}
	if (lint->input &&
	    (tmap_record_operand(&record, lint->input, err) < 0 ||
	     tmap_adapters_option(&record.placement, lint->adapters, err) < 0 ||
	     tmap_tune_library_pick(&library,
				    &(struct tmap_tune_library){ .wanted = library,
								 .record = &record,
								 .placement = &record.placement },
				    err) < 0 ||
	     tmap_profile_option(&profile, lint->profile, &record.placement, err) < 0 ||
	     tmap_tune_places_init(&places, &record.placement, &profile.profile, err) < 0))
		goto out;
	if (tmap_rule_lint(&findings, &file, library, lint->input ? &places : NULL, lint->most,
			   err) == 0)
		status = write_findings(&findings, lint, library, err);
out:
	tmap_rule_findings_fini(&findings);
	tmap_tune_places_fini(&places);
	tmap_record_fini(&record);
	tmap_profile_request_fini(&profile);
	tmap_rule_file_fini(&file);
	return status;
}
