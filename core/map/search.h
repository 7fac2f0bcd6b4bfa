/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * search.h - the search for a good mapping: what mappers work on, and the best candidate so far.
 *
 *     mapper ──► tmap_search_evaluate(slot_of) ──► made to keep the constraints ──► evaluated
 *                                                     └► kept, if it is the best so far
 *
 * Work is counted in steps, each about one message or entry visited, so that the same
 * budget and seed give the same mapping wherever libm is the same.
 */
#ifndef TMAP_CORE_MAP_SEARCH_H
#define TMAP_CORE_MAP_SEARCH_H

#include "core/base/progress.h"
#include "core/base/random.h"
#include "core/map/assignment.h"
#include "core/map/graph.h"
#include "core/map/objective.h"

/** Parts of a search that not every mapper works on: bits. */
enum tmap_search_parts { TMAP_SEARCH_LEVELS = 1, TMAP_SEARCH_GRAPH = 2 };

/** The best candidate so far. */
struct tmap_search_best {
	int *slot_of;                      /**< [count]: slot of each rank, then the unused slots */
	struct tmap_evaluation evaluation; /**< by the goal, and byte_distance if has_distance */
	bool has_distance;
	int row;   /**< the mapper that found it */
	char *how; /**< how that one made it; NULL: its name is enough */
};

/** Hashes of the candidates that were evaluated: none is evaluated twice. */
struct tmap_search_seen {
	uint64_t *hash;
	size_t count, capacity;
};

struct tmap_search {
	/* what mappers work on */
	struct tmap_objective *objective; /**< borrowed */
	const struct tmap_slots *slots;   /**< the objective's */
	int size;                         /**< ranks */
	int count;                        /**< slots */
	struct tmap_nest levels; /**< the slots by all levels of the machine, if asked for */
	struct tmap_graph graph; /**< the traffic, [count] vertices, if asked for */
	bool has_graph;          /**< false: there are too many messages for the budget,
					   or nobody asked for it */
	double *price; /**< [objective->nest.depth]: what a byte costs at each layer, by the
				  goal: the nest's own costs, or seconds */

	/* what they use up */
	struct tmap_random random;
	int64_t left;    /**< steps of the budget; below 0 where the last one was too long */
	int64_t reserve; /**< steps of these that are for mappers that come later */

	/* who waits for them */
	int64_t effort;                 /**< the whole budget */
	struct tmap_progress *progress; /**< gets a report a candidate; NULL: nobody waits */

	/* what they have found */
	int row; /**< the mapper that is running */
	bool has_best;
	struct tmap_search_best best;

	/* scratch */
	struct tmap_assignment assignment; /**< the last candidate, as it was evaluated */
	struct tmap_search_seen seen;
};

/** A search with @p effort steps, and those of its @p parts that its mapper needs. O(slots x levels + entries);
 *  the objective must outlive it. */
int tmap_search_init(struct tmap_search *search, struct tmap_objective *objective, unsigned parts,
		     int64_t effort, uint64_t seed, struct tmap_error *err);
void tmap_search_fini(struct tmap_search *search);

/** Are so many steps left, the reserve not counted? */
bool tmap_search_affords(const struct tmap_search *search, int64_t steps);

/** About what one more evaluation takes, in steps. */
int64_t tmap_search_evaluate_steps(const struct tmap_search *search);

/** The goal's value of the best. */
static inline double tmap_search_best_value(const struct tmap_search *search)
{
	return tmap_objective_value(search->objective, &search->best.evaluation);
}

/** The whole evaluation of the best. */
int tmap_search_evaluate_best(struct tmap_evaluation *evaluation, struct tmap_search *search,
			      struct tmap_error *err);

/** A candidate: a permutation of all slots, of the ranks first. @p how are a few words on how it
 *  was made ("order core,node"); NULL: the mapper's name is enough. */
int tmap_search_evaluate(struct tmap_search *search, const int *slot_of, const char *how,
			 struct tmap_error *err);

/** The same, from the ranks at the positions of @p nest: [count], numbers from size on stand for no
 *  rank. */
int tmap_search_evaluate_at(struct tmap_search *search, const struct tmap_nest *nest, const int *at,
			    const char *how, struct tmap_error *err);

#endif
