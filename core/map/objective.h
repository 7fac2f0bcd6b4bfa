/*
 * objective.h - how good a mapping is: three figures, always all of them.
 *
 *     seconds         of the calls by the cost profile, each times its weight; and of the
 *                     pattern, as one round in which all of it is sent
 *     byte_distance   sum of bytes x distance over all messages, calls times their weight
 *     link_s          the busiest thing that ranks share (an adapter, a memory controller,
 *                     what else the profile has a link for): the bytes that leave it or that
 *                     enter it, over everything, times its seconds a byte; 0 where the profile
 *                     knows of nothing
 *
 * All pairs are told round by round where that tells orders apart: for up to 512 ranks, and for
 * blocks so short that a round is all latency or so long (64 KiB) that ranks wait for them.
 * Between, ranks run ahead of each other, and every order takes as long as far as is known.
 *
 * One of them is the goal; of mappings that are equally good by it, the byte distance decides.
 */
#ifndef TM_OBJECTIVE_H
#define TM_OBJECTIVE_H

#include "core/cost/profile.h"
#include "core/map/nest.h"
#include "core/map/slots.h"
#include "core/pattern/pattern.h"
#include "core/schedule/neighborhood.h"
#include "core/cost/cost.h"

enum tm_goal { TM_GOAL_SECONDS, TM_GOAL_DISTANCE, TM_GOAL_LINK, TM_GOAL_COUNT };

/** The goals by name, in the order of the enum. */
extern const struct tm_words tm_goals;

/** What the ranks say to each other: a pattern, calls, or both. All borrowed. */
struct tm_traffic {
	const struct tm_pattern *pattern; /**< NULL: none */
	int call_count;
	const struct tm_call *call;  /**< [call_count], checked, each of as many ranks */
	const double *weight;        /**< [call_count]: how often each is made */
	const struct tm_neighborhood *grid; /**< the ranks' grid, where the program has one; NULL.
					   Only a hint: its messages stand in the pattern */
};

/** What is wanted. All borrowed. */
struct tm_aim {
	enum tm_goal goal;
	const struct tm_profile *profile;
	enum tm_scale scale;         /**< of byte_distance, where there are no level costs */
	const double *level_cost;    /**< [level_cost_count], outermost first: what the levels of
				  the machine cost, as tm_nest_init_levels() has it; or NULL */
	int level_cost_count;
};

struct tm_measures {
	double seconds, byte_distance, link_s;
};

/** The figures one by one: bits. */
enum tm_figure_bits { TM_FIGURE_SECONDS = 1, TM_FIGURE_DISTANCE = 2, TM_FIGURE_LINK = 4,
		      TM_FIGURES_ALL = 7 };

/** Slots, traffic and aim, ready to judge mappings. */
struct tm_objective {
	const struct tm_slots *slots;     /**< borrowed */
	const struct tm_traffic *traffic; /**< borrowed */
	const struct tm_aim *aim;         /**< borrowed */
	struct tm_levels levels;     /**< of the machine */
	struct tm_nest nest;         /**< what the slots cost each other */
	bool *by_rounds;             /**< [call_count]: all pairs, to be told round by round */
	bool follows_distances;      /**< some call's algorithm does */
	struct tm_metric metric;     /**< of the slots; with the model, where ranks and slots are as
					  many and no call follows the distances */
	struct tm_cost_model model;  /**< in which ranks only change their seats; reach.size 0:
					  each mapping needs one of its own */
	int64_t messages;            /**< entries and messages that a measurement looks at, about */
};

/** All three must outlive the objective, which must stay where it is. Refuses a pattern or a call
 *  of another number of ranks than the slots have, and what tm_nest_init_levels() refuses.
 *  O(slots x (steps + levels) + messages). */
int tm_objective_init(struct tm_objective *objective, const struct tm_slots *slots,
		      const struct tm_traffic *traffic, const struct tm_aim *aim,
		      struct tm_error *err);
void tm_objective_fini(struct tm_objective *objective);

/** The figures of a mapping, slot_of[rank_count]. O(p x (steps + links) + entries of the pattern
 *  + messages of the folded schedules, times steps and links). */
int tm_objective_measure(struct tm_measures *measures, struct tm_objective *objective,
			 const int *slot_of, struct tm_error *err);

/** The same of some figures only, which take less time: the others stay as they are. */
int tm_objective_figures(struct tm_measures *measures, struct tm_objective *objective,
			 const int *slot_of, unsigned figures, struct tm_error *err);

/** The bit of the figure that is the goal. */
unsigned tm_objective_goal(const struct tm_objective *objective);

/** Is @p a better than @p b by the goal? Equal but for rounding errors is not better. */
bool tm_objective_prefers(const struct tm_objective *objective, const struct tm_measures *a,
			  const struct tm_measures *b);

/** The figure that is a goal. */
double tm_measures_value(const struct tm_measures *measures, enum tm_goal goal);

/** The figure that is the objective's goal. */
double tm_objective_value(const struct tm_objective *objective,
			  const struct tm_measures *measures);

#endif
