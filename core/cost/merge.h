/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * merge.h - several distances taken as one, where a tree gains nothing by their difference.
 *
 *     Zoot, 1 2 3 merged:   0 -> 1, 2, ..., 15      one step from the root
 *     apart:                0 -> 1, 2, 4, 8, 12;  2 -> 3;  4 -> 5, 6;  6 -> 7; ...
 *
 * On one memory controller a flat tree beats the hierarchy for large messages, and not for
 * small ones (Ma et al., section V-B, figure 8). Merging drops steps of a metric: the
 * sets of the widest of the merged distances are left.
 */
#ifndef TMAP_CORE_COST_MERGE_H
#define TMAP_CORE_COST_MERGE_H

#include "core/cost/tree_cost.h"

/** Take the distances @p value[count] of a metric as one, the largest of them. Those that the
 *  metric does not have are passed over, but one must be there; refuses to leave out a
 *  distance between them that ranks have, for the rest would not nest. O(p x steps). */
int tmap_metric_merge(struct tmap_metric *metric, const double *value, int count,
		      struct tmap_error *err);

/** Drop the steps of which drop[step] holds; the last one is always kept. */
void tmap_metric_drop(struct tmap_metric *metric, const bool *drop);

/** Process distances become latencies: of the smallest message, in seconds; a distance whose
 *  latency is no higher than that of the one below merges with it. */
void tmap_metric_set_latencies(struct tmap_metric *process, const struct tmap_profile *profile);

/** What merging does at one size. */
struct tmap_merging {
	bool *drop; /**< [step_count] of the metric, for tmap_metric_drop(); also those of
				  distances that no ranks have */
	struct tmap_tree_cost apart; /**< nothing merged */
	struct tmap_tree_cost merged;
	bool is_exact; /**< all ways were tried; else neighbours were merged one by one, the
				  most useful first */
};

/** Which distances of @p metric pay for a broadcast of @p bytes from @p root: the tree of
 *  Algorithm 1 is timed for every way to merge neighbouring distances that ranks have, and
 *  the fastest is kept, of equally fast ones the one that distinguishes fewest. @p process are
 *  the process distances over the same placement. With d distances 2^(d-1) trees, or d^2/2
 *  where those would be too many for the number of ranks (is_exact is false then). */
int tmap_merging_choose(struct tmap_merging *merging, const struct tmap_metric *metric,
			const struct tmap_metric *process, int root,
			const struct tmap_profile *profile, int64_t bytes, int64_t chunk_bytes,
			struct tmap_error *err);
void tmap_merging_fini(struct tmap_merging *merging);

#endif
