/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * measured.h - measured times of one collective and size beside the predicted ones.
 *
 *     allgather of 64 KiB       predicted  measured
 *     ring                         400 us    520 us     own: executed alike, so these are compared
 *     sparbit                      390 us    610 us
 *     native:ring                  400 us    480 us     the library's: shown
 */
#ifndef TMAP_CORE_MEASURE_MEASURED_H
#define TMAP_CORE_MEASURE_MEASURED_H

#include "core/measure/agreement.h"
#include "core/measure/times.h"
#include "core/score/score.h"

struct tmap_measured_row {
	const struct tmap_experiment *experiment; /**< borrowed */
	bool is_own;
	char *algorithm; /**< what is predicted; NULL: it is not known what the library takes */
	double seconds;  /**< predicted, where it can be */
	bool is_predicted;
};

struct tmap_measured_size {
	int64_t bytes;
	int count;
	struct tmap_measured_row *row; /**< [count]: own ones with a prediction first, as measured;
					    borrowed from the next */
	int own_count;                 /**< of those */
	struct tmap_agreement agreement; /**< of them, where own_count is not 0 */
	int faster; /**< the library's fastest row, where that is faster than the best of them beyond the
			 intervals of both; else TMAP_NONE */
};

struct tmap_measured {
	const struct tmap_times *times; /**< borrowed */
	enum tmap_collective collective;
	int root, ranks;
	const struct tmap_profile *profile;
	int count;
	struct tmap_measured_size *size; /**< [count], rising */
	int row_count;
	struct tmap_measured_row *row; /**< [row_count]: those of the sizes, one after the other */
};

/** What is compared by itself. */
struct tmap_measured_subject {
	enum tmap_collective collective;
	int root; /**< 0 where the collective has none */
};

/** *subject = [*count], the caller's to free: those of which @p times have blocking experiments of
 *  @p bytes or (TMAP_NONE) of any size, by collective and root. Refuses (TMAP_INPUT) times that have
 *  none, with the sizes that they have. */
int tmap_measured_subjects(const struct tmap_times *times, int64_t bytes,
			   struct tmap_measured_subject **subject, int *count,
			   struct tmap_error *err);

/** The blocking experiments of request->collective and request->root in @p times, of
 *  request->bytes or (TMAP_NONE) of every size, on @p placement, which has as many ranks. Refuses
 *  (TMAP_INPUT) other ranks, times that have none of these, and own algorithms that are unknown. */
int tmap_measured_init(struct tmap_measured *measured, const struct tmap_times *times,
		       const struct tmap_placement *placement,
		       const struct tmap_score_request *request, struct tmap_error *err);
void tmap_measured_fini(struct tmap_measured *measured);

/** Did ranks run ahead of the rounds that topomap's algorithms are predicted by, in any of
 *  measured[count] of one document? With neighbors there is one round; not where the times do not
 *  say. */
bool tmap_measured_runs_ahead(const struct tmap_measured *measured, int count);

#endif
