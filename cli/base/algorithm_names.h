/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * algorithm_names.h - the algorithms that an option of a command names.
 */
#ifndef TMAP_CLI_BASE_ALGORITHM_NAMES_H
#define TMAP_CLI_BASE_ALGORITHM_NAMES_H

#include "core/schedule/schedule.h"
#include "options/opt.h"

/** Does the collective have all of these, with these parameters? A name that no table has, or a
 *  parameter that the algorithm has not, is a wrong command line (TMAP_USAGE). */
int tmap_algorithm_names_check(const struct tmap_opt_list *names, enum tmap_collective collective,
			       struct tmap_error *err);

#endif
