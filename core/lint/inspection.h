/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * inspection.h - what one sees at a glance of a placement: order, bindings, overlaps,
 * and how many pairs of ranks are how far apart.
 */
#ifndef TMAP_CORE_LINT_INSPECTION_H
#define TMAP_CORE_LINT_INSPECTION_H

#include "core/distance/distance.h"
#include "core/lint/mpmd.h"
#include "core/machine/binding.h"
#include "core/machine/levels.h"
#include "core/machine/node_fold.h"
#include "core/machine/order.h"

struct tmap_advice;
struct tmap_job_words;
struct tmap_profile;

/** How many ranks are bound so. */
struct tmap_binding_count {
	struct tmap_binding binding;
	int ranks;
};

/** More ranks may run on the PUs of an unbound rank, and nowhere else, than these are. */
enum tmap_crowd {
	TMAP_CROWD_CORES = 1, /**< more than the cores that these PUs belong to */
	TMAP_CROWD_PUS = 2,   /**< more than the PUs; then the first holds too */
};

struct tmap_inspection {
	const struct tmap_placement *placement; /**< borrowed: must outlive the inspection */
	enum tmap_scale scale;
	int library; /**< row of tmap_libraries that the job is to run with; TMAP_NONE: the
			  placement says, else the assumed one. To be set by who knows better */
	/** Where nothing names one: that of the launcher, and why, half a sentence; NULL: no
	 *  library is named, and it is Open MPI 4.1. To be set so, too */
	struct tmap_library_assumed {
		int library;
		const char *why;
	} assumed;
	const struct tmap_profile *profile; /**< borrowed; whose costs are gone by; NULL: the one
					       for the machine. To be set so, too */
	const struct tmap_job_words *words; /**< borrowed: how it is called in commands; NULL: "JOB".
					      To be set so, too */
	const struct tmap_advice *advice;   /**< borrowed; core/lint/advice.h; NULL: it is found
					       where it is needed */
	struct tmap_order order;
	struct tmap_mpmd parts; /**< the programs of the job, where it has several */
	struct tmap_node_fold fold;
	struct tmap_levels levels;
	struct tmap_metric metric;
	int64_t *pairs; /**< [metric.step_count]: pairs of ranks at each distance */
	int binding_count;
	struct tmap_binding_count *binding; /**< [binding_count], the commonest first */
	unsigned char *shares;              /**< [size]: enum tmap_overlap */
	unsigned char *crowds; /**< [fold.class_count]: enum tmap_crowd of nodes with unbound ranks */
	int crowding_unbound;           /**< ranks of nodes with any of these */
	int sharing_core, sharing_pu;   /**< ranks that may meet another on one */
	int crowding_core, crowding_pu; /**< ranks that must share one */
};

/** Look at a placement on one scale of distances. O(p x steps + N + objects x levels). */
int tmap_inspection_init(struct tmap_inspection *inspection, const struct tmap_placement *placement,
			 enum tmap_scale scale, struct tmap_error *err);
void tmap_inspection_fini(struct tmap_inspection *inspection);

/** Cores that PUs of the set (OS indexes) belong to; a PU outside of every core counts as one.
 *  O(PUs). */
int tmap_cores_of(const struct tmap_topology *topo, const struct tmap_idset *pus);

/** Are these some ranks of a larger job, of which it does not say what the others take? */
bool tmap_inspection_is_of_part(const struct tmap_inspection *inspection);

/** Number of pairs of ranks. */
int64_t tmap_inspection_pairs(const struct tmap_inspection *inspection);

/** What the ranks of a node leave free. */
struct tmap_node_use {
	int cores, idle_cores;   /**< that the job may use; those on which no rank may run */
	struct tmap_idset own;   /**< logical PUs on which the placement's ranks may run */
	struct tmap_idset taken; /**< the same, and those of ranks outside of the communicator */
};

/** Look at one node; *use must be zeroed. O(objects + its ranks' PUs). */
int tmap_node_use_find(struct tmap_node_use *use, const struct tmap_placement *p,
		       const struct tmap_node_fold *fold, int node, struct tmap_error *err);
void tmap_node_use_fini(struct tmap_node_use *use);

/** Bindings of the ranks @p rank[0 .. count-1], the commonest first; *binding is the caller's
 *  to free. O(count + places x objects). */
int tmap_binding_census(const struct tmap_placement *p, const int *rank, int count,
			struct tmap_binding_count **binding, int *binding_count,
			struct tmap_error *err);

#endif
