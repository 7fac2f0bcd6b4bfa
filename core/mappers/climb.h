/*
 * climb.h - a mapping made better by swaps, in the graph of who talks to whom.
 *
 *     cost = sum over the edges of weight x price of the outermost layer that divides the ends
 *
 * What a swap gains is known from the edges of the two alone. Partners are looked for where
 * they may help: near those that a rank talks to (Schulz and Träff, VieM, look at pairs that are
 * close in the graph), or in one of the sets of the machine around it. Swaps that may not be
 * are passed over.
 */
#ifndef TM_CLIMB_H
#define TM_CLIMB_H

#include "core/map/search.h"

struct tm_climb {
	struct tm_quest *quest;       /**< borrowed: graph, prices, random numbers, budget */
	const struct tm_nest *nest;   /**< the objective's */
	int *at;             /**< [count]: who is at each position */
	int *of;             /**< [count]: the position of everyone */
	double cost;
	double *table;       /**< [count x count]: the price of each pair of positions; NULL where
				  there are too many */
	double idle;         /**< a swap of two that cost no more is no change */
	bool is_free;        /**< nothing is asked: every swap may be */
};

int tm_climb_init(struct tm_climb *climb, struct tm_quest *quest, struct tm_error *err);
void tm_climb_fini(struct tm_climb *climb);

/** Begin with a mapping that respects what is asked. O(edges). */
void tm_climb_set(struct tm_climb *climb, const int *slot_of);

/** Swaps that gain, rank after rank in random order, until a round over all ranks finds none or
 *  the budget ends. */
void tm_climb_descend(struct tm_climb *climb);

/** No mapping costs less: each edge costs as little as any swap can make it. O(edges). */
bool tm_climb_is_least(const struct tm_climb *climb);

/** Simulated annealing (Kirkpatrick, Gelatt, Vecchi) over @p steps steps, from @p heat times the
 *  mean change of a swap down to nearly nothing; ends with the best mapping that it saw. */
int tm_climb_anneal(struct tm_climb *climb, double heat, int64_t steps, struct tm_error *err);

/** Offer where it stands. */
int tm_climb_offer(struct tm_climb *climb, struct tm_error *err);

#endif
