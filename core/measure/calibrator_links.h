/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * calibrator_links.h - what trials of messages at once say of the objects that their ranks share.
 *
 *     alone      the longest of the messages by itself      seconds <= 1.1 x both: nothing new is shared
 *     bound      the busiest link of those that are known   else the object at hand lets that much through
 */
#ifndef TMAP_CORE_MEASURE_CALIBRATOR_LINKS_H
#define TMAP_CORE_MEASURE_CALIBRATOR_LINKS_H

#include "core/measure/calibrator.h"

/** What takes so many times as long as it would without sharing is shared. */
#define TMAP_SHARED_FACTOR 1.1

/** What is known of messages at once before they are sent. */
struct tmap_expected {
	double alone_s;   /**< with their answers, if they shared nothing */
	double latency_s; /**< of that which no byte takes */
};

/** By the lines of their distances. */
struct tmap_expected tmap_trial_expect(struct tmap_calibrator *it, const struct tmap_trial *trial);

/** As many bytes of each message as take some time, and not too long where they share something. */
int64_t tmap_trial_choose_bytes(struct tmap_calibrator *it, const struct tmap_trial *trial);

/** Messages that cross the border of a set that way, or (memory) begin or end in it. */
int tmap_trial_load_way(const struct tmap_calibration_link *link, const struct tmap_trial *trial,
			int set, bool enters);

/** Those of the busier way; of both where these share the link. */
int tmap_trial_load(const struct tmap_calibration_link *link, const struct tmap_trial *trial,
		    int set);

/** Seconds without latency that the links which are known need at least, but for @p but (NULL: none).
 *  O(links x messages^2). */
double tmap_trial_bound(const struct tmap_calibrator *it, const struct tmap_trial *trial,
			const struct tmap_calibration_link *but);

/** One more link, of the sets of a partition, in those of @p outer (NULL: in one); it->link has room.
 *  O(p). */
int tmap_calibration_link_add(struct tmap_calibrator *it, const struct tmap_partition *sets,
			      const struct tmap_partition *outer, struct tmap_error *err);

/** Sets to measure, in random order: [*count], the caller's to free; of each kind of node so many at most
 *  that have @p least_size ranks. O(sets). */
int *tmap_calibration_link_choose(struct tmap_calibrator *it,
				  const struct tmap_calibration_link *link, int least_size,
				  int a_kind, int *count, struct tmap_error *err);

/** Sets that were not measured have the value in the middle of those of their kind that were.
 *  O(kinds x sets). */
int tmap_calibration_link_spread(struct tmap_calibrator *it, struct tmap_calibration_link *link,
				 double *value, struct tmap_error *err);

/** Links of nodes: what their adapters let through. The link is the last one. */
int tmap_calibrator_measure_adapters(struct tmap_calibrator *it, struct tmap_error *err);

#endif
