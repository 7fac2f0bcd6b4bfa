/*
 * subset.h - --ranks: a sub-communicator of the job.
 */
#ifndef TM_CLI_SUBSET_H
#define TM_CLI_SUBSET_H

#include "core/machine/placement.h"

#define TM_OPT_SUBSET(args, member) \
	TM_OPT_STRING(args, member, 0, "ranks", "RANKS", NULL, \
		      "only these ranks, numbered anew in the order given, as a " \
		      "sub-communicator has them: \"0-31,64\", \"0-62/2\"")

/** Replace a placement by its ranks that @p text lists; *world[size] says their numbers in it,
 *  the caller's to free. Refuses (TM_INPUT) ranks that are not there or stand twice. O(p). */
int tm_subset_take(struct tm_placement *p, int **world, const char *text, struct tm_error *err);

#endif
