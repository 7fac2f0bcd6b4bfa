/*
 * text_sharing.h - the caveat under predicted times where ranks must share cores.
 *
 *     8 ranks share a core with others; times count each as alone (topomap inspect --lint)
 */
#ifndef TM_TEXT_SHARING_H
#define TM_TEXT_SHARING_H

#include "core/machine/placement.h"

#include <stdio.h>

/** The line, or nothing where no rank must share a core. Time and memory of
 *  tm_overlap_count(), O(p) on alike nodes. */
int tm_text_write_sharing(FILE *out, const struct tm_placement *p, struct tm_error *err);

#endif
