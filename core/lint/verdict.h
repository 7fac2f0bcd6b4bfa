/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * verdict.h - what an expert asks first of a job: are the ranks bound well, is anything crowded
 * or idle, does their order fit what the MPI library runs.
 *
 *     32 ranks on 4 nodes of 16 cores, a core each
 *     is_bound_well     yes: no finding but of orders and nodes
 *     ranks_per_core    0.5
 *     idle_cores        32 of 64, and with them 4 of 8 packages
 *     advice            core/lint/advice.h
 */
#ifndef TMAP_CORE_LINT_VERDICT_H
#define TMAP_CORE_LINT_VERDICT_H

#include "core/lint/advice.h"
#include "core/lint/lint.h"

/** Objects on the nodes that the job uses, and those on which no rank may run. */
struct tmap_verdict_use {
	int64_t objects, idle;
};

struct tmap_verdict {
	const struct tmap_inspection *inspection; /**< borrowed, as the next two */
	const struct tmap_lint *lint;
	const struct tmap_advice *advice;
	bool is_bound_well;    /**< no error or warning is about what ranks are bound to */
	int unbound;           /**< ranks that are not bound */
	int64_t threads;       /**< of all ranks; where nothing says how many, one for each */
	bool is_counted;       /**< the next ones are known; else the job is too large for it */
	double ranks_per_core; /**< on the node where they are most */
	struct tmap_verdict_use cores, packages, numas;
};

/** Judge. O(kinds of nodes x (objects + places)), or without what is counted where that is above
 *  TMAP_LINT_STEPS. */
int tmap_verdict_init(struct tmap_verdict *verdict, const struct tmap_inspection *inspection,
		      const struct tmap_lint *lint, const struct tmap_advice *advice,
		      struct tmap_error *err);

/** Is the rule about nodes and orders, not about what ranks are bound to? */
bool tmap_verdict_is_of_order(const struct tmap_lint_rule *rule);

#endif
