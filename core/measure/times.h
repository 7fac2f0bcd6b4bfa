/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * times.h - measured times of collectives, and the placement that they were measured on.
 *
 *     experiment       allgather  sparbit      blocking     64 KiB   root 0
 *                      collective algorithm    mode         bytes
 *     or               neighbor_allgather on moore:1 2d fmaj adjacent, 64 KiB
 *                      call          virtual topology (virtual_topology.h)
 *     one launch       seconds: of its repetitions       runs: [the median]
 *     several, joined  seconds: of the launches' medians runs: [median, median, ...]
 *
 * What ranks of one launch have in common (which pages, which core the system left to others) is in
 * all of its repetitions, so a launch counts as one where there are several.
 */
#ifndef TMAP_CORE_MEASURE_TIMES_H
#define TMAP_CORE_MEASURE_TIMES_H

#include "core/machine/placement.h"
#include "core/measure/like.h"
#include "core/measure/sample_statistics.h"
#include "core/measure/virtual_guidelines.h"
#include "core/schedule/call.h"

/** How a collective is called. */
enum tmap_mode {
	TMAP_BLOCKING,
	TMAP_NONBLOCKING,
	TMAP_PERSISTENT,
	TMAP_NAIVE, /**< ours alone, as the next one */
	TMAP_SCHEDULE,
	TMAP_MODES
};

extern const struct tmap_keywords tmap_modes; /**< by name, in the order of the enum */

/** What the ranks begin a repetition by. */
enum tmap_sync {
	TMAP_SYNC_BARRIER,
	TMAP_SYNC_CLOCK,
	TMAP_SYNC_SLICES,
};

extern const struct tmap_keywords tmap_syncs; /**< by name, in the order of the enum */

/** The common clock that ranks began by. */
struct tmap_clock_use {
	int clocks;           /**< of sets of ranks, that one was learnt from; 0: there was none */
	double uncertainty_s; /**< how far the ranks' were apart at most */
	int64_t late;         /**< repetitions that a rank began late, and that do not count */
};

/** The times of one launch, from the shortest to the longest. */
struct tmap_box {
	double min, q1, median, q3, max;
};

/** Strings and arrays are owned. */
struct tmap_experiment {
	enum tmap_collective collective; /**< of a call on a virtual topology
					      TMAP_COLLECTIVE_COUNT */
	struct tmap_virtual_key on;      /**< that call, and the topology; else TMAP_NO_VIRTUAL */
	char *algorithm;                 /**< "bruck,radix=4", "native", "native:ring" */
	enum tmap_mode mode;
	int64_t bytes; /**< as of struct tmap_call */
	int root;      /**< 0 where the collective has none */
	int64_t repetitions;
	bool is_correct; /**< every result that was looked at was right */
	struct tmap_sample_statistics seconds;
	int run_count;        /**< launches, at least 1 */
	double *run;          /**< [run_count]: their medians */
	struct tmap_box *box; /**< [run_count]: of each; NULL: of one launch those of seconds, of
				   several they are not known */
	double *raw;          /**< [repetitions]; NULL: they were not kept */
	struct tmap_like_times like[TMAP_LIKES]; /**< of the same call, as others measure it */
};

/** A call that was asked for, and why it was not measured (left_out.h). */
struct tmap_left_out {
	struct tmap_experiment call; /**< what names it, and no times */
	char *reason;                /**< a sentence */
};

/** The neighborhood of neighborhood collectives, by the words of tmap_neighborhood_init(). */
struct tmap_times_neighborhood {
	char *stencil;                /**< NULL: there is none */
	char *cart, *periods, *order; /**< NULL: not said */
};

/** What joined launches had each, and the whole has not. */
struct tmap_join_losses {
	bool raw, like;
};

