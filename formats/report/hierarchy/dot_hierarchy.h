/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dot_hierarchy.h - the communicators of hardware splits as a graph, after figure 3 of
 * Bouhrour et al.
 *
 *     .-------------( 0 6 12 )-------------.        an ellipse: ranks that exchange data
 *     | n0             | n1                |        in one communicator; grey: conduit
 *     |   ( 0 3 )      |   ( 6 9 )         |        arrows: how a broadcast goes on
 *     | numa 0 | numa 1|                   |        frames: the hardware
 *     | (0 1 2)| (3 4 5)
 */
#ifndef TMAP_FORMATS_REPORT_HIERARCHY_DOT_HIERARCHY_H
#define TMAP_FORMATS_REPORT_HIERARCHY_DOT_HIERARCHY_H

#include "formats/report/hierarchy/text_hierarchy.h"

/** Write it; alike communicators are one box if the view folds. */
int tmap_dot_write_hierarchy(FILE *out, const struct tmap_hierarchy_view *view,
			     struct tmap_error *err);

#endif
