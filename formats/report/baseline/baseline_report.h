/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * baseline_report.h - a tree or a ring and the baselines that it is compared with: edges at each
 * distance, bytes across each level, predicted times; as tables for people and as members of the
 * tree and ring documents.
 *
 *     edges at distance   1   3   7  weight  depth  fan-out
 *     distance_tree      24   4   3      57      3        7
 *     binomial_near      12  16   3      81      5        5
 *
 *     "bytes": 65536, "profile": "summit", "levels": [{"name": "node", ...}], ...,
 *     "against": [{"name": "binomial_near", "knobs": {...}, "weight": 81, ...}]
 */
#ifndef TMAP_FORMATS_REPORT_BASELINE_BASELINE_REPORT_H
#define TMAP_FORMATS_REPORT_BASELINE_BASELINE_REPORT_H

#include "core/score/baselines.h"
#include "formats/base/view.h"

#include <stdio.h>

/** What a document has besides its tree or ring. */
struct tmap_report {
	const char *scale; /**< name of the scale of the distances */
	const int *world;  /**< the ranks' numbers in the whole job; NULL: it is the whole job */
	const struct tmap_placement *placement; /**< what it was made from; NULL: it is not written */
	const struct tmap_baselines *baselines; /**< ours first; NULL: no costs, no baselines */
	const char *note;                       /**< about the distances; NULL: none */
	const struct tmap_profile *profile;     /**< whose latencies these are; NULL: no one's, or
						     named by the costs */
	bool has_accesses; /**< also the reads and writes of each memory controller, of ours */
};

/** The documents of formats/report/tree/json_tree.h and json_ring.h with all that a report has. */
int tmap_tree_write_report(const struct tmap_tree *tree, const struct tmap_report *report,
			   const struct tmap_machine *machine, FILE *out, struct tmap_error *err);
int tmap_ring_write_report(const struct tmap_ring *ring, const struct tmap_report *report,
			   const struct tmap_machine *machine, FILE *out, struct tmap_error *err);

/** Edges at each distance and what the distances mean; weight, depth and fan-out; the costs; the
 *  settings by which each library is made to use them. */
int tmap_text_write_baselines(FILE *out, const struct tmap_view *view,
			      const struct tmap_baselines *baselines, struct tmap_error *err);

/** What crosses each level; where a size is given, the times by the profile. */
int tmap_text_write_costs(FILE *out, const struct tmap_baselines *baselines,
			  struct tmap_error *err);

#endif
