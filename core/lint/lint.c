/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/lint/lint.h"

#include "core/base/mem.h"
#include "core/base/string.h"
#include "core/lint/lint_rules.h"

#include <math.h>
#include <stdlib.h>

static const struct tmap_keyword severities[] = {
	[TMAP_SEVERITY_HINT] = { "hint", "a trade-off: as it should be for some programs" },
	[TMAP_SEVERITY_WARNING] = { "warning", "costs many programs time" },
	[TMAP_SEVERITY_ERROR] = { "error", "costs nearly every program much time" },
	{ NULL, NULL },
};

const struct tmap_keywords tmap_severities = TMAP_KEYWORDS("severity", severities);

static void finding_fini(struct tmap_finding *finding)
{
	free(finding->reason);
	free(finding->fix);
	tmap_idset_fini(&finding->ranks);
	tmap_idset_fini(&finding->parts);
}

void tmap_lint_fini(struct tmap_lint *lint)
{
	for (int i = 0; i < lint->count; i++)
		finding_fini(&lint->finding[i]);
	for (int i = 0; i < lint->skipped_count; i++)
		free(lint->skipped[i].reason);
	free(lint->finding);
	free(lint->skipped);
	*lint = (struct tmap_lint){ 0 };
}

/* Reasons not to begin. */
static enum tmap_lint_answer rule_check(struct tmap_finding *finding,
					const struct tmap_inspection *it, bool is_ignored,
					struct tmap_error *err)
{
	const struct tmap_lint_rule *rule = finding->rule;
	double steps = rule->steps ? rule->steps(it) : 0;
	enum tmap_lint_answer answer;

	if (is_ignored)
		return tmap_lint_skipped_take(finding,
					      tmap_strdup("it was asked to be left out", err));
	if (rule->needs_all && tmap_inspection_is_of_part(it))
		return tmap_lint_skipped_take(
			finding,
			tmap_strdup("the placement has some ranks of a job, and does not "
				    "say where the others are",
				    err));
	if (steps > TMAP_LINT_STEPS)
		return tmap_lint_skipped_take(
			finding,
			tmap_format(err,
				    "the job is too large: it would take %.0e steps, and %.0e "
				    "are the most",
				    steps, TMAP_LINT_STEPS));
	answer = rule->check(finding, it, err);
	/* what cannot be computed of this job is no reason to fail the command */
	if (answer == TMAP_LINT_FAILED && err->kind == TMAP_INPUT)
		return tmap_lint_skipped_take(finding, tmap_strdup(err->text, err));
	return answer;
}

/* Takes the finding, whatever it answers. */
static int lint_add(struct tmap_lint *lint, struct tmap_finding *finding,
		    enum tmap_lint_answer answer, struct tmap_error *err)
{
	if (answer == TMAP_LINT_FOUND && !finding->fix)
		finding->fix = tmap_lint_fix(finding, finding->rule->fix, err);
	if (answer == TMAP_LINT_FOUND && !finding->fix)
		answer = TMAP_LINT_FAILED;
	finding->launchers = NULL;
	finding->inspection = NULL;
	if (answer == TMAP_LINT_FOUND) {
		lint->finding[lint->count++] = *finding;
		return 0;
	}
	if (answer == TMAP_LINT_SKIPPED) {
		lint->skipped[lint->skipped_count++] =
			(struct tmap_lint_skip){ finding->rule, finding->reason };
		finding->reason = NULL;
	}
	finding_fini(finding);
	return answer == TMAP_LINT_FAILED ? -1 : 0;
}

/* A few findings, of which equals stay as they are. */
static void lint_sort(struct tmap_lint *lint)
{
	for (int i = 1; i < lint->count; i++) {
		struct tmap_finding finding = lint->finding[i];
		int at = i;

		for (; at > 0 && lint->finding[at - 1].severity < finding.severity; at--)
			lint->finding[at] = lint->finding[at - 1];
		lint->finding[at] = finding;
	}
}

int tmap_lint_init(struct tmap_lint *lint, const struct tmap_inspection *inspection,
		   const struct tmap_lint_request *request, struct tmap_error *err)
{
	struct tmap_lint made = { .ignored = request->ignored };
	const struct tmap_lint_rule *rule;

	made.finding = tmap_alloc(TMAP_LINT_RULES, sizeof *made.finding, err);
	made.skipped = tmap_alloc(TMAP_LINT_RULES, sizeof *made.skipped, err);
	if (!made.finding || !made.skipped)
		goto refused;
	for (int i = 0; (rule = tmap_lint_rule_at(i)); i++) {
		struct tmap_finding finding = { .rule = rule,
						.severity = rule->severity,
						.launchers = request->launchers,
						.inspection = inspection };
		enum tmap_lint_answer answer;

		for (int f = 0; f < TMAP_LINT_FIGURES; f++)
			finding.figure[f] = NAN;
		answer = rule_check(&finding, inspection, request->ignored & TMAP_KEYWORDS_BIT(i),
				    err);
		if (lint_add(&made, &finding, answer, err) < 0)
			goto refused;
	}
	lint_sort(&made);
	*lint = made;
	return 0;
refused:
	tmap_lint_fini(&made);
	return -1;
}

int tmap_lint_count(const struct tmap_lint *lint, enum tmap_severity least)
{
	int count = 0;

	for (int i = 0; i < lint->count; i++)
		count += lint->finding[i].severity >= least;
	return count;
}

char *tmap_lint_print_count(const struct tmap_lint *lint, struct tmap_error *err)
{
	struct tmap_str parts = TMAP_STR_INIT;
	const char *comma = "";
	char *text, *whole;
	int all = lint->count;

	for (int s = TMAP_SEVERITY_ERROR; s >= TMAP_SEVERITY_HINT; s--) {
		int count = tmap_lint_count(lint, (enum tmap_severity)s) -
			tmap_lint_count(lint, (enum tmap_severity)(s + 1));

		if (!count)
			continue;
		if (count < all)
			tmap_str_addf(&parts, "%s%d ", comma, count);
		tmap_str_addf(&parts, "%s%s", severities[s].name, count == 1 ? "" : "s");
		comma = ", ";
	}
	text = tmap_str_take(&parts, err);
	if (!text)
		return NULL;
	whole = tmap_format(err, "%d finding%s (%s)", lint->count, lint->count == 1 ? "" : "s",
			    text);
	free(text);
	return whole;
}
