/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text_sharing.h - the caveat under predicted times where ranks must share cores.
 *
 *     8 ranks share a core with others; times count each as alone (topomap inspect --lint)
 *     8 ranks share a core with others: a message waits 10.0 us for each of these
 */
#ifndef TMAP_FORMATS_TEXT_TEXT_SHARING_H
#define TMAP_FORMATS_TEXT_TEXT_SHARING_H

#include "core/cost/profile.h"
#include "core/machine/placement.h"

#include <stdio.h>

/** The line for @p sharing ranks, which tmap_overlap_count() gives; nothing for 0. Which of the two
 *  it is depends on whether the profile says what sharing a core costs. Of nodes without cores it
 *  says "PU". */
void tmap_text_write_sharing(FILE *out, int sharing, const struct tmap_placement *placement,
			     const struct tmap_profile *profile);

/** The same for the ranks of a placement, counted (tmap_overlap_count()). */
int tmap_text_write_sharing_of(FILE *out, const struct tmap_placement *placement,
			       const struct tmap_profile *profile, struct tmap_error *err);

#endif
