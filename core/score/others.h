/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * others.h - what other published profiles would choose: how far an answer hangs on its costs.
 *
 *     score by summit        swing
 *     by bluewaters          ring, 1.2 times as fast as swing there
 *     by all others          swing, too
 */
#ifndef TMAP_CORE_SCORE_OTHERS_H
#define TMAP_CORE_SCORE_OTHERS_H

#include "core/score/score.h"

/** Ranks up to which commands ask, in texts: an answer takes as long again for each profile. */
#define TMAP_OTHERS_MOST_RANKS 128

/** What is no faster than this elsewhere is no other choice. */
#define TMAP_OTHERS_TOLERANCE 1.02

struct tmap_other {
	const struct tmap_profile *profile;
	int best;      /**< row of the score */
	double slower; /**< the score's first row takes so many times as long as that */
};

struct tmap_others {
	int asked;                /**< profiles */
	int count;                /**< those that choose another row */
	struct tmap_other *other; /**< [count] */
};

/** Time every row that can run by every other published profile. Time of as many scores without
 *  locality. */
int tmap_others_init(struct tmap_others *others, const struct tmap_score *score,
		     struct tmap_error *err);
void tmap_others_fini(struct tmap_others *others);

#endif
