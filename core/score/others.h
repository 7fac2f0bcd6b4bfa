/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * others.h - what other published profiles would choose: how far an answer hangs on its costs.
 *
 *     fastest by summit      swing
 *     by bluewaters          ring, 1.2 times as fast as swing there
 *     by all others          swing, too
 */
#ifndef TMAP_CORE_SCORE_OTHERS_H
#define TMAP_CORE_SCORE_OTHERS_H

#include "core/score/baselines.h"
#include "core/score/score.h"

/** Ranks up to which commands ask, in texts: an answer takes as long again for each profile. */
#define TMAP_OTHERS_MOST_RANKS 128

/** What is no faster than this elsewhere is no other choice. */
#define TMAP_OTHERS_TOLERANCE 1.02

struct tmap_other {
	const struct tmap_profile *profile;
	const char *best; /**< what is fastest by it, or what was chosen; borrowed */
	double best_s;    /**< and how long */
	double chosen_s;  /**< what was chosen takes so long */
	double slower;    /**< which is so many times as long */
	bool is_else;     /**< it chooses something else */
};

struct tmap_others {
	const char *chosen;       /**< what is fastest by the answer's own costs; borrowed */
	int candidates;           /**< that it was chosen of */
	int asked;                /**< profiles; 0 where nothing takes any time by them */
	int count;                /**< those that choose something else */
	struct tmap_other *other; /**< [asked] */
	size_t capacity;
	const struct tmap_profile *least, *most; /**< by which what was chosen takes least, most */
	double least_s, most_s;                  /**< and how long */
};

/** By one more profile what was chosen takes @p chosen_s, and @p best, which may be that, @p best_s,
 *  which is the least. */
int tmap_others_add(struct tmap_others *others, const struct tmap_profile *profile, double chosen_s,
		    const char *best, double best_s, struct tmap_error *err);
void tmap_others_fini(struct tmap_others *others);

/** Time every row that can run by every published profile with other costs. Time of as many scores
 *  without locality. */
int tmap_others_of_score(struct tmap_others *others, const struct tmap_score *score,
			 struct tmap_error *err);

/** The same of trees or rings, which have their times by other profiles. */
int tmap_others_of_baselines(struct tmap_others *others, const struct tmap_baselines *baselines,
			     struct tmap_error *err);

#endif
