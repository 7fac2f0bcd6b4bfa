/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * calibrator.h - what messages cost on a machine, found by trials.
 *
 *     pairs     each process distance: sizes from 0 to the largest, one pair at a time
 *                   ─► pieces of latency and bandwidth, eager border, overhead, who copies
 *     shared    k = 1, 2, 4, ... pairs at once across each kind of object
 *                   ─► bytes and messages a second of memory, packages, adapters, switches, cores
 *     own       one rank's memory ─► copying, reducing, derived datatypes
 *                   ─► a profile, and notes of what was odd
 *
 * Who runs a trial is the caller's: ranks of a job (mpi_run/bench/conductor.h), or a test that
 * knows the truth. How many there are does not follow from the number of ranks: of each distance a
 * few pairs are chosen, of each level a few objects. All in random order, by the seed.
 */
#ifndef TMAP_CORE_MEASURE_CALIBRATOR_H
#define TMAP_CORE_MEASURE_CALIBRATOR_H

#include "core/base/progress.h"
#include "core/cost/profile.h"
#include "core/machine/levels.h"
#include "core/measure/crowd.h"
#include "core/measure/piecewise.h"

/** Sizes that are measured, at most. */
#define TMAP_CALIBRATION_BYTES_MAX (4 << 20)

/** The parts of all seconds after which each begins nothing new, so that there is time for what
 *  comes next: where messages begin to wait; messages by themselves; who copies; what ranks share,
 *  and of that adapters. What has had no time has a note. */
#define TMAP_CALIBRATION_BORDERS 0.15
#define TMAP_CALIBRATION_MESSAGES 0.4
#define TMAP_CALIBRATION_COPIERS 0.5
#define TMAP_CALIBRATION_SHARED 0.6
#define TMAP_CALIBRATION_ADAPTERS 0.7

/** Who runs trials. */
struct tmap_trial_runner {
	int (*run)(void *data, const struct tmap_trial *trial, struct tmap_trial_result *result,
		   struct tmap_error *err);
	double (*spent)(void *data); /**< seconds since the beginning */
	void *data;
	struct tmap_progress *progress; /**< NULL: nobody waits */
};

struct tmap_calibration_point {
	int64_t bytes;
	double seconds;
	int pair;      /**< of its distance */
	int pass;      /**< over all sizes, in which it was measured */
	double spread; /**< the longest of its times over the shortest */
	double rise;   /**< and the one in the middle */
	bool is_left_out, is_outlier;
};

struct tmap_calibration_distance {
	struct tmap_distance_pairs pairs;
	bool is_left_out[TMAP_DISTANCE_PAIRS_MAX]; /**< pairs that are unlike the others */
	int64_t largest;                           /**< size that is measured */
	int64_t eager_before; /**< messages of fewer bytes leave at once; 0: none do; INT64_MAX: all
				   that were measured */
	int count;
	size_t capacity;
	struct tmap_calibration_point *point;
	int again_count; /**< measured once more, at the end */
	size_t again_capacity;
	struct tmap_calibration_point *again;
	double overhead_s;
	enum tmap_copier eager_copier, rendezvous_copier;
	struct tmap_piecewise fit;
	double variation[TMAP_PIECES_MAX]; /**< of passes around each piece: logarithms */
};

/** Objects that ranks share. */
struct tmap_calibration_link {
	const char *level; /**< borrowed from the levels; NULL of memory and adapters */
	bool is_memory, is_adapter;
	struct tmap_crowd_sets sets;
	int *set_of;       /**< [size]: of each rank */
	double *byte_s;    /**< [sets.count]; 0: not reached by what its ranks can send */
	double *message_s; /**< the same of messages */
	bool *measured;    /**< [sets.count]: by itself, or like others of its kind */
	bool both_ways;
};

struct tmap_calibrator {
	const struct tmap_placement *placement; /**< borrowed, as are these */
	const struct tmap_metric *process;
	const struct tmap_levels *levels;
	struct tmap_trial_runner runner;
	double seconds; /**< that it may take */
	struct tmap_random random;
	int distance_count;
	struct tmap_calibration_distance *distance;
	int link_count;
	struct tmap_calibration_link *link;
	double network_byte_s; /**< of what all messages between nodes share; 0: nothing is seen */
	double copy_byte_s, reduce_byte_s, datatype_byte_s, shared_core_s;
	double variation; /**< of messages, the most, and of a rank's own memory, from one time to
			     another: a logarithm */
	double own_variation; /**< the same of a rank's own memory alone */
	int64_t trials;
	int passes;       /**< over all sizes so far */
	int whole_passes; /**< of these that there was time for, before what is made once more */
	bool *is_slow;    /**< [size]: ranks whose small messages are: they fill nothing */
	int *odd_clock;   /**< [size]: trials in which the clock of a rank was odd */
	bool is_noisy;
	int note_count;
	char **note; /**< what was odd, as sentences */
	size_t note_capacity;
};

