/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * objective.h - how good a mapping is: some values.
 *
 *     seconds         of the calls by the cost profile, each times its weight; and of the
 *                     pattern, as one round in which all of it is sent, by the same clock
 *     byte_distance   sum of bytes x distance over all messages, calls times their weight
 *                     (of ranks that need a device the longest of their transfers besides, and in the
 *                     byte_distance the bytes of all of them, core/map/near.h)
 *     hop_bytes       sum of bytes x cables between the nodes, and
 *     cable_bytes     bytes through the busiest cable: where it is known which cables messages go
 *                     through (core/machine/routes.h), else 0
 *     link_s          the busiest thing that ranks share (an adapter, a memory controller,
 *                     what else the profile has a link for): the bytes that leave it or that
 *                     enter it, over everything, times its seconds a byte; 0 where the profile
 *                     knows of nothing
 *
 * The cost of all pairs is computed round by round where that makes orders differ: for up to 512
 * ranks, and for blocks so short that a round is all latency or so long (64 KiB) that ranks wait
 * for them. Between, ranks run ahead of each other, and every order takes the same time as far as
 * is known.
 *
 * Calls are planned for each mapping (core/map/planned.h). One in which a call cannot be made, or not
 * by an algorithm that is known, has all values infinite: no mapping is worse.
 *
 * One of them is the goal; of mappings that are equally good by it, the byte distance decides.
 */
#ifndef TMAP_CORE_MAP_OBJECTIVE_H
#define TMAP_CORE_MAP_OBJECTIVE_H

#include "core/cost/cost.h"
#include "core/cost/profile.h"
#include "core/library/calls.h"
#include "core/machine/routes.h"
#include "core/map/alike.h"
#include "core/map/evaluated.h"
#include "core/map/near.h"
#include "core/map/nest.h"
#include "core/map/slots.h"
#include "core/pattern/pattern.h"
#include "core/schedule/neighborhood.h"

enum tmap_goal {
	TMAP_GOAL_SECONDS,
	TMAP_GOAL_DISTANCE,
	TMAP_GOAL_LINK,
	TMAP_GOAL_HOPS,
	TMAP_GOAL_CABLE,
	TMAP_GOAL_COUNT
};

/** Does the goal need routes? */
static inline bool tmap_goal_has_hops(enum tmap_goal goal)
{
	return goal == TMAP_GOAL_HOPS || goal == TMAP_GOAL_CABLE;
}

/** The goals by name, in the order of the enum. */
extern const struct tmap_keywords tmap_goals;

/** The communication of the ranks: a pattern, calls, or both. All borrowed. */
struct tmap_traffic {
	const struct tmap_pattern *pattern; /**< NULL: none */
	int call_count;
	const struct tmap_call *call;         /**< [call_count], checked, each of as many ranks */
	const double *weight;                 /**< [call_count]: how often each is made */
	const struct tmap_library_own *own;   /**< [call_count]: how each was chosen; NULL: all are
					   named */
	const struct tmap_neighborhood *grid; /**< the ranks' grid, where the program has one; NULL.
					   Its messages stand in the pattern, and are sent in its
					   order; else it is only a hint */
};

/** What makes a mapping good. All borrowed. */
struct tmap_criteria {
	enum tmap_goal goal;
	const struct tmap_profile *profile;
	enum tmap_scale scale;    /**< of byte_distance, where there are no level costs */
	const double *level_cost; /**< [level_cost_count], outermost first: what the levels of
				  the machine cost, as tmap_nest_init_levels() has it; or NULL */
	int level_cost_count;
	const struct tmap_near *near; /**< [near_count]: ranks that need a device */
	int near_count;
	const struct tmap_routes *routes; /**< of the machine; NULL: they are not known */
	bool only_goal; /**< nobody asks for more than the goal and byte_distance: whole evaluations
			     have no other values */
	bool only_seconds; /**< nor for byte_distance: there is no nest */
};

struct tmap_objective;

/** Objectives of other costs, by whose time a mapping is to be good, too: the seconds of an objective
 *  with a panel are
 *
 *      (seconds^8 + sum of (scale x the member's seconds)^8) ^ (1/8)
 *
 *  about the most of them; and of two mappings that have the same most, the smaller rest. A member by
 *  which the mapping takes longer than its limit counts a thousand times. */
