/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * climb.h - a mapping made better by swaps, in the graph of the traffic.
 *
 *     cost = sum over the edges of weight x price of the outermost layer that divides the ends
 *
 * What a swap gains is known from the edges of the two alone. Partners are searched where
 * they may help: near the neighbours of a rank (Schulz and Träff, VieM, try pairs that are
 * close in the graph), or in one of the sets of the machine around it. Swaps that break a
 * constraint are left out.
 */
#ifndef TMAP_CORE_MAPPERS_CLIMB_H
#define TMAP_CORE_MAPPERS_CLIMB_H

#include "core/map/search.h"
#include "core/mappers/prices.h"

/** What is known while partners of one rank are tried. Its turn is over once another one has it. */
struct tmap_climb_tried {
	int64_t turn; /**< of the rank at hand */
	struct tmap_climb_met {
		int64_t tried,
			peer; /**< the turn in which it was tried, was a neighbour in the graph */
	} * met;              /**< [count]: ranks */
	struct tmap_climb_move {
		int64_t turn;
		double change; /**< what the rank of that turn costs more there */
	} * move;              /**< [count]: groups of the nest */
};

struct tmap_climb {
	struct tmap_search *search;   /**< borrowed: graph, prices, random numbers, budget */
	const struct tmap_nest *nest; /**< the objective's */
	int *at;                      /**< [count]: the rank at each position */
	int *of;                      /**< [count]: the position of each rank */
	double cost;
	struct tmap_prices prices;
	struct tmap_climb_tried tried;
	double idle;          /**< a swap of two that cost no more is no change */
	bool has_near;        /**< some rank needs a device, */
	bool near_in_seconds; /**< which counts in seconds */
	bool is_free;         /**< there are no constraints: every swap is allowed */
};

int tmap_climb_init(struct tmap_climb *climb, struct tmap_search *search, struct tmap_error *err);
void tmap_climb_fini(struct tmap_climb *climb);

/** Begin with a mapping that keeps the constraints. O(edges). */
void tmap_climb_set(struct tmap_climb *climb, const int *slot_of);

/** Swaps that gain, rank after rank in random order, until a round over all ranks finds none or
 *  the budget ends. */
void tmap_climb_descend(struct tmap_climb *climb);

/** No mapping costs less: each edge costs as little as any swap can make it. O(edges). */
bool tmap_climb_is_least(const struct tmap_climb *climb);

/** Simulated annealing (Kirkpatrick, Gelatt, Vecchi) over @p steps steps, from @p heat times the
 *  mean change of a swap down to nearly nothing; ends with the best mapping that it saw. */
int tmap_climb_anneal(struct tmap_climb *climb, double heat, int64_t steps, struct tmap_error *err);

/** Evaluate the mapping as it is. */
int tmap_climb_evaluate(struct tmap_climb *climb, struct tmap_error *err);

#endif
