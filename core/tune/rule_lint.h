/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rule_lint.h - what is wrong with a rule file of Open MPI, line by line.
 *
 *     line 9   order         1000 bytes stand behind 4000, so the rule before it is never taken
 *     line 12  two-ranks     algorithm 6 is for two ranks, and this is for 4: the program ends
 *     line 15  slower        linear takes 3.1 times as long as what the library takes by itself
 *
 * The last kind wants a placement.
 */
#ifndef TMAP_CORE_TUNE_RULE_LINT_H
#define TMAP_CORE_TUNE_RULE_LINT_H

#include "core/tune/rule_file.h"
#include "core/tune/tune_places.h"

/** What can be wrong: rows are struct tmap_keyword. */
extern const struct tmap_keywords tmap_rule_mistakes;

struct tmap_rule_finding {
	int line;
	int mistake;   /**< row of that table */
	char *text;    /**< what is wrong, and what comes of it */
	char *fix;     /**< what to write instead */
	bool is_fatal; /**< the program ends by it, on any communicator */
};

struct tmap_rule_findings {
	int count;
	size_t capacity;
	struct tmap_rule_finding *finding; /**< [count], by line */
};

/** A rule that takes so many times as long as the library's own choice is slower. */
#define TMAP_RULE_SLOWER 1.1

/** All mistakes of a file that was read, for a library of Open MPI, or UCC. With @p places (NULL: none) also
 *  those that only a job has: sizes of communicators that it cannot have, and rules that are slower
 *  than what the library takes by itself, at sizes up to @p most, by measured times
 *  (tmap_tune_places_measure()) where both are known. O(rules) for each
 *  communicator of the job and each power of two of bytes, and a time of a schedule and of the
 *  library's own choice. */
int tmap_rule_lint(struct tmap_rule_findings *findings, const struct tmap_rule_file *file,
		   int library, const struct tmap_tune_places *places, int64_t most,
		   struct tmap_error *err);
void tmap_rule_findings_fini(struct tmap_rule_findings *findings);

#endif
