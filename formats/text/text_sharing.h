/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text_sharing.h - the caveat under predicted times where ranks must share cores.
 *
 *     8 ranks share a core with others; times count each as alone (topomap inspect --lint)
 */
#ifndef TMAP_FORMATS_TEXT_TEXT_SHARING_H
#define TMAP_FORMATS_TEXT_TEXT_SHARING_H

#include "core/machine/placement.h"

#include <stdio.h>

/** The line for @p sharing ranks, which tmap_overlap_count() gives; nothing for 0. */
void tmap_text_write_sharing(FILE *out, int sharing);

/** The same for the ranks of a placement, counted (tmap_overlap_count()). */
int tmap_text_write_sharing_of(FILE *out, const struct tmap_placement *placement,
			       struct tmap_error *err);

#endif
