/*
 * round.h - the load of a pattern on a cost model: all of it sent at once, and what passes each
 * link in the end.
 */
#ifndef TM_ROUND_H
#define TM_ROUND_H

#include "core/pattern/pattern.h"
#include "core/cost/cost.h"

/** Bytes over the links of a model. */
struct tm_flow {
	struct tm_cost_model *model; /**< borrowed */
	double **out, **in;  /**< [links][objects of the link] */
};

/** No bytes yet. O(objects). */
int tm_flow_init(struct tm_flow *flow, struct tm_cost_model *model, struct tm_error *err);
void tm_flow_fini(struct tm_flow *flow);

/** @p bytes more from a rank to another. O(links). */
void tm_flow_add(struct tm_flow *flow, int from, int to, double bytes);

/** @p bytes more from every rank to every other one. O(p x links). */
int tm_flow_add_everyone(struct tm_flow *flow, double bytes, struct tm_error *err);

/** Seconds of the busiest object: a memory controller moves what leaves and what enters, other
 *  links either way at once. */
double tm_flow_busiest(const struct tm_flow *flow);

/** Seconds of one round in which all of the pattern is sent, as core/cost/cost.h has it: the
 *  longest chain of a rank, which sends one message after another, or the busiest link; what
 *  everyone sends to everyone comes on top as all pairs do. O(entries x (steps + links)). */
int tm_round_seconds(double *seconds, struct tm_cost_model *model,
		     const struct tm_pattern *pattern, struct tm_error *err);

#endif
