/*
 * inspection.h - what one sees at a glance of a placement: order, bindings, overlaps,
 * and how many pairs of ranks are how far apart.
 */
#ifndef TM_INSPECTION_H
#define TM_INSPECTION_H

#include "core/distance/distance.h"
#include "core/machine/order.h"
#include "core/machine/binding.h"
#include "core/machine/levels.h"
#include "core/machine/node_fold.h"

/** How many ranks are bound so. */
struct tm_binding_count {
	struct tm_binding binding;
	int ranks;
};

struct tm_inspection {
	const struct tm_placement *placement; /**< borrowed: must outlive the inspection */
	enum tm_scale scale;
	struct tm_order order;
	struct tm_node_fold fold;
	struct tm_levels levels;
	struct tm_metric metric;
	int64_t *pairs;              /**< [metric.step_count]: pairs of ranks at each distance */
	int binding_count;
	struct tm_binding_count *binding; /**< [binding_count], the commonest first */
	unsigned char *shares;       /**< [size]: enum tm_overlap */
	int sharing_core, sharing_pu;   /**< ranks that may meet another on one */
	int crowding_core, crowding_pu; /**< ranks that must share one */
};

/** Look at a placement on one scale of distances. O(p x steps + N + objects x levels). */
int tm_inspection_init(struct tm_inspection *inspection, const struct tm_placement *placement,
		       enum tm_scale scale, struct tm_error *err);
void tm_inspection_fini(struct tm_inspection *inspection);

/** Number of pairs of ranks. */
int64_t tm_inspection_pairs(const struct tm_inspection *inspection);

/** What the ranks of a node leave free. */
struct tm_node_use {
	int cores, idle_cores;       /**< that the job may use; those on which no rank may run */
	struct tm_idset taken;       /**< logical PUs on which ranks may run */
};

/** Look at one node; *use must be zeroed. O(objects + its ranks' PUs). */
int tm_node_use_find(struct tm_node_use *use, const struct tm_placement *p,
		     const struct tm_node_fold *fold, int node, struct tm_error *err);
void tm_node_use_fini(struct tm_node_use *use);

/** Bindings of the ranks @p rank[0 .. count-1], the commonest first; *binding is the caller's
 *  to free. O(count + places x objects). */
int tm_binding_census(const struct tm_placement *p, const int *rank, int count,
		      struct tm_binding_count **binding, int *binding_count,
		      struct tm_error *err);

#endif
