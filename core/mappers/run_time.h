/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run_time.h - how long a run takes in another mapping: what it computed stays, and so does what it waited
 * for late ranks; all else lasts as much longer or shorter as its communication is predicted to.
 *
 *     recorded    |computing| waiting |        communicating         |
 *     suggested   |computing| waiting | comm. |            comm. = communicating x after / before
 */
#ifndef TMAP_CORE_MAPPERS_RUN_TIME_H
#define TMAP_CORE_MAPPERS_RUN_TIME_H

#include <stdbool.h>

/** What takes no more than so many times as long as predicted is all communication: costs are no nearer than
 *  that. What is above it is waits. */
#define TMAP_RUN_EXPLAINED 2.0

struct tmap_run_time {
	double recorded_s;  /**< of the run as launched; 0: unknown */
	double computing_s; /**< of that in the mean rank; at most recorded_s */
	double waiting_s;   /**< of the rest, for ranks that came late to a collective */
	bool exceeds;       /**< the communication is predicted to take all of the run, and more */
};

/** Of a mapping whose communication takes @p after seconds, where that of the launch takes @p before, more
 *  than 0. */
static inline double tmap_run_time_in(const struct tmap_run_time *run, double before, double after)
{
	double stays = run->computing_s + run->waiting_s;

	return stays + (run->recorded_s - stays) * (after / before);
}

#endif
