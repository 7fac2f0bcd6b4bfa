/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tuned_rules.h - what a search has found, as Open MPI's rules, with what is known of each.
 *
 *     9 ranks and more      the library's own: nothing was asked of them
 *     8                     0 0 0 0        # own (bruck): 2.10 us for 16 bytes, predicted
 *                           1048 4 0 0     # ring: 9.20 us for 1KiB, predicted; own (neighbor_exchange)
 *                                          # 12.0 us
 *     2 to 7 ranks          the library's own
 */
#ifndef TMAP_FORMATS_RULES_TUNED_RULES_H
#define TMAP_FORMATS_RULES_TUNED_RULES_H

#include "core/tune/rule_file.h"
#include "core/tune/tune_gain.h"

#include <stdio.h>

/** The files that there will be: of the rules ("-": none), and of those of coll/han (NULL: it is set
 *  aside). */
struct tmap_tuned_files {
	const char *rules, *han;
};

/** The rules, with comments. Communicators of other sizes, and collectives for which nothing is
 *  gained, stay as the library has them. */
int tmap_tuned_rules_init(struct tmap_rule_file *file, const struct tmap_tuning *tuning,
			  const struct tmap_tuned_files *files, struct tmap_error *err);

/** The options that make the library read them, "mpirun --mca ...", the caller's to free. */
char *tmap_tuned_rules_command(const struct tmap_tuning *tuning,
			       const struct tmap_tuned_files *files, struct tmap_error *err);

/** Where most is gained, of a recorded program (@p gain; NULL: there is none) by all calls together, else
 *  by one, what coll/han keeps (NULL: it has no rules), and how to use the files, for people. */
int tmap_tuned_rules_write_summary(FILE *out, const struct tmap_tuning *tuning,
				   const struct tmap_tune_gain *gain,
				   const struct tmap_han_tuning *han,
				   const struct tmap_tuned_files *files, struct tmap_error *err);

/** For a selection file, which has no comments: that none such was ever run, or that the placement is of
 *  another release; what is known of each step, a line each, and which collectives have none. */
int tmap_tuned_rules_write_steps(FILE *out, const struct tmap_tuning *tuning,
				 struct tmap_error *err);

/** What a recorded program gains, a line. */
void tmap_tuned_rules_write_gain(FILE *out, const struct tmap_tune_gain *gain);

#endif
