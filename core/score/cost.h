/*
 * cost.h - how long a schedule takes on a placement, by a cost profile.
 *
 * A message of n bytes at distance d has the latency a(d, n) and keeps its two ranks busy
 * for n b(d, n); the profile's row also says where short messages end and rendezvous begins.
 * In a round every rank sends one after the other, and receives at the same time:
 *
 *     chain(rank)   = largest a + sum of n b + (messages - 1) x overhead, of what it sends,
 *                     or of what it receives, which it also reduces
 *     link(object)  = a + bytes that leave (or enter) x seconds a byte: a node's adapter, a
 *                     package, a switch; bytes read and written x ... of a memory controller
 *     round         = the longest chain or link
 *
 * The next round begins when the longest has ended. Rounds that are told as one take as long
 * as one of them, times their number; those that overlap are a pipeline, in which the first
 * piece goes all the way, and each further one takes the longest of the rounds that are under
 * way at a time:
 *
 *     pipeline      = sum over its groups of T + sum over the rounds of a period of the
 *                     largest (times - 1) T; never less than its busiest link
 *
 * Rounds told as one of which some are empty for a rank count as if none were, which is an
 * estimate from above. All pairs told as one are an estimate: R rounds of the largest latency, and the bytes of the
 * rank that is farthest from the others. What a rank copies besides (Bruck's rotation) comes
 * on top. Contention inside the network above the nodes is known only where the profile has a
 * link for a switch level; ranks never run ahead of a round.
 */
#ifndef TM_COST_H
#define TM_COST_H

#include "core/distance/profile.h"
#include "core/machine/levels.h"
#include "core/schedule/schedule.h"

struct tm_cost_side;
struct tm_cost_link;

/** A placement with its profile, ready for schedules. */
struct tm_cost_model {
	const struct tm_profile *profile; /**< borrowed */
	const struct tm_metric *metric;   /**< borrowed: process distances */
	int size;
	int step_count;
	int **set;           /**< [step_count - 1][size]: set at each step; alone: -1 - rank */
	const struct tm_profile_row **row; /**< [step_count]: first row of each step's distance */
	struct tm_cost_side *side; /**< [2 x size]: what each rank sends, and what it receives */
	int link_count;
	struct tm_cost_link *link;
};

/** A model of a placement; all four must outlive it. A level that the profile has a link for and
 *  the placement has not is passed over. O(p x (steps + links)) time and memory. */
int tm_cost_model_init(struct tm_cost_model *model, const struct tm_placement *placement,
		       const struct tm_metric *process, const struct tm_levels *levels,
		       const struct tm_profile *profile, struct tm_error *err);
void tm_cost_model_fini(struct tm_cost_model *model);

/** *seconds = how long a call of as many ranks takes. O(messages of the folded schedule x (steps
 *  + links)) time; memory beyond the model's is that of the rounds in a pipeline. */
int tm_cost(double *seconds, struct tm_cost_model *model, const struct tm_call *call,
	    struct tm_error *err);

#endif
