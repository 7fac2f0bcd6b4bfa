/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hierarchy_tables.h - a hierarchy as tables: its levels in numbers, and the communicators of
 * each rank.
 *
 *                                  ranks of        conduit  ranks of   null
 *     level    call  communicators     each  communicators      each  ranks
 *     node        1              4     1..3              1         4      0
 *
 *     rank,node,node conduit,numa,numa conduit
 *     0,0,0,0,0
 *     7,1,6,2,6                     the numbers of its communicators at each level, from 0, and
 *     8,1,6,,                       their conduits; nothing where it has none
 */
#ifndef TMAP_FORMATS_REPORT_HIERARCHY_HIERARCHY_TABLES_H
#define TMAP_FORMATS_REPORT_HIERARCHY_HIERARCHY_TABLES_H

#include "formats/json/json_write.h"
#include "formats/report/hierarchy/text_hierarchy.h"

/** The levels for people. */
int tmap_text_write_hierarchy_levels(FILE *out, const struct tmap_hierarchy_view *view,
				     struct tmap_error *err);

/** The members of a level that are numbers, and its name. */
void tmap_json_put_hierarchy_level(struct tmap_json_writer *w,
				   const struct tmap_hierarchy_view *view, int level);

/** A line for each rank as CSV. O(p x levels). */
int tmap_csv_write_hierarchy(FILE *out, const struct tmap_hierarchy *h, struct tmap_error *err);

#endif
