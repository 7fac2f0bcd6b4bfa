/*
 * cost_model.h - the inside of a cost model: the counters of ranks and of links.
 *
 * Counters are never cleared: what carries another stamp than the round at hand is 0.
 */
#ifndef TM_COST_MODEL_H
#define TM_COST_MODEL_H

#include "core/score/cost.h"

/** What a rank sends in a round, or receives. */
struct tm_cost_side {
	double busy_s;
	int row;             /**< of the profile: the one with the largest latency */
	uint32_t stamp;
};

/** What passes the border of an object, in a round and in all rounds of a pipeline. */
struct tm_cost_load {
	double out, in;
	double all_out, all_in;
	uint32_t stamp, all_stamp;
};

struct tm_cost_link {
	double byte_s;
	bool is_memory;      /**< every message counts, reads and writes together */
	int count;
	int *of_rank;        /**< [size]: the object of each rank */
	struct tm_cost_load *load; /**< [count] */
};

/** The step of the model's metric at which two different ranks are. O(steps). */
int tm_cost_step(const struct tm_cost_model *model, int a, int b);

/** The profile's row for a message of that step. */
const struct tm_profile_row *tm_cost_row(const struct tm_cost_model *model, int step,
					 double bytes);

/** Seconds of all pairs. O(p x (steps + links)). */
int tm_cost_all_pairs(double *seconds, struct tm_cost_model *model,
		      const struct tm_all_pairs *pairs, struct tm_error *err);

#endif
