/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * baselines.h - several trees, or rings, over the same ranks, to compare.
 */
#ifndef TMAP_CORE_SCORE_BASELINES_H
#define TMAP_CORE_SCORE_BASELINES_H

#include "core/base/spec.h"
#include "core/cost/totals.h"
#include "core/library/library.h"

struct tmap_baseline {
	char *name;             /**< "knomial,radix=8" */
	struct tmap_knobs knob; /**< how it is selected in each library, filled in and owned; NULL:
				   it cannot be */
	char *reason;           /**< why it cannot be built here; NULL if it is */
	struct tmap_totals totals; /**< if it is */
	double *other_s; /**< [other_count]: seconds by these models; NULL where there are none */
};

struct tmap_baselines {
	const struct tmap_load *load;    /**< borrowed */
	struct tmap_library_whole whole; /**< what the libraries want besides each knob */
	int count;
	struct tmap_baseline *row; /**< [count], in the order in which they were added */
	size_t capacity;
	int other_count; /**< models of other profiles by which all are timed, too; borrowed, and
			      set before rows are added */
	struct tmap_cost_model *other;
};

/** Add a tree or a ring: exactly one of them is not NULL. @p choice (NULL: none) has the
 *  libraries' knobs, and segments, which precede the chunks of the load. What a library sends
 *  otherwise than down the tree is timed by its schedule. */
int tmap_baselines_add(struct tmap_baselines *baselines, const char *name,
		       const struct tmap_spec *choice, const struct tmap_tree *tree,
		       const struct tmap_ring *ring, struct tmap_error *err);

/** Add one that cannot be built, with the reason. */
int tmap_baselines_add_absent(struct tmap_baselines *baselines, const char *name,
			      const struct tmap_spec *choice, const char *reason,
			      struct tmap_error *err);
void tmap_baselines_fini(struct tmap_baselines *baselines);

/** The distances of all edges: rising, each once, with the sum of their edges;
 *  [*count], the caller's to free. */
int tmap_baselines_distances(const struct tmap_baselines *baselines, struct tmap_edge_count **edges,
			     int *count, struct tmap_error *err);

#endif
