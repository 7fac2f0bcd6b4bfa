/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text_inspection.h - a placement on one screen of 80 columns, for people.
 *
 *     ranks     32 on 4 nodes, 8 on each
 *     order     block (regular, consecutive)
 *     bound to  core (32 ranks)
 *     ...
 */
#ifndef TMAP_FORMATS_REPORT_INSPECTION_TEXT_INSPECTION_H
#define TMAP_FORMATS_REPORT_INSPECTION_TEXT_INSPECTION_H

#include "core/lint/inspection.h"

#include <stdio.h>

/** The summary, the pairs at each distance and the kinds of nodes, at most 12 of them unless
 *  @p all. O(N + kinds of nodes x objects). */
int tmap_text_write_inspection(FILE *out, const struct tmap_inspection *inspection, bool all,
			       struct tmap_error *err);

#endif
