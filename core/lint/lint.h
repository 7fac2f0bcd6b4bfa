/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lint.h - what is wrong with a placement, why, for whom, and what to do.
 *
 * Each rule is a row: a name, what it finds, why that matters, what to do, how much it weighs, and
 * a function that looks for it. A rule gives at most one finding, with all the ranks it concerns
 * and the numbers of its sentence. One that cannot answer is skipped, and says why:
 *
 *     rule          idle-cores               slow-order
 *     answer        found                    skipped
 *     ranks         0-1
 *     reason        "3 of 4 cores idle       "it would take 3e+12 steps, and 1e+10 are
 *                   ..., while ..."           the most"
 *     figures       idle_cores 3, cores 4
 */
#ifndef TMAP_CORE_LINT_LINT_H
#define TMAP_CORE_LINT_LINT_H

#include "core/base/keyword.h"
#include "core/lint/fix.h"
#include "core/lint/inspection.h"

enum {
	TMAP_LINT_FIGURES = 8, /**< the most that a rule has */
	TMAP_LINT_RULES = 64,  /**< the most rules: --ignore is a mask of them */
};

/** How much a finding weighs. */
enum tmap_severity {
	TMAP_SEVERITY_HINT,    /**< a trade-off: as it should be for some programs */
	TMAP_SEVERITY_WARNING, /**< costs many programs time */
	TMAP_SEVERITY_ERROR,   /**< costs nearly every program much time */
};
extern const struct tmap_keywords tmap_severities;

/** What a rule looks at. */
enum tmap_lint_subject {
	TMAP_LINT_OF_BINDING, /**< what ranks are bound to, and what they leave idle */
	TMAP_LINT_OF_NODES,   /**< which nodes the job has, and how many ranks are on each */
	TMAP_LINT_OF_ORDER,   /**< the order of the ranks on their places */
};

/** What a rule says. */
enum tmap_lint_answer {
	TMAP_LINT_FAILED = -1, /**< memory was refused; *err is set */
	TMAP_LINT_NOTHING,     /**< nothing is wrong */
	TMAP_LINT_FOUND,       /**< ranks and reason are set, fix where it is not the row's */
	TMAP_LINT_SKIPPED,     /**< it cannot be said, and reason is why */
};

struct tmap_lint_rule;

struct tmap_finding {
	const struct tmap_lint_rule *rule;
	enum tmap_severity
		severity; /**< the rule's, or another where the placement weighs more, or less */
	char *reason; /**< a sentence without full stop: what is wrong, the figures that decide first,
			   and why it matters; its subject are the ranks where it names no other */
	int what;     /**< so many bytes of it are what is wrong */
	char *fix;    /**< what to do, the same */
	struct tmap_idset ranks;
	struct tmap_idset parts; /**< of inspection.h: those that these ranks are of; empty where
				      the job has one program */
	double figure[TMAP_LINT_FIGURES]; /**< of the rule's figures; NAN where there is none */
	/** Whose words the fix has; NULL at the end. Borrowed, as long as the rules are applied, as is
	 *  what they are applied to. */
	const struct tmap_fix_words *const *launchers;
	const struct tmap_inspection *inspection;
};

struct tmap_lint_rule {
	struct tmap_keyword word; /**< what it finds */
	const char *why;          /**< why that matters: what follows "so many ranks are so: " */
	const char *fix;          /**< what to do (fix.h) */
	enum tmap_severity severity;
	enum tmap_lint_subject subject;
	bool is_advice; /**< the verdict has a sentence of its own for it, with what it advises */
	/** It counts what no rank has: it cannot answer where a placement has some ranks of a job only,
	 *  and not what the others take. */
	bool needs_all;
	const char *figure[TMAP_LINT_FIGURES + 1]; /**< names of its numbers; NULL ends them */

	/** Look for it. *finding is zeroed before, but for its rule, severity,
	 *  figures, launchers and inspection. */
	enum tmap_lint_answer (*check)(struct tmap_finding *finding,
				       const struct tmap_inspection *it, struct tmap_error *err);
	/** Steps that check() takes, roughly; above TMAP_LINT_STEPS it is not called. NULL: a few
	 *  for each rank. */
	double (*steps)(const struct tmap_inspection *it);
};

#define TMAP_LINT_STEPS 2e9

/** The rules, in the order in which they are applied. */
extern const struct tmap_keywords tmap_lint_rules;
const struct tmap_lint_rule *tmap_lint_rule_at(int row);

/** A rule that gave no answer. */
struct tmap_lint_skip {
	const struct tmap_lint_rule *rule;
	char *reason; /**< a sentence without full stop */
};

struct tmap_lint {
	int count;
	struct tmap_finding *finding; /**< [count], those that weigh most first, else as the rules */
	int skipped_count;
	struct tmap_lint_skip *skipped; /**< [skipped_count], the same */
	uint64_t ignored;               /**< of the request */
};

struct tmap_lint_request {
	/** In whose words fixes are; NULL ends them. */
	const struct tmap_fix_words *const *launchers;
	uint64_t ignored; /**< TMAP_KEYWORDS_BIT() of each rule that is not to be applied */
};

/** Apply the rules to an inspected placement. O(p + places x objects), and O(ranks x PUs)
 *  for each kind of node that has cores shared. */
int tmap_lint_init(struct tmap_lint *lint, const struct tmap_inspection *inspection,
		   const struct tmap_lint_request *request, struct tmap_error *err);
void tmap_lint_fini(struct tmap_lint *lint);

/** Findings that weigh at least so much. */
int tmap_lint_count(const struct tmap_lint *lint, enum tmap_severity least);

/** "3 findings (1 error, 2 hints)", "2 findings (warnings)": how many of each weight there are, as every text
 *  says it; the caller's to free. */
char *tmap_lint_print_count(const struct tmap_lint *lint, struct tmap_error *err);

#endif