/** All that is borrowed must outlive it. Refuses (TMAP_INPUT) a placement of one rank. */
int tmap_calibrator_init(struct tmap_calibrator *it, const struct tmap_placement *placement,
			 const struct tmap_metric *process, const struct tmap_levels *levels,
			 const struct tmap_trial_runner *runner, double seconds, uint64_t seed,
			 struct tmap_error *err);
void tmap_calibrator_fini(struct tmap_calibrator *it);

/** The three parts, in this order. */
int tmap_calibrator_run_pairs(struct tmap_calibrator *it, struct tmap_error *err);
int tmap_calibrator_run_shared(struct tmap_calibrator *it, struct tmap_error *err);
int tmap_calibrator_run_own(struct tmap_calibrator *it, struct tmap_error *err);

/** Some time later: messages and a rank's own memory once more, until the time is over. Nothing
 *  where times of the same message do not differ, as in a simulation. What was found, and its notes,
 *  stay as they are until tmap_calibrator_vary(): a profile can be written meanwhile. */
int tmap_calibrator_run_again(struct tmap_calibrator *it, struct tmap_error *err);

/** How far passes, also those made once more, lie from the lines that were fitted before: the lines
 *  stay, their variation grows, and there is a note where what was found does not hold any more. */
int tmap_calibrator_vary(struct tmap_calibrator *it, struct tmap_error *err);

/** Do times of the same message differ? */
bool tmap_calibrator_has_spread(const struct tmap_calibrator *it);

/* What they share. */

/** Is that part of the time over? */
bool tmap_calibrator_is_late(const struct tmap_calibrator *it, double part);

/** A trial between one of the pairs of a distance, one message at a time. */
struct tmap_trial tmap_calibrator_pair_trial(const struct tmap_calibration_distance *distance,
					     int pair, enum tmap_trial_kind kind, int64_t bytes);

/** One of its pairs that are not left out, as one never is. */
int tmap_calibrator_random_pair(struct tmap_calibrator *it,
				const struct tmap_calibration_distance *distance);

/** Messages by themselves: passes over sizes of all distances. */
int tmap_calibrator_run_passes(struct tmap_calibrator *it, struct tmap_error *err);

/** Copying and reducing. */
int tmap_calibrator_run_memory(struct tmap_calibrator *it, struct tmap_error *err);

/** A trial, its times rising. One in which a clock was odd is run again; TMAP_INPUT where that does
 *  not help. */
int tmap_calibrator_run(struct tmap_calibrator *it, const struct tmap_trial *trial,
			struct tmap_trial_result *result, struct tmap_error *err);

/** The same, *seconds = the median of its times. */
int tmap_calibrator_time(struct tmap_calibrator *it, const struct tmap_trial *trial,
			 double *seconds, struct tmap_error *err);

/** Its times rise afterwards; and the median of such. */
void tmap_trial_sort(struct tmap_trial_result *result);
double tmap_trial_median(const struct tmap_trial_result *result);

/** Before others of a distance are measured: pairs whose large messages are slow are left out, as
 *  what a distance lets through is seen where nothing narrower is on the way, such as a node's
 *  adapter. */
int tmap_calibrator_weigh_pairs(struct tmap_calibrator *it,
				struct tmap_calibration_distance *distance, struct tmap_error *err);

/** Who copies, of eager messages and of the others: where both are ready before bytes move, what
 *  leaves a rank can stand in the way of what comes. */
int tmap_calibrator_find_copier(struct tmap_calibrator *it,
				struct tmap_calibration_distance *distance, struct tmap_error *err);

/** The lines of all distances, without pairs that are unlike the others of their distance; and
 *  notes of these, and of a machine that was not quiet. */
int tmap_calibrator_fit(struct tmap_calibrator *it, struct tmap_error *err);

/** Notes of ranks that are interrupted, of clocks, and of a machine that was not quiet, after the
 *  fit. */
int tmap_calibrator_note_machine(struct tmap_calibrator *it, struct tmap_error *err);

/** A note for each level of switches through which the adapters of the nodes below cannot send all that
 *  they can: of the object where that is worst. When the links are known. O(p + objects) a level. */
int tmap_calibrator_note_switches(struct tmap_calibrator *it, struct tmap_error *err);

/** The distance of two ranks, of those that are measured; NULL: it is none of them. */
struct tmap_calibration_distance *tmap_calibrator_distance(struct tmap_calibrator *it, int a,
							   int b);

/** One more note. */
int tmap_calibrator_note(struct tmap_calibrator *it, struct tmap_error *err, const char *format,
			 ...) __attribute__((format(printf, 3, 4)));

/** What a message of a distance takes by itself, by its fit. */
double tmap_calibration_time(const struct tmap_calibration_distance *distance, int64_t bytes);

#endif
