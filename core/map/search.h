/*
 * search.h - the search for a good mapping: what mappers look at, and the best of what they
 * have offered.
 *
 *     mapper ──► tmap_search_evaluate(slot_of) ──► made to respect what is asked ──► measured
 *                                                     └► kept, if it is the best so far
 *
 * Work is counted in steps, each about one message or entry looked at, so that the same
 * budget and seed give the same mapping wherever libm is the same.
 */
#ifndef TMAP_CORE_MAP_SEARCH_H
#define TMAP_CORE_MAP_SEARCH_H

#include "core/base/random.h"
#include "core/map/assignment.h"
#include "core/map/graph.h"
#include "core/map/objective.h"

struct tmap_search {
	struct tmap_objective *objective; /**< borrowed */
	const struct tmap_slots *slots;   /**< the objective's */
	int size;                         /**< ranks */
	int count;                        /**< slots */
	struct tmap_nest ladder;          /**< the slots by all levels of the machine */
	struct tmap_graph graph;          /**< what ranks say to each other, [count] vertices */
	bool has_graph;                   /**< false: there are too many messages for the budget */
	struct tmap_random random;
	int64_t left;    /**< steps of the budget; below 0 where the last one was too long */
	int64_t reserve; /**< steps of these that are for mappers that come later */
	double *price;   /**< [objective->nest.depth]: what a byte costs at each layer, by the
				  goal: the nest's own costs, or seconds */
	int row;         /**< the mapper that offers */
	struct tmap_assignment seating; /**< what was offered last, as it was measured */
	bool has_best;
	int *best; /**< [count]: slot of each rank, then of each nobody */
	struct tmap_evaluation best_measures; /**< the goal, and what has_distance says */
	bool has_distance;                    /**< the byte distance of the best is known */
	uint64_t *seen; /**< hashes of what was offered: nothing is measured twice */
	size_t seen_count, seen_capacity;
	int best_row;
	char *best_how; /**< NULL: nothing to say */
};

/** A quest with @p effort steps. O(slots x levels + entries); the objective must outlive it. */
int tmap_search_init(struct tmap_search *quest, struct tmap_objective *objective, int64_t effort,
		     uint64_t seed, struct tmap_error *err);
void tmap_search_fini(struct tmap_search *quest);

/** Are so many steps left, the reserve not counted? */
bool tmap_search_affords(const struct tmap_search *quest, int64_t steps);

/** About what one more offer takes, in steps. */
int64_t tmap_search_evaluate_steps(const struct tmap_search *quest);

/** All figures of the best. */
int tmap_search_measure_best(struct tmap_evaluation *measures, struct tmap_search *quest,
			     struct tmap_error *err);

/** A mapping: a permutation of all slots, of the ranks first. @p how says in a few words how it
 *  was made ("order core,node"); NULL: the row's name says it all. */
int tmap_search_evaluate(struct tmap_search *quest, const int *slot_of, const char *how,
			 struct tmap_error *err);

/** The same of who is at each position of @p nest: [count], ranks and nobodies. */
int tmap_search_evaluate_at(struct tmap_search *quest, const struct tmap_nest *nest, const int *at,
			    const char *how, struct tmap_error *err);

#endif
