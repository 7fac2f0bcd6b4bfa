/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lint.h - what is wrong with a placement, why, for whom, and what to do.
 *
 * Each rule is a row: a name, what it finds, and a function that finds it. A rule gives
 * at most one finding, with all the ranks it concerns.
 */
#ifndef TMAP_CORE_LINT_LINT_H
#define TMAP_CORE_LINT_LINT_H

#include "core/base/keyword.h"
#include "core/lint/fix.h"
#include "core/lint/inspection.h"

struct tmap_finding {
	const char *name; /**< of the rule */
	char *reason;     /**< a sentence without full stop; NULL: nothing is wrong */
	char *fix;        /**< what to do, the same */
	struct tmap_idset ranks;
	/** Whose words the fix has; NULL at the end. Borrowed, as long as the rules are applied. */
	const struct tmap_fix_words *const *launchers;
};

struct tmap_lint_rule {
	struct tmap_keyword word;
	/** Set *finding (zeroed before, but for its name and launchers) if there is one; -1 only
	 *  where memory is refused. */
	int (*check)(struct tmap_finding *finding, const struct tmap_inspection *it,
		     struct tmap_error *err);
};

struct tmap_lint {
	int count;
	struct tmap_finding *finding; /**< [count], in the order of the rules */
};

/** Apply every rule to an inspected placement; fixes are in the words of @p launchers, which NULL
 *  ends. O(p + places x objects), and O(ranks x PUs)
 *  for each kind of node that has cores shared. */
int tmap_lint_init(struct tmap_lint *lint, const struct tmap_inspection *inspection,
		   const struct tmap_fix_words *const *launchers, struct tmap_error *err);
void tmap_lint_fini(struct tmap_lint *lint);

#endif
