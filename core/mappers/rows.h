/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rows.h - the mappers of the table, one function each. Each evaluates at least one candidate in
 * the search, and all but the first four only as many as the budget allows.
 */
#ifndef TMAP_CORE_MAPPERS_ROWS_H
#define TMAP_CORE_MAPPERS_ROWS_H

#include "core/map/search.h"

/** Every rank stays where it is; those that have no slot of their own take what is left. */
int tmap_map_identity(struct tmap_search *search, struct tmap_error *err);

/** Rank r takes the r-th slot of a walk through the machine: core/mappers/walk.h. */
int tmap_map_walk(struct tmap_search *search, struct tmap_error *err);

/** The nodes filled one after another, as they are numbered. */
int tmap_map_block(struct tmap_search *search, struct tmap_error *err);

/** One rank for each node in turn; a full node is passed over. */
int tmap_map_cyclic(struct tmap_search *search, struct tmap_error *err);

/** So many ranks for each node in turn: every number that divides the slots of a node, and every
 *  power of two. "plane 4" */
int tmap_map_plane(struct tmap_search *search, struct tmap_error *err);

/** All orders of the levels in which ranks can count through the machine, as core/place/radix.h
 *  has them: first those that differ from the walk by one level in another position, and the
 *  opposite of the walk, then the others, for up to 6 levels. "order node,core,package" */
int tmap_map_radix(struct tmap_search *search, struct tmap_error *err);

/** Greedy orders for collectives (Mirsadeghi and Afsahi, "Topology-aware rank reordering for MPI
 *  collectives"): one rank after another as close as possible to one that it communicates with,
 *  beginning at the root.
 *  doubling   the partner of the last round, whose message is the largest; two for each rank
 *  ring       the next one
 *  bcast      a binomial tree depth first, small subtrees first: when they are served, most
 *             messages are under way
 *  gather     the edges of a binomial tree, those over the largest subtrees first */
int tmap_map_greedy_doubling(struct tmap_search *search, struct tmap_error *err);
int tmap_map_greedy_ring(struct tmap_search *search, struct tmap_error *err);
int tmap_map_greedy_bcast(struct tmap_search *search, struct tmap_error *err);
int tmap_map_greedy_gather(struct tmap_search *search, struct tmap_error *err);

/** The same for any traffic (Hoefler and Snir; Glantz et al., "GreedyAll"): next comes the
 *  rank with most traffic to those that have a place, as close as possible to its heaviest
 *  neighbour. The walk where there are too many messages for the budget. O(entries log p). */
int tmap_map_greedy(struct tmap_search *search, struct tmap_error *err);

/** The ranks of a grid in boxes, one for each part of the machine, level by level ("boxes"), and
 *  in halves where no boxes fit ("halves"): core/mappers/grid_parts.h. The walk without a grid. */
int tmap_map_grid(struct tmap_search *search, struct tmap_error *err);

/** The ranks of a grid on a torus of nodes, each dimension along an axis, in all orders of the axes: where
 *  the goal has hops, and dimensions are multiples of their axes. "axis by axis" The walk otherwise. */
int tmap_map_torus(struct tmap_search *search, struct tmap_error *err);

/** From the innermost sets of the machine up (Jeannot, Mercier, Tessier: TreeMatch): ranks with
 *  much traffic become a group as large as such a set, groups become groups of groups; and swaps
 *  from there. Where all sets of a layer are equal; else, and where there are too many messages
 *  for the budget, the walk. */
int tmap_map_groups(struct tmap_search *search, struct tmap_error *err);

/** Recursive bisection along the machine's own tree: the traffic is divided into parts as large as
 *  the parts of the machine, so that little crosses the outer borders, then each part by the
 *  inner ones (core/mappers/bisect.h); and swaps from there. Several times with other random
 *  numbers, as far as the budget goes; the walk where there are too many messages for it. */
int tmap_map_bisect(struct tmap_search *search, struct tmap_error *err);

/** About what one such division takes, of a graph of so many edges; with less it is not begun. */
int64_t tmap_bisect_steps(const struct tmap_nest *nest, int64_t edges);

/** The best so far, else identity, made better by swaps: first those that gain at once; then, for
 *  jobs that are small for the budget, simulated annealing; where the goal is not the
 *  distance, swaps judged by the goal itself. (core/mappers/climb.h) */
int tmap_map_swaps(struct tmap_search *search, struct tmap_error *err);

#endif
