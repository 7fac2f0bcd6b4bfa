/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run_time.h - how long a run takes in another mapping: what it computed stays, all else lasts as much
 * longer or shorter as its communication is predicted to.
 *
 *     recorded    |computing|        communicating         |
 *     suggested   |computing| comm. |                           comm. = communicating x after / before
 */
#ifndef TMAP_CORE_MAPPERS_RUN_TIME_H
#define TMAP_CORE_MAPPERS_RUN_TIME_H

struct tmap_run_time {
	double recorded_s;  /**< of the run as launched; 0: unknown */
	double computing_s; /**< of that in the mean rank; at most recorded_s */
};

/** Of a mapping whose communication takes @p after seconds, where that of the launch takes @p before, more
 *  than 0. */
static inline double tmap_run_time_in(const struct tmap_run_time *run, double before, double after)
{
	return run->computing_s + (run->recorded_s - run->computing_s) * (after / before);
}

#endif
