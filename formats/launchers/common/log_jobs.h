/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * log_jobs.h - the jobs and threads of a log: one entry for each rank of one job.
 *
 *     rank 0 .. rank 3     rank 0 .. rank 7          two jobs, since ranks come again
 *     rank 0 thread 0, rank 0 thread 1, rank 1 ...   a rank has the PUs of all its threads
 */
#ifndef TMAP_FORMATS_LAUNCHERS_COMMON_LOG_JOBS_H
#define TMAP_FORMATS_LAUNCHERS_COMMON_LOG_JOBS_H

#include "formats/launchers/common/entries.h"

/** Keep the entries of job number @p job, from 1; 0: of the only one. Where there are several whole
 *  ones, 0 is refused with a list of them. Refuses a job in front of one that is not whole, since
 *  it may have lines of that, and a thread that comes again otherwise; such a rank is left to
 *  tmap_entries_place(). Then *line is the line to blame, or stays. O(entries) expected. */
int tmap_log_jobs_choose(struct tmap_entries *entries, int job, int *line, struct tmap_error *err);

/** Make the threads' entries, whose words are as pu_list.h has them, one for each rank. Refuses a
 *  rank with threads on several hosts; then *line is the line to blame. Sets the note, if there
 *  is none and ranks had several threads. O(entries) expected. */
int tmap_log_threads_join(struct tmap_entries *entries, int *line, struct tmap_error *err);

#endif
