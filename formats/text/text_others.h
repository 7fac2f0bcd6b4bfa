/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text_others.h - what other published costs would choose, in text and in JSON.
 *
 *     Other published costs choose
 *       gigabit         locality_bruck, 1.2 times as fast as recursive_doubling
 *       the others      recursive_doubling, too
 *       recursive_doubling takes 3.36 us (leonardo) to 56.1 us (gigabit)
 *
 *     By other published costs distance_tree takes 12.0 us (summit) to 98.0 us (gigabit).
 *
 *     "other_costs": [{"name": "gigabit", "algorithm": "locality_bruck", "seconds": 4.7e-05,
 *                      "chosen_seconds": 5.61e-05}, ...]
 */
#ifndef TMAP_FORMATS_TEXT_TEXT_OTHERS_H
#define TMAP_FORMATS_TEXT_TEXT_OTHERS_H

#include "core/score/others.h"
#include "formats/json/json_write.h"

#include <stdio.h>

/** After an empty line; the second form where there was nothing to choose of; nothing where no
 *  profile was asked. */
int tmap_text_write_others(FILE *out, const struct tmap_others *others, struct tmap_error *err);

/** The member "other_costs". */
int tmap_json_put_others(struct tmap_json_writer *w, const struct tmap_others *others,
			 struct tmap_error *err);

/** "Above 128 ranks, --profile NAME says what other published costs choose.": where they are not
 *  asked. @p does: "choose" */
void tmap_text_write_others_limit(FILE *out, int most_ranks, const char *does);

#endif
