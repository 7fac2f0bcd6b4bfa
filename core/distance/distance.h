/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * distance.h - how far apart two ranks are.
 *
 * Process distance (Ma et al., section IV-A; beyond one node in its spirit):
 *   1  share any cache (or a core)
 *   2  no shared cache, one package, one memory controller
 *   3  different packages, one memory controller
 *   4  one package, different memory controllers
 *   5  neither, but one board
 *   6  different boards of one node
 *   7  different nodes under one leaf switch, or nothing is known of the network
 *   8, 9, ...  one more for each switch level up to the lowest common one
 *
 * Every scale here is a function of the lowest object that contains both ranks, and
 * grows on the way up. So it is an ultrametric, d(a,c) <= max(d(a,b), d(b,c)), and a
 * metric is nothing but nested partitions of the ranks, one a step:
 *
 *   step 0   value 1    {0 1} {2 3} {4 5} {6 7}
 *   step 1   value 5    {0 1 2 3} {4 5 6 7}
 *   step 2   value 7    {0 1 2 3 4 5 6 7}
 *
 * The distance of two ranks is the value of the first step that has them in one set.
 * Two ranks on one object are as far apart as that object is wide: below that step
 * each is alone.
 */
#ifndef TMAP_CORE_DISTANCE_DISTANCE_H
#define TMAP_CORE_DISTANCE_DISTANCE_H

#include "core/base/keyword.h"
#include "core/machine/partition.h"

/** What distances are measured on. Those that a machine has by itself come first. */
enum tmap_scale {
	TMAP_SCALE_PROCESS,  /**< 1 to 6 and up, as above */
	TMAP_SCALE_LEVEL,    /**< number of levels whose objects differ, network included */
	TMAP_SCALE_LATENCY,  /**< process distances, each replaced by the latency that a profile has
				  for it (core/cost/merge.h) */
	TMAP_SCALE_MEASURED, /**< those of a matrix (core/tree/matrix.h); a metric on it has process
				  distances */
	TMAP_SCALE_COUNT
};

/** Room for what tmap_meaning_print() writes. */
#define TMAP_MEANING_ROOM 128

struct tmap_scale_distances;

struct tmap_scale_row {
	struct tmap_keyword word;
	bool is_numbered; /**< the distances are whole numbers from 1 on, whose meaning is known */
	bool by_profile;  /**< the values of its metric are still to be replaced by a profile's */
	/** The distance within each object of a node, [objects], all 0 before. */
	int (*within)(double *within, const struct tmap_topology *topo, struct tmap_error *err);
	/** The distance from which on nodes are joined by a tier (core/distance/scale.h). */
	int (*join)(double *distance, const struct tmap_scale_distances *of, int tier,
		    struct tmap_error *err);
	/** What two ranks at this distance have in common. */
	void (*print)(const struct tmap_machine *machine, double distance, char *text);
};

/** All scales, in the order of enum tmap_scale, and as words. */
extern const struct tmap_scale_row tmap_scale_rows[];
extern const struct tmap_keywords tmap_scales;

/** Words for analyses that know the machine alone, and those that know a profile, too. */
#define TMAP_SCALES_OF_MACHINE (TMAP_KEYWORDS_BIT(TMAP_SCALE_LATENCY) - 1)
#define TMAP_SCALES_WITH_LATENCY (TMAP_KEYWORDS_BIT(TMAP_SCALE_MEASURED) - 1)

/** What two ranks at @p distance on a scale have in common: "same package, different memory
 *  controllers". Returns @p text, cut to its room. */
char *tmap_meaning_print(const struct tmap_machine *machine, int scale, double distance,
			 char text[TMAP_MEANING_ROOM]);

struct tmap_metric_step {
	double value; /**< the distance; rises from step to step */
	struct tmap_partition sets;
};

struct tmap_metric {
	const struct tmap_placement *placement; /**< borrowed: must outlive the metric; NULL: the
						   metric is one of a matrix (core/tree/matrix.h) */
	int size;                               /**< number of ranks */
	int step_count; /**< at least 1; the last step has one set that holds all ranks */
	struct tmap_metric_step *step;
};

/** The steps that @p scale has on this machine. O(steps x (N + objects)) time and memory,
 *  independent of the number of ranks. */
int tmap_metric_init(struct tmap_metric *metric, const struct tmap_placement *placement,
		     enum tmap_scale scale, struct tmap_error *err);
void tmap_metric_fini(struct tmap_metric *metric);

/** Make all distances up to @p value one, the largest of them: in a copy of a metric, which
 *  borrows the steps of the original and must not be released. */
void tmap_metric_merge_below(struct tmap_metric *copy, double value);

/** The set of @p rank at @p step, or TMAP_NONE: it is alone. O(1). */
static inline int tmap_metric_set(const struct tmap_metric *metric, int step, int rank)
{
	return tmap_partition_set(&metric->step[step].sets, metric->placement, rank);
}

/** The number of sets of the step that has most of them. O(steps). */
int tmap_metric_most_sets(const struct tmap_metric *metric);

/** First step that has both ranks in one set; TMAP_NONE for a rank with itself. O(steps). */
int tmap_metric_step_of(const struct tmap_metric *metric, int a, int b);

/** Distance of two ranks; 0 for a rank with itself. O(steps). */
double tmap_metric_distance(const struct tmap_metric *metric, int a, int b);

/** How many unordered pairs of ranks are at each step's distance: [step_count], the caller's
 *  to free. O(p x steps), never p^2. */
int64_t *tmap_metric_count_pairs(const struct tmap_metric *metric, struct tmap_error *err);

#endif
