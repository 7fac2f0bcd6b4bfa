/*
 * csv_hierarchy.h - the communicators of a hierarchy as a table: a line for each rank.
 *
 *     rank,node,node conduit,numa,numa conduit
 *     0,0,0,0,0
 *     7,1,6,2,6                     the numbers of its communicators at each level, from 0, and
 *     8,1,6,,                       their conduits; nothing where it has none
 */
#ifndef TMAP_FORMATS_REPORT_HIERARCHY_CSV_HIERARCHY_H
#define TMAP_FORMATS_REPORT_HIERARCHY_CSV_HIERARCHY_H

#include "core/group/hierarchy.h"

#include <stdio.h>

/** Write it. O(p x levels). */
int tmap_csv_write_hierarchy(FILE *out, const struct tmap_hierarchy *h, struct tmap_error *err);

#endif
