/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * han_tuned.h - which calls coll/han keeps, as its rules, with what is known of each.
 *
 *     16              0 tuned        # binary: 3.10 us for 1KiB, predicted; coll/han 9.00 us
 *                     20480 han      # coll/han: 40.0 us for 64KiB, predicted; binary 55.0 us
 *     17 and more     0 han
 */
#ifndef TMAP_FORMATS_RULES_HAN_TUNED_H
#define TMAP_FORMATS_RULES_HAN_TUNED_H

#include "core/tune/han_tuning.h"
#include "formats/rules/tuned_rules.h"

/** The rules, with comments: of all collectives of the search that it has, for the global level.
 *  Communicators of other sizes, and larger sizes than were looked at, stay as the library has them. */
int tmap_han_tuned_init(struct tmap_rule_file *file, const struct tmap_han_tuning *han,
			const struct tmap_tuned_files *files, struct tmap_error *err);

#endif
