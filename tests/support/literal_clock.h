/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * literal_clock.h - the model of core/cost/cost.h, message by message and rank by rank, as its text
 * says it: quadratic sums over the messages of a round, places asked of the placement. But for the
 * row of a message, no line of it is core/cost's.
 */
#ifndef TMAP_TESTS_SUPPORT_LITERAL_CLOCK_H
#define TMAP_TESTS_SUPPORT_LITERAL_CLOCK_H

#include "core/cost/profile.h"
#include "core/distance/distance.h"
#include "core/machine/levels.h"
#include "core/schedule/call.h"

struct literal_clock {
	const struct tmap_placement *placement;
	const struct tmap_metric *metric; /**< process distances */
	const struct tmap_levels *levels;
	const struct tmap_profile *profile; /**< links by level alone, all nodes alike */
	double *at;                         /**< [size] */
	double *taken;                      /**< [size] */
	double *left;                       /**< [size] */
	double *is_free;                    /**< of each object of each link, each way */
	int count, capacity;
	struct tmap_message *message; /**< of the round at hand */
};

void literal_clock_init(struct literal_clock *clock, const struct tmap_placement *placement,
			const struct tmap_metric *metric, const struct tmap_levels *levels,
			const struct tmap_profile *profile);

/** A message of the round at hand; another round ends that one. */
void literal_clock_add(struct literal_clock *clock, const struct tmap_message *message);

/** The end of the last rank; releases all. */
double literal_clock_end(struct literal_clock *clock);

/** A whole schedule, with what its root reduces in the end, without what ranks copy. */
double literal_clock_of_call(const struct tmap_placement *placement,
			     const struct tmap_metric *metric, const struct tmap_levels *levels,
			     const struct tmap_profile *profile, const struct tmap_call *call);

#endif
