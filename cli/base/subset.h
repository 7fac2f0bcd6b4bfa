/*
 * subset.h - --ranks: a sub-communicator of the job.
 */
#ifndef TMAP_CLI_BASE_SUBSET_H
#define TMAP_CLI_BASE_SUBSET_H

#include "core/machine/placement.h"

#define TMAP_OPT_SUBSET(args, member) \
	TMAP_OPT_STRING(args, member, 0, "ranks", "RANKS", NULL, \
			"only these ranks, numbered anew in the order given, as a " \
			"sub-communicator has them: \"0-31,64\", \"0-62/2\"")

/** Replace a placement by its ranks that @p text lists; *world[size] says their numbers in it,
 *  the caller's to free. Refuses (TMAP_INPUT) ranks that are not there or stand twice. O(p). */
int tmap_subset_take(struct tmap_placement *p, int **world, const char *text,
		     struct tmap_error *err);

#endif
