/*
 * lint_rules.h - the functions behind core/lint/lint.c's rows, and what they share.
 */
#ifndef TM_LINT_RULES_H
#define TM_LINT_RULES_H

#include "core/lint/lint.h"

/* what ranks are bound to */
int tm_lint_unbound(struct tm_finding *, const struct tm_inspection *, struct tm_error *);
int tm_lint_shared_pu(struct tm_finding *, const struct tm_inspection *, struct tm_error *);
int tm_lint_idle_cores(struct tm_finding *, const struct tm_inspection *, struct tm_error *);
int tm_lint_shared_core(struct tm_finding *, const struct tm_inspection *, struct tm_error *);
int tm_lint_two_packages(struct tm_finding *, const struct tm_inspection *, struct tm_error *);
int tm_lint_two_numa(struct tm_finding *, const struct tm_inspection *, struct tm_error *);
int tm_lint_far_memory(struct tm_finding *, const struct tm_inspection *, struct tm_error *);

/* adapters and GPUs */
int tm_lint_far_adapter(struct tm_finding *, const struct tm_inspection *, struct tm_error *);
int tm_lint_one_adapter(struct tm_finding *, const struct tm_inspection *, struct tm_error *);
int tm_lint_far_gpu(struct tm_finding *, const struct tm_inspection *, struct tm_error *);

/* ranks over nodes */
int tm_lint_uneven(struct tm_finding *, const struct tm_inspection *, struct tm_error *);
int tm_lint_not_consecutive(struct tm_finding *, const struct tm_inspection *, struct tm_error *);
int tm_lint_long_mapping(struct tm_finding *, const struct tm_inspection *, struct tm_error *);
int tm_lint_no_common_switch(struct tm_finding *, const struct tm_inspection *,
			     struct tm_error *);

/* what the MPI library will do */
int tm_lint_slow_order(struct tm_finding *, const struct tm_inspection *, struct tm_error *);

/** Add the ranks that sit on the places marked in @p marked to the finding. O(p). */
int tm_lint_collect(struct tm_finding *finding, const struct tm_placement *p, const bool *marked,
		    struct tm_error *err);

/** Number of ranks of the finding. */
int tm_lint_ranks(const struct tm_finding *finding);

/** "1 rank is", "7 ranks are". */
#define TM_LINT_ARE(count) (count), (count) == 1 ? " is" : "s are"

/** 0 if both texts of the finding are there, else -1: memory was refused. */
int tm_lint_done(const struct tm_finding *finding);

#endif
