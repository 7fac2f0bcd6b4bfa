/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * verify.h - does a schedule do what its collective promises?
 *
 * Every unit that a rank holds is a set of contributions: who put data into it, and, for
 * reductions, whether they stand side by side in rank order. A message carries what its
 * sender held when the round began; a receiver stores it or combines it into its own.
 *
 *     promised     allgather: rank r holds every unit     scan: unit u of rank r has 0 .. r
 *     refused      a unit that its sender does not hold; a contribution reduced twice; for a
 *                  row that says in_order, neighbours out of order; for one that does not
 *                  say repeats, a unit that its receiver has already
 */
#ifndef TMAP_CORE_SCHEDULE_VERIFY_H
#define TMAP_CORE_SCHEDULE_VERIFY_H

#include "core/schedule/schedule.h"

/** Run the schedule on symbols. 0, or -1 with *err saying what is wrong and where. O(messages x
 *  units x p) time and O(p x units x p) memory: for a few hundred ranks. */
int tmap_verify(const struct tmap_call *call, struct tmap_error *err);

#endif
