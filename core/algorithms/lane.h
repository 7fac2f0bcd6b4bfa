/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lane.h - collectives over node and lane communicators: every lane carries a part of the data.
 *
 *     8 ranks on 2 nodes, a bcast of 4 pieces     scatter     {0 1 2 3}           c/n each
 *                                                 bcast       {0 4} {1 5} {2 6} {3 7}
 *                                                 allgather   {0 1 2 3} {4 5 6 7}
 *
 *     bcast            node scatter of the root, lane bcast, node allgather
 *     allgather        lane allgather, node allgather
 *     gather           lane gather to the root's node, node gather to the root
 *     scatter          the other way round
 *     reduce           node reduce_scatter, lane reduce to the root's node, node gather
 *     allreduce        node reduce_scatter, lane allreduce, node allgather
 *     reduce_scatter(_block)   node reduce_scatter, lane reduce_scatter
 *     alltoall         lane alltoall, node alltoall
 *     scan, exscan     on a copy of the vector: node reduce_scatter, lane exscan, and, but on the
 *                      first node, node allgather of its answers; then node scan, exscan
 *
 * (Traeff and Hunold, section III.) Where reductions are preset to "auto", each of these takes as
 * few rounds and bytes as the paper takes it to, at any number of nodes and ranks. With fewer lanes
 * than ranks a node the leaders of its groups do this (core/group/lanes.h), and their groups gather
 * or reduce before, get a bcast or a scatter after it; with one lane that is the hierarchy of nodes
 * and leaders. The root leads its group. On irregular communicators, which the paper leaves open,
 * there are as many lanes as most nodes have ranks: groups on larger nodes, ranks in several lanes
 * on smaller ones. The order of the ranks does not matter but for scans, for which nodes must hold
 * intervals of ranks.
 */
#ifndef TMAP_CORE_ALGORITHMS_LANE_H
#define TMAP_CORE_ALGORITHMS_LANE_H

#include "core/schedule/emit.h"

extern const struct tmap_param tmap_lane_bcast[], tmap_lane_reduce[], tmap_lane_gather[],
	tmap_lane_scatter[], tmap_lane_allgather[], tmap_lane_allreduce[],
	tmap_lane_reduce_scatter[], tmap_lane_alltoall[], tmap_lane_scan[];

/** Refuses a number of lanes that the nodes do not have, scans where the ranks of a
 *  node are not contiguous, and inner algorithms that do not fit. */
int tmap_lane_check(const struct tmap_call *call, struct tmap_error *err);

/** The choice with the algorithms that "auto" stands for. O(p + lanes x N). */
int tmap_lane_resolve(const struct tmap_call *call, struct tmap_spec *choice,
		      struct tmap_error *err);

/** Of all of these collectives. */
int tmap_lane(struct tmap_emit *emit);

/** What the rows share, but for their words, their params and their pieces. */
#define TMAP_LANE \
	.pattern = TMAP_PATTERN_PLACED, .needs_metric = true, .has_lanes = true, \
	.check = tmap_lane_check, .resolve = tmap_lane_resolve, .generate = tmap_lane, \
	.choice.knobs = { NULL, NULL, NULL }, .source = "Traeff, Hunold 2020"

#endif
