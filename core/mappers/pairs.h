/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pairs.h - ranks in the sets of a layer, pair of sets by pair of sets made to cost less.
 *
 *     [ A  ][ B  ][ C  ][ D  ]     A and C exchange ranks, as two sides of a graph
 *       ^-----------^              (core/mappers/bisect.h), B and D stay
 *
 * All pairs between which something is sent take part, not only neighbours in the machine: so
 * ranks get where a division in halves of halves has not let them go. Sanders and Schulz refine
 * partitions pair by pair in KaFFPa; here a rank counts what it sends to all other sets, too.
 */
#ifndef TMAP_CORE_MAPPERS_PAIRS_H
#define TMAP_CORE_MAPPERS_PAIRS_H

#include "core/base/random.h"
#include "core/map/graph.h"
#include "core/map/nest.h"

/** at[position] = rank: those in sets of @p layer change places as long as that makes them better;
 *  where in a set a rank goes means nothing. Rounds go on as long as a pair is better than before, but not
 *  above *left steps, from which the steps taken are subtracted. O(edges x sets beside a set) a round. */
int tmap_pairs_refine(int *at, const struct tmap_graph *graph, const struct tmap_nest *nest,
		      const double *price, int layer, struct tmap_random *random, int64_t *left,
		      struct tmap_error *err);

#endif
