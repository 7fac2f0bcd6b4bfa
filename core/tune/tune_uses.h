/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tune_uses.h - which measured calls rules come from, and why others are left out.
 *
 *     allgather  native         blocking     root 0   right      used
 *     allgather  native:ring    nonblocking                      mode
 *     bcast      native                      root 3              root
 *     bcast      native:flat    blocking     root 0   wrong      wrong
 *     reduce     native:linear  blocking     root 0   right      unsaid: no rule can say it
 *     gather     native         blocking     root 0   right      no rules are searched for: not counted
 */
#ifndef TMAP_CORE_TUNE_TUNE_USES_H
#define TMAP_CORE_TUNE_TUNE_USES_H

#include "core/tune/tuning.h"

enum tmap_tune_use {
	TMAP_TUNE_USED,
	TMAP_TUNE_MODE,   /**< rules are for blocking calls */
	TMAP_TUNE_ROOT,   /**< of another root than 0 */
	TMAP_TUNE_WRONG,  /**< results were not right */
	TMAP_TUNE_UNSAID, /**< the library's algorithm is none that a rule can say */
	TMAP_TUNE_USES
};

/** What becomes of a measured call of the collective of these choices. */
enum tmap_tune_use tmap_tune_use_of(const struct tmap_tune_choices *choices,
				    const struct tmap_experiment *experiment);

struct tmap_tune_uses {
	int count[TMAP_TUNE_USES]; /**< measured calls of collectives that rules are searched for */
	bool decides;              /**< some rules, or the lack of them, come from them */
	bool apart; /**< two sizes at which the library's own choice was measured, and none between, are
			 more than TMAP_TUNE_APART times apart: times between are predicted */
};

/** Of the times on place @p p. O(experiments x collectives), and the square of those of the own choice. */
struct tmap_tune_uses tmap_tune_uses_find(const struct tmap_tuning *tuning, int p);

#endif
