/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flow.h - the load of a pattern on a cost model: what passes each link in the end.
 */
#ifndef TMAP_CORE_MAP_FLOW_H
#define TMAP_CORE_MAP_FLOW_H

#include "core/cost/cost.h"

/** Bytes over the links of a model. */
struct tmap_flow {
	struct tmap_cost_model *model; /**< borrowed */
	double **out, **in;            /**< [links][objects of the link] */
};

/** No bytes yet. O(objects). */
int tmap_flow_init(struct tmap_flow *flow, struct tmap_cost_model *model, struct tmap_error *err);
void tmap_flow_fini(struct tmap_flow *flow);

/** @p bytes more from a rank to another. O(links). */
void tmap_flow_add(struct tmap_flow *flow, int from, int to, double bytes);

/** @p bytes more from every rank to every other one. O(p x links). */
int tmap_flow_add_everyone(struct tmap_flow *flow, double bytes, struct tmap_error *err);

/** Seconds of the busiest object: a memory controller moves what leaves and what enters, other
 *  links either way at once. */
double tmap_flow_busiest(const struct tmap_flow *flow);

#endif
