/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text_hierarchy.h - the communicators of hardware splits, for people.
 */
#ifndef TMAP_FORMATS_REPORT_HIERARCHY_TEXT_HIERARCHY_H
#define TMAP_FORMATS_REPORT_HIERARCHY_TEXT_HIERARCHY_H

#include "core/base/string.h"
#include "core/group/statistics.h"
#include "core/library/library.h"
#include "core/machine/placement.h"

#include <stdio.h>

/** What the writers of hierarchies show. */
struct tmap_hierarchy_view {
	const struct tmap_placement *placement;
	const struct tmap_hierarchy *hierarchy;
	const struct tmap_hierarchy_statistics *statistics;
	const int *world; /**< [size]: the ranks' numbers in the whole job, where this is a
				  sub-communicator; else NULL */
	enum tmap_elect elect;
	bool fold; /**< equal parts only once */
	struct tmap_library_pick
		pick; /**< the library that is spoken of, where it is no preset one */
	struct tmap_library_levels own; /**< what it splits by itself */
};

/** The levels in numbers, what is irregular, the communicators (alike ones once), and what
 *  guided splits give. O(types x (p + objects)) for the last. */
int tmap_text_write_hierarchy(FILE *out, const struct tmap_hierarchy_view *view,
			      struct tmap_error *err);

/** Append what a communicator is of: "n1", "numa 3", with @p full "n1 numa 3", "the job". */
void tmap_hierarchy_add_name(struct tmap_str *str, const struct tmap_hierarchy_view *view, int comm,
			     int level, bool full);

#endif
