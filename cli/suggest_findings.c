/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/suggest_findings.h"

#include "core/base/mem.h"
#include "core/base/string.h"
#include "core/lint/job_command.h"
#include "core/lint/lint.h"
#include "formats/launchers/common/shell.h"

#include <string.h>

/* The rules that look at the order of the ranks. */
static uint64_t rules_of_order(void)
{
	uint64_t mask = 0;

	for (int row = 0; tmap_lint_rule_at(row); row++)
		if (tmap_lint_rule_at(row)->subject == TMAP_LINT_OF_ORDER)
			mask |= TMAP_KEYWORDS_BIT(row);
	return mask;
}

static char *print_sentence(const struct tmap_lint *lint, const char *job, struct tmap_error *err)
{
	struct tmap_str str = TMAP_STR_INIT;

	tmap_str_add(&str, "This mapping keeps what no order of the ranks mends:");
	for (int i = 0; i < lint->count; i++)
		if (lint->finding[i].severity >= TMAP_SEVERITY_WARNING)
			tmap_str_addf(
				&str, "%s %s (%s)", i ? "," : "", lint->finding[i].rule->word.name,
				tmap_keywords_at(&tmap_severities, lint->finding[i].severity)->name);
	tmap_str_add(&str, "; fixes: topomap ");
	if (job) {
		tmap_str_add(&str, "inspect --lint ");
		tmap_shell_add_file(&str, strcmp(job, "-") == 0 ? TMAP_JOB_OF_STDIN : job);
	} else {
		tmap_str_add(&str, "help lint");
	}
	tmap_str_add(&str, "\n");
	return tmap_str_take(&str, err);
}

char *tmap_suggest_print_findings(const struct tmap_placement *p,
				  const struct tmap_origin *launched, const char *job,
				  struct tmap_error *err)
{
	static const struct tmap_fix_words *const none[] = { NULL };
	const struct tmap_lint_request request = { none, rules_of_order() };
	struct tmap_placement judged = *p; /* borrowed, all of it */
	struct tmap_inspection inspection = { 0 };
	struct tmap_lint lint = { 0 };
	char *text = NULL;

	judged.origin = *launched;
	if (tmap_inspection_init(&inspection, &judged, TMAP_SCALE_PROCESS, err) == 0 &&
	    tmap_lint_init(&lint, &inspection, &request, err) == 0)
		text = tmap_lint_count(&lint, TMAP_SEVERITY_WARNING) ?
			print_sentence(&lint, job, err) :
			tmap_strdup("", err);
	tmap_lint_fini(&lint);
	tmap_inspection_fini(&inspection);
	return text;
}
