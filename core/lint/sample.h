/*
 * sample.h - a large job, or so many of its first nodes that a look at them is quick.
 *
 *     ranks by node        0 4 8 | 1 5 9 | 2 6 10 | 3 7 11
 *     the first two of it  0 2 4 | 1 3 5
 *
 * The ranks of these nodes are numbered as before, without gaps: what was block, cyclic or
 * neither remains so.
 */
#ifndef TMAP_CORE_LINT_SAMPLE_H
#define TMAP_CORE_LINT_SAMPLE_H

#include "core/machine/node_fold.h"

struct tmap_sample {
	const struct tmap_placement *placement;
	const struct tmap_node_fold *fold;
	int nodes;                  /**< how many nodes it has; 0: all of the job's */
	struct tmap_placement part; /**< zeroed where it is the whole job */
	struct tmap_node_fold part_fold;
};

/** The whole job, if it has at most so many ranks; else the first used nodes that have together,
 *  a power of two of them and at least two. The sample stays where it is; the placement and its
 *  fold must outlive it. O(p + N) time. */
int tmap_sample_init(struct tmap_sample *sample, const struct tmap_placement *p,
		     const struct tmap_node_fold *fold, int most_ranks, struct tmap_error *err);
void tmap_sample_fini(struct tmap_sample *sample);

#endif
