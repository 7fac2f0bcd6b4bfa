/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * subject.h - the ranks that a tree or a ring is made of, and how far apart they are: what the
 * command line says of them.
 */
#ifndef TMAP_CLI_BASE_SUBJECT_H
#define TMAP_CLI_BASE_SUBJECT_H

#include "cli/base/call_options.h"
#include "cli/base/communicator.h"
#include "core/cost/merge.h"
#include "core/tree/matrix.h"
#include "core/tree/shapes.h"
#include "formats/machine/json_profile.h"
#include "options/opt.h"

/** What the options say; a command's args begin with it. */
struct tmap_subject_args {
	const char *input, *comm, *adapters, *matrix, *merge, *profile;
	int scale;
	int64_t bytes, chunk;
};

#define TMAP_OPT_JOB(args, job) \
	{ TMAP_OPT_COMM(args, job.comm), .other_name = "ranks" }, \
		{ TMAP_OPT_ADAPTERS(args, job.adapters) }, \
		{ TMAP_OPT_CHOICE(args, job.scale, 's', "scale", "SCALE", "process", &tmap_scales, \
				  TMAP_SCALES_WITH_LATENCY, "scale of the distances") }, \
		{ TMAP_OPT_FILE(args, job.matrix, 'm', "matrix", "FILE", NULL, \
				"use measured distances: CSV, a placement with the matrix of " \
				"topomap-probe, or hwloc's XML with distances of NUMA nodes") }, \
	{ \
		TMAP_OPT_PROFILE(args, job.profile, "") \
	}

struct tmap_subject {
	struct tmap_placement placement; /**< of the ranks, numbered anew where they are a part */
	struct tmap_profile_request profile;
	bool is_measured, is_merged;
	enum tmap_scale scale;      /**< of the distances: measured where there is a matrix */
	struct tmap_matrix matrix;  /**< if it is measured */
	struct tmap_metric process; /**< process distances, always */
	struct tmap_metric apart;   /**< on the scale, before merging; process if measured */
	struct tmap_metric metric;  /**< after merging: what trees and rings are built on */
	char *note;                 /**< what was merged, NULL: nothing */
};

/** Read what @p args name, and merge distances as it says; @p root is that of the broadcast for
 *  which "auto" chooses, TMAP_NONE: "auto" is refused. The job must stay where it is: the metrics
 *  point into it. Release with tmap_subject_fini(), also on failure. */
int tmap_subject_init(struct tmap_subject *job, const struct tmap_subject_args *args, int root,
		      struct tmap_error *err);
void tmap_subject_fini(struct tmap_subject *job);

/** The distance-aware tree and ring of the job, with the distances before merging. */
int tmap_subject_tree(struct tmap_tree *tree, const struct tmap_subject *job, int root,
		      struct tmap_error *err);
int tmap_subject_ring(struct tmap_ring *ring, const struct tmap_subject *job,
		      struct tmap_error *err);

/** The tree or ring of a library (core/tree/shapes.h), with the distances of the job. */
int tmap_subject_shape_tree(struct tmap_tree *tree, const struct tmap_subject *job,
			    const struct tmap_spec *choice, int root, struct tmap_error *err);
int tmap_subject_shape_ring(struct tmap_ring *ring, const struct tmap_subject *job,
			    const struct tmap_spec *choice, struct tmap_error *err);

#endif
