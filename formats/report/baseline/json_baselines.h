/*
 * json_baselines.h - the members of tree and ring documents that say what they amount to, and
 * what others do over the same ranks.
 *
 *     "bytes": 65536, "profile": "summit", "levels": [{"name": "node", ...}], ...,
 *     "against": [{"name": "binomial_near", "knobs": {...}, "weight": 131, ...}]
 */
#ifndef TMAP_FORMATS_REPORT_BASELINE_JSON_BASELINES_H
#define TMAP_FORMATS_REPORT_BASELINE_JSON_BASELINES_H

#include "core/score/baselines.h"

#include <stdio.h>

/** What a document says beside its tree or ring. */
struct tmap_report {
	const char *scale; /**< name of the scale of the distances */
	const int *world;  /**< the ranks' numbers in the whole job; NULL: it is the whole job */
	const struct tmap_placement *placement; /**< what it was made from; NULL: it is not written */
	const struct tmap_baselines *versus;    /**< ours first; NULL: nothing is said of costs */
	const char *note;                       /**< about the distances; NULL: none */
	bool has_accesses; /**< also what each memory controller is asked, of the first */
};

/** The documents of formats/report/tree/json_tree.h and json_ring.h with all that a report has. */
int tmap_tree_write_report(const struct tmap_tree *tree, const struct tmap_report *report,
			   const struct tmap_machine *machine, FILE *out, struct tmap_error *err);
int tmap_ring_write_report(const struct tmap_ring *ring, const struct tmap_report *report,
			   const struct tmap_machine *machine, FILE *out, struct tmap_error *err);

#endif
