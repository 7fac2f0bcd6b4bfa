/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text_schedule.h - a schedule for people.
 *
 *     allgather sparbit, 64KiB a rank, 5 ranks: 3 rounds, 20 messages, 1280KiB
 *
 *     round 0: 5 messages, 320KiB
 *       0 -> 4 {0}    1 -> 0 {1}    2 -> 1 {2}    3 -> 2 {3}    4 -> 3 {4}
 *
 * Folded, messages that go equally far are listed once, and so are rounds that follow each
 * other and differ in nothing but the units:
 *
 *     rounds 0-998: 1000 messages, 62.5MiB each
 *       r -> r + 1       1000 x 64KiB         the first: 0 -> 1 {0}
 */
#ifndef TMAP_FORMATS_REPORT_SCHEDULE_TEXT_SCHEDULE_H
#define TMAP_FORMATS_REPORT_SCHEDULE_TEXT_SCHEDULE_H

#include "core/algorithms/arrival.h"
#include "core/schedule/collect.h"

#include <stdio.h>

/** Write it, at most 79 columns wide; @p algorithm as tmap_spec_print() has it; @p arrival of a
 *  gather that has one, else NULL. */
int tmap_text_write_schedule(FILE *out, const struct tmap_call *call, const char *algorithm,
			     const struct tmap_collection *collection,
			     const struct tmap_arrival *arrival, struct tmap_error *err);

/** The same folded, from the schedule itself, of which only the distances of two rounds are kept: up to
 *  200 bytes for each. O(messages + distances x log distances). */
int tmap_text_write_folded(FILE *out, const struct tmap_call *call, const char *algorithm,
			   const struct tmap_schedule_totals *totals,
			   const struct tmap_arrival *arrival, struct tmap_error *err);

#endif
