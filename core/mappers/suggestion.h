/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * suggestion.h - a job as it is, as a mapper would have it, and as launchers have it by
 * themselves, with the evaluation of each.
 */
#ifndef TMAP_CORE_MAPPERS_SUGGESTION_H
#define TMAP_CORE_MAPPERS_SUGGESTION_H

#include "core/map/crossings.h"
#include "core/map/moves.h"
#include "core/map/statistics.h"
#include "core/mappers/mapper.h"
#include "core/mappers/robust.h"
#include "core/mappers/run_time.h"

/** What a suggestion is made from; all is borrowed. */
struct tmap_suggestion_request {
	const struct tmap_slots *slots;
	const struct tmap_placement *before; /**< the ranks as launched: slots->rank_count of
						  them */
	const struct tmap_traffic *traffic;  /**< NULL: unknown; each rank then sends a byte to the
						next one, the last to the first */
	struct tmap_criteria criteria;
	int mapper;     /**< row of tmap_mappers */
	int64_t effort; /**< steps of the mapper; TMAP_NONE: those that suit the traffic */
	uint64_t seed;
	double minimum_gain;      /**< what saves less is not taken, where ranks can stay: a part */
	const char *by, *request; /**< the origin of the new placement */
	struct tmap_run_time run; /**< as launched, where that was recorded */
	struct tmap_progress *progress; /**< of the mapper, by its steps; NULL: nobody waits */
};

/** Mappings that are compared. */
enum tmap_state_name { TMAP_LAUNCHED, TMAP_SUGGESTED, TMAP_BLOCK, TMAP_CYCLIC, TMAP_STATE_COUNT };

struct tmap_state {
	const char *name; /**< "as launched", ... */
	struct tmap_evaluation evaluation;
	struct tmap_border *border; /**< [levels.count]; NULL: this one was not evaluated */
	struct tmap_placement
		placement; /**< of block and cyclic; size 0: not evaluated, or another */
};

/** What the suggestion gains by the costs of another published profile. */
struct tmap_other_gain {
	const struct tmap_profile *profile;
	double gain; /**< the part of the time that is saved, below 0: it takes longer */
};

enum { TMAP_SUGGESTION_OTHERS_MOST = 16, TMAP_SUGGESTION_OTHERS_MOST_RANKS = 256 };

/** Ranks that need a device, and how many have it close. */
struct tmap_near_gain {
	enum tmap_device_type type;
	int ranks, before, after;
};

struct tmap_suggestion {
	const struct tmap_placement *before; /**< borrowed: must outlive the suggestion */
	struct tmap_placement after;
	enum tmap_goal goal;
	const struct tmap_profile *profile; /**< borrowed from the request */
	int mapper;                         /**< row of tmap_mappers that was requested */
	int finder;           /**< row that found it: of those that try others, the other */
	char *how;            /**< what that row did, "order core,node"; NULL: its name is enough */
	int64_t steps;        /**< that the mapper took */
	double gain;          /**< the part of the goal's value that is saved: 0 to 1, below 0 where
				  some rank had to move, or by the own costs alone */
	double minimum_gain;  /**< the request's */
	double vain_gain;     /**< is_kept: of a mapping that was not worth it; 0: there was none */
	bool is_kept;         /**< every rank stays where it is: too little is gained otherwise */
	bool must_move;       /**< nothing is gained, but the ranks cannot stay where they are */
	bool has_traffic;     /**< the communication of the ranks is known */
	bool has_routes;      /**< it is known which cables messages go through */
	bool has_level_costs; /**< levels have costs, in the place of distances */
	int *place_of; /**< [size]: rank r takes the place of rank place_of[r]; NULL where ranks
				  go to places that no rank had */
	struct tmap_run_time
		run; /**< the request's; unknown where the launch's communication takes no
				       time, or none that is known */
	struct tmap_levels levels;
	struct tmap_state state[TMAP_STATE_COUNT]; /**< the last two only where traffic is known */
	struct tmap_moves moves;
	struct tmap_statistics statistics_before,
		statistics_after;  /**< only where traffic is unknown */
	struct tmap_robust robust; /**< machines 0: the own costs alone decided */
	int near_count;
	struct tmap_near_gain *near; /**< [near_count] */
	int others_count;
	struct tmap_other_gain others[TMAP_SUGGESTION_OTHERS_MOST]; /**< [others_count] */
};

