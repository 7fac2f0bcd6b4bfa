/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text_words.h - what a schedule for people says, folded or not.
 *
 *     allgather sparbit, 64KiB a rank, 5 ranks: 3 rounds, 20 messages, 1280KiB
 *     0 -> 4 {0 3}
 */
#ifndef TMAP_FORMATS_REPORT_SCHEDULE_TEXT_WORDS_H
#define TMAP_FORMATS_REPORT_SCHEDULE_TEXT_WORDS_H

#include "core/algorithms/arrival.h"
#include "core/schedule/collect.h"

#include <stdio.h>

/** "s", or nothing after 1. */
const char *tmap_schedule_plural(int64_t count);

/** '+' of what the receiver reduces into its own, else '-': what a barrier "reduces" is the set of ranks
 *  that have arrived, which is not shown. */
char tmap_schedule_mark(const struct tmap_call *call, bool combine);

/** "0 -> 4 {0 3}"; the caller's to free. */
char *tmap_schedule_print_message(const struct tmap_call *call, const struct tmap_message *message,
				  struct tmap_error *err);

/** ", 320KiB", or nothing for a barrier. */
void tmap_schedule_write_bytes(FILE *out, const struct tmap_call *call, int64_t bytes);

/** The lines before the first round; @p arrival of a gather that has one, else NULL. */
void tmap_schedule_write_head(FILE *out, const struct tmap_call *call, const char *algorithm,
			      const struct tmap_schedule_totals *totals,
			      const struct tmap_arrival *arrival);

#endif
