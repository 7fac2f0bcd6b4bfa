/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tuned_left_out.h - what of measured times has no part in rules, in words.
 *
 *     times on 8 ranks (all ranks), left out: 8 of another root than 0, 2 with wrong results
 *     times on 8 ranks (all ranks) are of sizes more than 4 times apart, and predicted between: ...
 *     times on 8 ranks (all ranks) are not used: none of these collectives counts
 */
#ifndef TMAP_FORMATS_RULES_TUNED_LEFT_OUT_H
#define TMAP_FORMATS_RULES_TUNED_LEFT_OUT_H

#include "core/base/string.h"
#include "core/tune/tuning.h"

/** These lines of the times on place @p p; none where all are used, or there are no times. */
void tmap_tuned_left_out_add(struct tmap_str *text, const struct tmap_tuning *tuning, int p);

#endif
