/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lint_rules.h - the functions behind core/lint/lint.c's rows, and what they share.
 */
#ifndef TMAP_CORE_LINT_LINT_RULES_H
#define TMAP_CORE_LINT_LINT_RULES_H

#include "core/lint/lint.h"

/* what ranks are bound to */
int tmap_lint_unbound(struct tmap_finding *, const struct tmap_inspection *, struct tmap_error *);
int tmap_lint_shared_pu(struct tmap_finding *, const struct tmap_inspection *, struct tmap_error *);
int tmap_lint_idle_cores(struct tmap_finding *, const struct tmap_inspection *,
			 struct tmap_error *);
int tmap_lint_shared_core(struct tmap_finding *, const struct tmap_inspection *,
			  struct tmap_error *);
int tmap_lint_two_packages(struct tmap_finding *, const struct tmap_inspection *,
			   struct tmap_error *);
int tmap_lint_two_numa(struct tmap_finding *, const struct tmap_inspection *, struct tmap_error *);
int tmap_lint_far_memory(struct tmap_finding *, const struct tmap_inspection *,
			 struct tmap_error *);

/* adapters and GPUs */
int tmap_lint_far_adapter(struct tmap_finding *, const struct tmap_inspection *,
			  struct tmap_error *);
int tmap_lint_one_adapter(struct tmap_finding *, const struct tmap_inspection *,
			  struct tmap_error *);
int tmap_lint_far_gpu(struct tmap_finding *, const struct tmap_inspection *, struct tmap_error *);

/* ranks over nodes */
int tmap_lint_uneven(struct tmap_finding *, const struct tmap_inspection *, struct tmap_error *);
int tmap_lint_not_consecutive(struct tmap_finding *, const struct tmap_inspection *,
			      struct tmap_error *);
int tmap_lint_long_mapping(struct tmap_finding *, const struct tmap_inspection *,
			   struct tmap_error *);
int tmap_lint_no_common_switch(struct tmap_finding *, const struct tmap_inspection *,
			       struct tmap_error *);

/* what the MPI library will do */
int tmap_lint_slow_order(struct tmap_finding *, const struct tmap_inspection *,
			 struct tmap_error *);

/** Add the ranks that sit on the places marked in @p marked to the finding. O(p). */
int tmap_lint_collect(struct tmap_finding *finding, const struct tmap_placement *p,
		      const bool *marked, struct tmap_error *err);

/** A fix of constant words and numbers, with what stands in braces in the words of the launchers
 *  (fix.h); the caller's to free. */
char *tmap_lint_fix(const struct tmap_finding *finding, const char *text, struct tmap_error *err);

/** Number of ranks of the finding. */
int tmap_lint_ranks(const struct tmap_finding *finding);

/** "1 rank is", "7 ranks are". */
#define TMAP_LINT_ARE(count) (count), (count) == 1 ? " is" : "s are"

/** 0 if both texts of the finding are there, else -1: memory was refused. */
int tmap_lint_done(const struct tmap_finding *finding);

#endif
