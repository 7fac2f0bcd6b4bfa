/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rule_lint_parts.h - what the files of rule_lint.h have in common.
 */
#ifndef TMAP_CORE_TUNE_RULE_LINT_PARTS_H
#define TMAP_CORE_TUNE_RULE_LINT_PARTS_H

#include "core/tune/rule_lint.h"

enum tmap_rule_mistake {
	TMAP_MISTAKE_VERSION,
	TMAP_MISTAKE_COUNT,
	TMAP_MISTAKE_FIRST,
	TMAP_MISTAKE_ORDER,
	TMAP_MISTAKE_UNIT,
	TMAP_MISTAKE_ALGORITHM,
	TMAP_MISTAKE_TWO_RANKS,
	TMAP_MISTAKE_SIZE,
	TMAP_MISTAKE_JOB,
	TMAP_MISTAKE_END,
	TMAP_MISTAKE_MEMBER,
	TMAP_MISTAKE_GAP,
	TMAP_MISTAKE_PARAMETER,
	TMAP_MISTAKE_SLOWER,
	TMAP_MISTAKES
};

/** One more, of texts that are taken also where that fails, or one of them is NULL. */
int tmap_rule_findings_add_take(struct tmap_rule_findings *findings, enum tmap_rule_mistake mistake,
				int line, char *text, char *fix, struct tmap_error *err);

/** Put them in the order of lines. */
void tmap_rule_findings_sort(struct tmap_rule_findings *findings);

/** Mistakes of a file with ranges, but for those. */
int tmap_rule_lint_ranges(struct tmap_rule_findings *findings, const struct tmap_rule_file *file,
			  const struct tmap_tune_places *places, struct tmap_error *err);

/** Mistakes of a file of coll/han, but for those of its origin and end. */
int tmap_han_lint(struct tmap_rule_findings *findings, const struct tmap_rule_file *file,
		  int library, const struct tmap_tune_places *places, struct tmap_error *err);

/** Those of the rules that are slower than the library's own choice, each once, where that is most so: as
 *  was measured where both were, and then for sure, else as is predicted. */
int tmap_rule_lint_slower(struct tmap_rule_findings *findings, const struct tmap_rule_file *file,
			  int library, const struct tmap_tune_places *places, int64_t most,
			  struct tmap_error *err);

#endif
