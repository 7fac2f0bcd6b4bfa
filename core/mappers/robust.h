/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * robust.h - a mapping that saves time whatever plausible machine it is: where nobody has measured
 * the costs here.
 *
 *                        summit   gigabit  ...  gigabit, rate between nodes x 1/2
 *     as launched             1         1              1
 *     block                0.98      0.71           0.70
 *     by summit's costs    0.81      1.58           1.60      slower than as launched: never taken
 *     by those of both     0.93      0.69           0.69      taken
 *
 * The costs are those of all published profiles, and variations of each (core/cost/profile_vary.h).
 * A candidate is judged by its worst ratio to the best of as launched, block and cyclic; of those
 * within two hundredths of the least, the one with the least mean is taken. After the mapping that is
 * best by the own costs, others are searched for by its costs and those by which the last one did
 * most harm, or was worst, as often as that makes a difference.
 *
 * What is found by search must convince beside the best simple order: a prediction errs by more than
 * some percent, and no two machines err alike.
 */
#ifndef TMAP_CORE_MAPPERS_ROBUST_H
#define TMAP_CORE_MAPPERS_ROBUST_H

#include "core/mappers/mapper.h"

/** So much longer than as launched no published profile may call a mapping, */
#define TMAP_ROBUST_HARM 0.02

/** and so much longer no variation of one. */
#define TMAP_ROBUST_HARM_VARIED 0.05

/** What a mapping that was searched for saves at least, beside a simple order: the minimum gain, but no
 *  more than this. */
#define TMAP_ROBUST_CONVINCING 0.03

enum { TMAP_ROBUST_MACHINES_MOST = 16 };

struct tmap_robust_request {
	struct tmap_objective *objective;    /**< of seconds, by the own costs; a panel is set and
						removed */
	const struct tmap_placement *before; /**< the ranks as launched */
	bool can_stay;                       /**< they may stay so */
	int mapper;                          /**< row of tmap_mappers */
	int64_t effort;
	uint64_t seed;
	double minimum_gain; /**< what saves less is not worth it: a part */
	struct tmap_progress *progress;
};

/** What a mapping saves of the time as launched, over several costs: below 0 it takes longer. */
struct tmap_robust_span {
	double least, most;
};

/** Do gains on several machines, of which these are the least and the mean, come to more than what
 *  predictions err by? If each has the minimum, or the mean three times as much. */
static inline bool tmap_robust_convinces(double least, double mean, double minimum)
{
	return mean >= minimum && (least >= minimum || mean >= 3 * minimum);
}

/** By which costs a mapping is worst beside another, and by how much it then takes longer. */
struct tmap_robust_loss {
	double part;            /**< of the other's time; below 0: it takes less by all costs */
	int machine, variation; /**< rows of tmap_profiles and of tmap_profile_variation() */
};

/** A mapping that was judged, and is not what is taken. */
struct tmap_robust_other {
	bool is_there;
	bool is_harmless; /**< it takes nowhere so much longer than as launched (TMAP_ROBUST_HARM) */
	double own_gain;  /**< it saves so much of the time as launched by the own costs, */
	double mean;      /**< and so much in the mean of the published profiles */
	struct tmap_robust_loss beside_launched, beside_taken;
};

enum tmap_robust_other_name {
	TMAP_ROBUST_BLOCK,
	TMAP_ROBUST_CYCLIC,
	TMAP_ROBUST_SEARCHED, /**< of those that do harm the one that is best by the own costs, where
				 that is better than what is taken; else the best one of all */
	TMAP_ROBUST_OTHERS
};

struct tmap_robust {
	int machines;   /**< published profiles; 0: nothing was judged */
	int costs;      /**< that were asked: these, and variations of them, */
	int variations; /**< which are the first so many of all */
	double gain[TMAP_ROBUST_MACHINES_MOST]; /**< of what is taken, by each published profile */
	double mean, least;                     /**< of these */
	struct tmap_robust_span varied;         /**< by all costs */
	double unconvincing_mean; /**< of what was found and saves too little to be taken; 0: nothing */
	bool is_simple;           /**< block or cyclic is taken, which need not convince */
	bool simple_holds[2];     /**< are block and cyclic about as good by all costs? */
	struct tmap_robust_other other[TMAP_ROBUST_OTHERS];
};

/** The mapping that is taken, evaluated by the objective; where that is as launched, its mapper is
 *  "identity". Time: tmap_map(), up to four more of a
 *  tenth of the effort each, though never less than that takes at least, and evaluations: as many as
 *  fit into TMAP_EFFORT, or into an effort above what the traffic is given by itself, but of every
 *  candidate by every published profile. Jobs so large that no variation fits have one more search, not
 *  four. Memory: of an objective for each
 *  of up to five costs. */
int tmap_robust_map(struct tmap_mapping *mapping, struct tmap_robust *robust,
		    const struct tmap_robust_request *request, struct tmap_error *err);

#endif
