/*
 * text_hierarchy.h - the communicators of hardware splits, for people.
 */
#ifndef TM_TEXT_HIERARCHY_H
#define TM_TEXT_HIERARCHY_H

#include "core/group/tally.h"
#include "core/machine/placement.h"
#include "core/base/string.h"

#include <stdio.h>

/** What the writers of hierarchies show. */
struct tm_hierarchy_view {
	const struct tm_placement *placement;
	const struct tm_hierarchy *hierarchy;
	const struct tm_tally *tally;
	const int *world;    /**< [size]: the ranks' numbers in the whole job, where this is a
				  sub-communicator; else NULL */
	enum tm_elect elect;
	bool fold;           /**< say equal things once */
};

/** The levels in numbers, what is irregular, the communicators (alike ones once), and what
 *  guided splits give. O(types x (p + objects)) for the last. */
int tm_text_write_hierarchy(FILE *out, const struct tm_hierarchy_view *view,
			    struct tm_error *err);

/** Append what a communicator is of: "n1", "numa 3", with @p full "n1 numa 3", "the job". */
void tm_hierarchy_add_name(struct tm_str *str, const struct tm_hierarchy_view *view, int comm,
			   int level, bool full);

#endif
