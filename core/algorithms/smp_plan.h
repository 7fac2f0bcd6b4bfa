/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * smp_plan.h - the steps of each collective of smp.c, as rows.
 *
 *     reduce     within, between, | within (the root's node, late), to the root
 *                segments go through what stands before the line
 */
#ifndef TMAP_CORE_ALGORITHMS_SMP_PLAN_H
#define TMAP_CORE_ALGORITHMS_SMP_PLAN_H

#include "core/schedule/emit.h"

/** Who takes part in a step. Phases (core/algorithms/phase.h) first. */
enum tmap_smp_where {
	TMAP_SMP_END,            /**< no step: the row ends */
	TMAP_SMP_WITHIN,         /**< the ranks of each node */
	TMAP_SMP_WITHIN_LATER,   /**< of each but the first */
	TMAP_SMP_WITHIN_LATE,    /**< of that of the root alone, where it is late */
	TMAP_SMP_RELEASE,        /**< of each node: its barrier again, or a bcast of a byte */
	TMAP_SMP_BETWEEN,        /**< the leaders */
	TMAP_SMP_FROM_ROOT,      /**< no phase: the root to its node's leader */
	TMAP_SMP_TO_ROOT,        /**< rank 0 to the root */
	TMAP_SMP_LAST_TO_LEADER, /**< the last rank of each node to its leader */
	TMAP_SMP_TO_NEXT,        /**< each leader to the next one */
	TMAP_SMP_WORD,           /**< a word for the ranks of each node */
};

/** The values of the parameter "lead". */
enum tmap_smp_lead { TMAP_SMP_FIRST, TMAP_SMP_COLUMN, TMAP_SMP_SWAPPED, TMAP_SMP_LATE };

enum { TMAP_SMP_STEPS = 6 };

struct tmap_smp_step {
	enum tmap_smp_where where;
	enum tmap_collective collective;
	const char *param; /**< the parameter that names its algorithm */
	const char *later; /**< and for all but the first segment; NULL: the same */
	enum tmap_buffer on;
};

struct tmap_smp_plan {
	struct tmap_smp_step step[TMAP_SMP_STEPS + 1];
	int first, end; /**< of the steps that segments go through */
};

/** Of the collective of a call, which has one. */
const struct tmap_smp_plan *tmap_smp_plan(const struct tmap_call *call);

/** A parameter of the call by its key; 0 where its collective has none of that name. */
int64_t tmap_smp_value(const struct tmap_call *call, const char *key);

bool tmap_smp_is_phase(const struct tmap_smp_step *step);

/** The algorithm of a phase, or of the word, for a segment. */
struct tmap_spec tmap_smp_inner(const struct tmap_call *call, const struct tmap_smp_step *step,
				int64_t segment);

#endif