struct tmap_times {
	struct tmap_placement placement;
	char *mpi;  /**< the library and its version */
	char *date; /**< ISO 8601, UTC */
	char *sync; /**< what the ranks began a repetition by: "barrier", "clock" */
	struct tmap_clock_use clock;
	int64_t off_cache; /**< bytes that each rank wrote before each repetition, so that its data was
				in no cache; 0: none */
	struct tmap_times_neighborhood neighborhood;
	bool by_rounds;   /**< topomap's algorithms ended each of a rank's rounds before the next */
	bool says_rounds; /**< whether they did; not of older documents, nor where there are none */
	bool has_seed;
	int64_t seed;   /**< of the random order of the experiments, in the first launch */
	int64_t *seeds; /**< [seed_count] of launches that were joined, of those that have one, in the
			     order of joining, the first included; NULL: of one launch */
	int seed_count;
	size_t seed_capacity;
	bool is_interrupted; /**< not all that was asked for was measured */
	int count;
	size_t capacity;
	struct tmap_experiment *experiment; /**< [count] */
	int left_out_count;
	size_t left_out_capacity;
	struct tmap_left_out *left_out; /**< [left_out_count] */
	struct tmap_join_losses lost;   /**< by tmap_times_join(); in no document */
};

void tmap_times_fini(struct tmap_times *times);
void tmap_experiment_fini(struct tmap_experiment *experiment);

/** *box = the times of that launch; false where they are not known. */
bool tmap_experiment_box(const struct tmap_experiment *experiment, int run, struct tmap_box *box);

/** Between these the median is, with 95 % or, of too few times for that, as the shortest and the longest. */
double tmap_experiment_low(const struct tmap_experiment *experiment);
double tmap_experiment_high(const struct tmap_experiment *experiment);

/** One more, which is zeroed; on failure it is as it was. */
int tmap_times_add_take(struct tmap_times *times, struct tmap_experiment *experiment,
			struct tmap_error *err);

/** Add the experiments of another launch: those that are there already get its runs, whose
 *  statistics they have from now on, and the others are new; raw times, and what others measure,
 *  go, which is in lost; what either has left out stays. Refuses (TMAP_INPUT)
 *  times of other ranks, of ranks that are placed otherwise, of another library, sync or off_cache,
 *  of another neighborhood where both have one, and those that tmap_times_differ_by_rounds(). *times
 *  keeps its date, and all seeds.
 *  O(n log n) for n experiments, and tmap_comparison_init(). */
int tmap_times_join(struct tmap_times *times, const struct tmap_times *other,
		    struct tmap_error *err);

/** Refuses (TMAP_INPUT) other neighbors than ours, by their words: where documents are of as many ranks
 *  (@p same_grid) the grid is the same, else it has as many dimensions. Goes with one that has none. */
int tmap_times_check_neighbors(const struct tmap_times_neighborhood *ours,
			       const struct tmap_times_neighborhood *other, bool same_grid,
			       struct tmap_error *err);

/** Is one of them topomap's (tmap_experiment_is_own())? O(n). */
bool tmap_times_have_own(const struct tmap_times *times);

/** Do both have topomap's algorithms, of which one had them by rounds and the other had not, or does not
 *  say? O(n). */
bool tmap_times_differ_by_rounds(const struct tmap_times *a, const struct tmap_times *b);

/** Is it the library's: "native", "native:ring"? */
bool tmap_experiment_is_native(const struct tmap_experiment *experiment);

/** Of "native:ring" the "ring", borrowed; NULL: it is not the library's, or what that takes by itself. */
const char *tmap_experiment_native_name(const struct tmap_experiment *experiment);

/** Is it topomap's algorithm, and not the library's or a mock-up of several collectives? */
bool tmap_experiment_is_own(const struct tmap_experiment *experiment);

/** What is called: "allgather", "neighbor_alltoallv". */
const char *tmap_experiment_call(const struct tmap_experiment *experiment);

/** Which is first, by collective, topology, root, bytes, mode and algorithm: below 0, 0 (the same
 *  call), or above. */
int tmap_experiment_compare(const struct tmap_experiment *a, const struct tmap_experiment *b);

/** *order = [count] their numbers in that order, the caller's to free. */
int tmap_times_sort(const struct tmap_times *times, int **order, struct tmap_error *err);

#endif
