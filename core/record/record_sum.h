/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record_sum.h - parts of what a job communicated, added up: phases of its run, or several runs.
 *
 *     phase 2   rank 0 ──► 1   10 messages      allreduce of 8 bytes, 5 times, 0.2 s at the slowest
 *     phase 3   rank 0 ──► 1    4 messages      allreduce of 8 bytes, 1 time,  0.1 s
 *     2-3       rank 0 ──► 1   14 messages      allreduce of 8 bytes, 6 times, 0.3 s
 *
 * Seconds add up, also those of the rank that was longest in a call, which may be another one each time.
 */
#ifndef TMAP_CORE_RECORD_RECORD_SUM_H
#define TMAP_CORE_RECORD_RECORD_SUM_H

#include "core/record/record.h"

/** The record has these phases now, "2-5,7", in place of the run, and no phases any more. Refuses
 *  (TMAP_USAGE) what is no such list, and (TMAP_INPUT) a record that has none, numbers beyond the last one,
 *  and a list of none that is there. O((p + entries of the rows + calls) x phases). */
int tmap_record_choose_phases(struct tmap_record *record, const char *list, struct tmap_error *err);

/** *record becomes the sum of itself and another run of as many ranks, whichever their places; it keeps its
 *  own placement, program, MPI and date, and has no phases any more. Refuses (TMAP_INPUT) another number of
 *  ranks. On failure it is as it was. O(p + entries of the rows + calls + ranks of communicators). */
int tmap_record_add(struct tmap_record *record, const struct tmap_record *other,
		    struct tmap_error *err);

#endif
