/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * network_table.h - a network as a plain table, for whatever has no file of its own.
 *
 *     node      chassis  rack  row        the levels' names, the innermost first
 *     n[0-15]   c0       r0    a
 *     n[16-31]  c1       r0    a
 *     n32       -        r1    a          "-": unknown
 *
 * Columns are separated by blanks, tabs or commas; "#" begins a comment. The first word
 * of the headings is "node"; the others become the names of the levels.
 */
#ifndef TMAP_FORMATS_NETWORK_NETWORK_TABLE_H
#define TMAP_FORMATS_NETWORK_NETWORK_TABLE_H

#include "core/machine/machine.h"

/** Give the machine, which must have none yet, the tiers of the table. Refuses a node that
 *  stands twice, nodes of the machine that are missing, a line with more or fewer columns
 *  than the headings, and switches that do not nest. Messages begin with the line. */
int tmap_network_table_read(struct tmap_machine *machine, const char *text, struct tmap_error *err);

/** Does the text begin with such headings? */
bool tmap_network_table_is(const char *text);

#endif
