/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cost.h - how long a schedule takes on a placement, by a cost profile.
 *
 * A message of n bytes at distance d has the latency a(d, n) and keeps its two ranks busy
 * for n b(d, n); the profile's row also has the size at which short messages end and rendezvous
 * begins. In a round every rank sends one after the other, and receives at the same time:
 *
 *     chain(rank)   = largest a + sum of n b + (messages - 1) x overhead, of what it sends,
 *                     or of what it receives, which it also reduces
 *     link(object)  = largest a + bytes that leave (or enter) x seconds a byte: a node's
 *                     adapter, a package, a switch; bytes read and written x ... of a memory
 *                     controller
 *     round         = the longest chain or link
 *
 * The next round begins when the longest has ended. Rounds that are emitted as one take as long
 * as one of them, times their number; those that overlap are a pipeline, in which the first
 * piece goes all the way, and each further one takes the longest of the rounds that are under
 * way at a time:
 *
 *     pipeline      = sum over its groups of T + sum over the rounds of a period of the
 *                     largest (times - 1) T; never less than its busiest link
 *
 * What is no more than an estimate:
 *
 *     empty rounds   rounds emitted as one of which some are empty for a rank count as if none
 *                    were: from above
 *     all pairs      in several rounds: each takes the largest latency, and all of them the
 *                    bytes of the rank that is farthest from the others, or of the busiest link;
 *                    tmap_cost_by_rounds() counts each. In one round all pairs are exact where
 *                    messages are of one size
 *
 * What a rank copies besides (Bruck's rotation) comes on top. Contention inside the network
 * above the nodes is known only where the profile has a link for a switch level; ranks never
 * run ahead of a round.
 *
 * All else is exact, in whatever way it is counted: message by message, or a whole node at a
 * time where ranks are distributed block or cyclic (core/cost/pair_kinds.h).
 */
#ifndef TMAP_CORE_COST_COST_H
#define TMAP_CORE_COST_COST_H

#include "core/cost/pair_kinds.h"
#include "core/cost/profile.h"
#include "core/schedule/schedule.h"

struct tmap_cost_side;
struct tmap_cost_link;

/** A placement with its profile, ready for schedules. */
struct tmap_cost_model {
	const struct tmap_profile *profile;  /**< borrowed */
	struct tmap_pair_kinds kinds;        /**< where ranks are */
	const struct tmap_profile_row **row; /**< [steps]: first row of each step's distance */
	int link_count;
	struct tmap_cost_link *link;
	struct tmap_cost_side *side; /**< [2 x size]: what each rank sends, and what it receives; NULL
					until a schedule has ranks with several messages a round */
	uint32_t stamp;              /**< of the round at hand; grows from call to call */
};

/** A model of a placement; all four must outlive it. A level that the profile has a link for and
 *  the placement has not is passed over. Time and memory of tmap_pair_kinds_init(), and O(objects). */
int tmap_cost_model_init(struct tmap_cost_model *model, const struct tmap_placement *placement,
			 const struct tmap_metric *process, const struct tmap_levels *levels,
			 const struct tmap_profile *profile, struct tmap_error *err);
void tmap_cost_model_fini(struct tmap_cost_model *model);

/** From now on rank r is where rank place_of[r] of the placement is; NULL: where it is by the
 *  placement. Far cheaper than another model: O(p), nothing is allocated. A call that follows
 *  distances follows those of its own metric, not of the places here. */
void tmap_cost_model_place(struct tmap_cost_model *model, const int *place_of);

/** *seconds = how long a call of as many ranks takes. O(messages of the folded schedule x
 *  links) time, less where equal nodes do the same; memory beyond the model's is 32 bytes a
 *  rank at most, and that of the rounds in a pipeline. */
int tmap_cost(double *seconds, struct tmap_cost_model *model, const struct tmap_call *call,
	      struct tmap_error *err);

/** The same, round by round: all pairs are no estimate then, but p - 1 rounds of which each
 *  takes as long as its slowest message. O(all messages x links) time. */
int tmap_cost_by_rounds(double *seconds, struct tmap_cost_model *model,
			const struct tmap_call *call, struct tmap_error *err);

/** What a schedule moves. */
struct tmap_moved {
	int64_t rounds;
	int64_t *messages, *bytes; /**< by kind of pair, as model.kinds has them; without all
					pairs */
	int pairs_count;
	struct tmap_all_pairs *pairs; /**< [pairs_count]: those emitted as one */
	size_t pairs_capacity;
};

/** The same, and what it moves, in one go over the schedule. Refuses sums above 2^63 - 1
 *  (TMAP_INPUT). */
int tmap_cost_and_moved(double *seconds, struct tmap_moved *moved, struct tmap_cost_model *model,
			const struct tmap_call *call, struct tmap_error *err);
void tmap_moved_fini(struct tmap_moved *moved);

#endif