struct tmap_panel {
	int count;
	struct tmap_objective *member; /**< [count], without panels */
	const double *scale, *limit_s; /**< [count] */
};

/** Slots, traffic and criteria, ready to evaluate mappings. */
struct tmap_objective {
	const struct tmap_slots *slots;       /**< borrowed */
	const struct tmap_traffic *traffic;   /**< borrowed */
	const struct tmap_criteria *criteria; /**< borrowed */
	struct tmap_levels levels;            /**< of the machine */
	struct tmap_nest nest; /**< what the slots cost each other: mappers go by it */
	struct tmap_nest
		scale_nest; /**< by the criteria's scale or costs, where the goal has hops, */
	const struct tmap_nest *distance; /**< which byte_distance goes by; else the same nest */
	const struct tmap_neighborhood *order; /**< in whose order a rank sends what its row of the
						    pattern has: the traffic's grid; NULL: by number */
	bool *by_rounds;           /**< [call_count]: all pairs, costed round by round */
	bool follows_places;       /**< some call's schedule does: each mapping has its own */
	struct tmap_metric metric; /**< of the slots; with the model, where ranks and slots are as
					  many and no call follows the places */
	struct tmap_cost_model model; /**< in which ranks only change their places; kinds.size 0:
					  each mapping needs one of its own */
	double **near_distance; /**< [near_count][slots]: from the device; NULL: nothing is near */
	int64_t messages;       /**< entries and messages that an evaluation visits, about */
	const struct tmap_panel *panel;       /**< borrowed; NULL: there is none */
	struct tmap_evaluated_list evaluated; /**< of jobs of many ranks */
	struct tmap_alike *alike; /**< borrowed: of the mapping that is asked next, for whoever asks
				     several objectives of the same slots and traffic for it; NULL */
};

/** All three must outlive the objective, which must stay where it is. Refuses a pattern or a call
 *  of another number of ranks than the slots have, a goal that needs routes where there are none, and
 *  what tmap_nest_init_levels() refuses.
 *  O(slots x (steps + levels) + messages). */
int tmap_objective_init(struct tmap_objective *objective, const struct tmap_slots *slots,
			const struct tmap_traffic *traffic, const struct tmap_criteria *criteria,
			struct tmap_error *err);
void tmap_objective_fini(struct tmap_objective *objective);

/** Let the seconds be those of a panel, too, which must outlive the objective. O(1). */
void tmap_objective_set_panel(struct tmap_objective *objective, const struct tmap_panel *panel);

/** The values of a mapping that the criteria ask for, slot_of[rank_count]; the others are 0. O(p x
 *  (steps + links) + entries of the pattern + messages of the folded schedules, times steps and
 *  links). */
int tmap_objective_evaluate(struct tmap_evaluation *evaluation, struct tmap_objective *objective,
			    const int *slot_of, struct tmap_error *err);

/** Only the values of these bits, which takes less time: the others stay as they are. */
int tmap_objective_evaluate_some(struct tmap_evaluation *evaluation,
				 struct tmap_objective *objective, const int *slot_of,
				 unsigned wanted, struct tmap_error *err);

/** The values of ranks in the places that they have in @p p, whatever slots there are. Time and memory
 *  of an objective besides. */
int tmap_objective_evaluate_placement(struct tmap_evaluation *evaluation,
				      const struct tmap_placement *p,
				      const struct tmap_traffic *traffic,
				      const struct tmap_criteria *criteria, struct tmap_error *err);

/** What the devices that a rank needs cost it in a slot: bytes times distance, or times the seconds that a
 *  byte takes over it. 0 where it needs none. O(near_count x log ranks). */
double tmap_objective_near_cost(const struct tmap_objective *objective, int rank, int slot,
				bool in_seconds);

/** The bit of the goal. */
unsigned tmap_objective_goal(const struct tmap_objective *objective);

/** Is @p a better than @p b by the goal? Equal but for rounding errors is not better. */
bool tmap_objective_prefers(const struct tmap_objective *objective, const struct tmap_evaluation *a,
			    const struct tmap_evaluation *b);

/** The value that is a goal. */
double tmap_evaluation_value(const struct tmap_evaluation *evaluation, enum tmap_goal goal);

/** The value that is the objective's goal. */
double tmap_objective_value(const struct tmap_objective *objective,
			    const struct tmap_evaluation *evaluation);

#endif