/** Run a mapper. Where it gains less than the minimum by the goal, and nothing else falls that is worth
 *  it, and the ranks are on slots as they must be, no rank moves. Where time is the goal of known
 *  traffic and nobody said whose costs it is (tmap_profile_is_guessed()), it is a mapping that holds
 *  for all of them (core/mappers/robust.h). What was measured on the running job (its date, the PUs last run
 *  on) does not go into the new placement. O(p x (steps + levels) + messages), and the mapper's
 *  own time. */
int tmap_suggestion_init(struct tmap_suggestion *suggestion,
			 const struct tmap_suggestion_request *request, struct tmap_error *err);
void tmap_suggestion_fini(struct tmap_suggestion *suggestion);

/** How long the recorded run takes in one of the states; 0 where that is not known. */
double tmap_suggestion_run_seconds(const struct tmap_suggestion *s, const struct tmap_state *state);

/** Fill in others[]: how far the gain hangs on the costs. Only where time is the goal of known
 *  traffic, some rank moves, and there are no more than TMAP_SUGGESTION_OTHERS_MOST_RANKS. Time of
 *  two evaluations a profile. */
int tmap_suggestion_ask_others(struct tmap_suggestion *s,
			       const struct tmap_suggestion_request *request,
			       struct tmap_error *err);

/** Below this part of the time, runs of one mapping differ more than
 *  that. */
#define TMAP_LEAST_GAIN 0.03

/** The part of a value (enum tmap_goal) that the suggested mapping saves; below 0 where it is more than
 *  before, -INFINITY where that was nothing. */
double tmap_suggestion_saved(const struct tmap_suggestion *s, enum tmap_goal goal);

/** Is the suggested mapping worth a file? Where the goal gains the minimum: on all machines, or three
 *  times as much in their mean, or on that whose adapters the nodes have, where these decide. Else also
 *  where it stays about the same, another value gains as much, and none rises. */
bool tmap_suggestion_is_worth_it(const struct tmap_suggestion *s);

/** TMAP_BLOCK or TMAP_CYCLIC where that gains nearly as much as what is suggested: by the goal it
 *  is at most TMAP_LEAST_GAIN worse. The better one; TMAP_NONE where neither is, or where the
 *  suggestion itself gains no more than that. */
int tmap_suggestion_simple(const struct tmap_suggestion *suggestion);

/** Why a mapping that is better by what is shown is not suggested. */
enum tmap_passed_reason {
	TMAP_PASSED_HARMFUL, /**< by other costs it takes longer than as launched, */
	TMAP_PASSED_WORSE,   /**< or than what is suggested, */
	TMAP_PASSED_LITTLE,  /**< or saves too little in the mean of the published profiles */
	TMAP_PASSED_MAPPER,  /**< another mapper was asked for, */
	TMAP_PASSED_EFFORT,  /**< or the effort ended before it was tried */
};

struct tmap_passed {
	enum tmap_state_name name; /**< TMAP_BLOCK, TMAP_CYCLIC; TMAP_STATE_COUNT: by search */
	enum tmap_passed_reason reason;
	double gain;                  /**< of the goal's value as launched, by the own costs */
	struct tmap_robust_loss loss; /**< harmful and worse ones */
	double mean;                  /**< of those that save too little */
};

enum { TMAP_PASSED_MOST = TMAP_ROBUST_OTHERS };

/** Mappings that save more of the goal's value than the suggested one, and by the minimum gain more if
 *  they do no harm or are block or cyclic; with why they are not suggested. Returns how many. */
int tmap_suggestion_find_passed(struct tmap_passed passed[TMAP_PASSED_MOST],
				const struct tmap_suggestion *s);

#endif
