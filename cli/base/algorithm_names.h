/*
 * algorithm_names.h - the algorithms that an option of a command names.
 */
#ifndef TM_CLI_ALGORITHM_NAMES_H
#define TM_CLI_ALGORITHM_NAMES_H

#include "core/schedule/schedule.h"
#include "options/opt.h"

/** Does the collective have all of these, with these parameters? A name that no table has, or a
 *  parameter that the algorithm has not, is a wrong command line (TM_USAGE). */
int tm_algorithm_names_check(const struct tm_opt_list *names, enum tm_collective collective,
			     struct tm_error *err);

#endif
