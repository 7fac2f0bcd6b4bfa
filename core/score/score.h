/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * score.h - the algorithms of a collective on one placement, best first.
 *
 *     allgather of 64 KiB, 32 ranks, 4 on a node     seconds   bytes across node   locality
 *     ring                                           ...       248 blocks          0.90
 *     sparbit                                        ...       480                 0.47
 *     bruck                                          ...       936                 0.24
 *
 * An algorithm that cannot run at this size is a row too, the last ones, with the reason.
 */
#ifndef TMAP_CORE_SCORE_SCORE_H
#define TMAP_CORE_SCORE_SCORE_H

#include "core/base/progress.h"
#include "core/cost/cost.h"
#include "core/library/library.h"
#include "core/score/locality.h"

/** Of which libraries it is asked what they take by themselves: each costs a schedule that no row may
 *  have. */
enum tmap_score_defaults {
	TMAP_SCORE_DEFAULTS_ALL,
	TMAP_SCORE_DEFAULTS_LISTED, /**< those of tmap_library_is_listed() */
	TMAP_SCORE_DEFAULTS_PICKED, /**< the library that is asked about */
	TMAP_SCORE_DEFAULTS_NONE
};

/** What is asked. */
struct tmap_score_request {
	enum tmap_collective collective;
	int64_t bytes;   /**< the size that the MPI call names; 0 for a barrier */
	int64_t element; /**< bytes of an element, as of a call; 0: not said */
	int root;        /**< where the collective has one; else 0 */
	const struct tmap_neighborhood *neighborhood; /**< where it has one; else NULL; borrowed */
	const char *const *algorithm; /**< "bruck,radix=4"; [algorithm_count], borrowed */
	size_t algorithm_count;       /**< 0: all rows of the catalogue, with their preset values */
	const struct tmap_profile *profile; /**< NULL: the first one of tmap_profiles */
	bool has_library;                   /**< this one; else tmap_library_pick() finds one */
	int library;                        /**< row of tmap_libraries */
	enum tmap_score_defaults defaults; /**< of the others neither algorithm nor time is known */
	struct tmap_progress *progress;    /**< gets a report an algorithm; NULL: nobody waits */
};

struct tmap_score_row {
	struct tmap_call call;
	char *name;                    /**< as tmap_spec_print() has it */
	char *reason;                  /**< why it cannot run at this size; NULL where it can */
	struct tmap_locality locality; /**< zeroed where it cannot */
	double seconds;                /**< by the cost profile */
	struct tmap_knobs knobs;       /**< of tmap_library_knobs(): how to select it */
	char *openmpi_flat;            /**< the same for Open MPI where coll/han is not taken by
					   itself: before 5 */
	const char *mpich_since;       /**< release from which on MPICH can; NULL: all of 4 */
};

/** What a library takes by itself, and the best that it can be set to. */
struct tmap_score_default {
	struct tmap_library_choice answer;
	char *name;     /**< of the algorithm, with its parameters; NULL: none is known */
	double seconds; /**< where there is a name */
	double slower;  /**< its seconds over those of the best row */
	int best;    /**< the first row that can run here and that its options select; TMAP_NONE */
	double gain; /**< seconds by itself over those of that row; 0 where either is not known */
	char *scope; /**< what the options of that row change, too; NULL without a row */
};

struct tmap_score {
	const struct tmap_placement *placement; /**< borrowed: must outlive the score */
	enum tmap_collective collective;
	int64_t bytes, element;
	int root;
	const struct tmap_profile *profile;
	struct tmap_levels levels;
	struct tmap_metric metric; /**< process distances, for algorithms that follow them */
	struct tmap_partition_statistics *spread; /**< [levels.count]: ranks over the objects */
	struct tmap_cost_model model;
	struct tmap_order order;
	int count, applicable;      /**< rows; those that can run come first */
	struct tmap_score_row *row; /**< [count], best first */
	int default_count;
	struct tmap_score_default *defaults; /**< [default_count], as in tmap_libraries */
	struct tmap_library_pick pick;       /**< the library that is asked about */
};

/** How library @p library is set to a row, borrowed; NULL: it cannot be. */
const char *tmap_score_knob(const struct tmap_score_row *row, int library);

/** Score. Best is who takes the fewest seconds; of equals who moves the fewest bytes over the
 *  outermost level, then over the next ones, then who sends the fewest messages over these,
 *  then who needs the fewest rounds, then the catalogue's first. Refuses a root that is not a
 *  rank, or of a collective without one, and what tmap_call_parse() refuses. The score stays where
 *  it is: its calls point into it.
 *  Time of tmap_cost_and_moved() for each algorithm: every allgather of 11,039,616 ranks on equal
 *  nodes takes seconds where ranks follow each other regularly, and less than a minute where
 *  they do not. Memory of the model and of the largest plan of an algorithm, O(p). */
int tmap_score_init(struct tmap_score *score, const struct tmap_placement *placement,
		    const struct tmap_score_request *request, struct tmap_error *err);
void tmap_score_fini(struct tmap_score *score);

/** The same question for another size: @p request differs from the first one in its bytes only.
 *  The placement is not analyzed again. On failure the score has no rows, and may be asked or
 *  released. */
int tmap_score_again(struct tmap_score *score, const struct tmap_score_request *request,
		     struct tmap_error *err);

#endif
