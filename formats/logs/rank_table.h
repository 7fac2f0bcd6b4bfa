/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rank_table.h - a table of ranks, as people write it by hand or by a script.
 *
 *     # where they were
 *     rank  host    cpus
 *     0     nid001  0-3,128-131
 *     1     nid001  4-7
 *     2     nid002  -
 *
 * Columns are separated by blanks or tabs. The line with their names may be missing, where they
 * stand in this order. "-" is a rank that is not bound. Lines that are empty or begin with "#" are
 * passed over, and no other ones.
 */
#ifndef TMAP_FORMATS_LOGS_RANK_TABLE_H
#define TMAP_FORMATS_LOGS_RANK_TABLE_H

#include "formats/launchers/common/launcher.h"

/** Refuses lines that have more or fewer than three columns, ranks that are no numbers and lists of
 *  PUs that are none. The words are those of pu_list.h. */
TMAP_LAUNCHER_PARSES(rank_table);

/** Patterns of a line with the names of the columns; NULL at the end. */
extern const char *const tmap_rank_table_heads[];

#endif
