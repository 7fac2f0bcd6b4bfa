/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * smp_work.h - the nodes and the leaders of smp.c for one call, and who takes part in its steps.
 */
#ifndef TMAP_CORE_ALGORITHMS_SMP_WORK_H
#define TMAP_CORE_ALGORITHMS_SMP_WORK_H

#include "core/algorithms/phase.h"
#include "core/algorithms/smp_plan.h"
#include "core/group/lanes.h"

struct tmap_smp_work {
	const struct tmap_call *call;
	const struct tmap_smp_plan *plan;
	enum tmap_smp_lead lead;
	struct tmap_lanes nodes;
	int *leader, *lead_at; /**< [nodes]: by rank rising, a rank; and its place on its node */
	int *swapped;          /**< [nodes]: the leaders, root_at and 0 having changed places */
	int root_at;           /**< the leader of the root's node, or of rank 0, in leader[] */
	int root_leader;       /**< the leader of the root's node: a rank */
	int root_node, root_place; /**< the root's node, and its place there */
	int *others;               /**< [ranks]: those of all nodes but the root's, where that is
					late; else NULL */
	int *others_first;         /**< [nodes] */
	struct tmap_run *slice;    /**< [nodes]: scratch */
	int across[2];             /**< start of the team of leaders */
};

/** Borrows the call. O(p). */
int tmap_smp_work_init(struct tmap_smp_work *work, const struct tmap_call *call,
		       struct tmap_error *err);
void tmap_smp_work_fini(struct tmap_smp_work *work);

/** The teams of a phase, or of the word, for a segment; borrowed from the work. */
struct tmap_comms tmap_smp_teams(const struct tmap_smp_work *work, const struct tmap_smp_step *step,
				 int64_t segment);

#endif
