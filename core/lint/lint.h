/*
 * lint.h - what is wrong with a placement, why, for whom, and what to do.
 *
 * Each rule is a row: a name, what it looks for, and a function that looks. A rule gives
 * at most one finding, with all the ranks it concerns.
 */
#ifndef TM_LINT_H
#define TM_LINT_H

#include "core/lint/inspection.h"
#include "core/base/keyword.h"

struct tm_finding {
	const char *name;     /**< of the rule */
	char *reason;         /**< a sentence without full stop; NULL: nothing is wrong */
	char *mend;           /**< what to do, the same */
	struct tm_idset ranks;
};

struct tm_lint_rule {
	struct tm_word word;
	/** Set *finding (zeroed before, but for its name) if there is one; -1 only where memory is
	 *  refused. */
	int (*check)(struct tm_finding *finding, const struct tm_inspection *it,
		     struct tm_error *err);
};

/** The rules by name, in the order of the report. */
extern const struct tm_words tm_lint_rules;

struct tm_lint {
	int count;
	struct tm_finding *finding; /**< [count], in the order of the rules */
};

/** Look at an inspected placement with every rule. O(p + places x objects), and O(ranks x PUs)
 *  for each kind of node that has cores shared. */
int tm_lint_init(struct tm_lint *lint, const struct tm_inspection *inspection,
		 struct tm_error *err);
void tm_lint_fini(struct tm_lint *lint);

#endif
