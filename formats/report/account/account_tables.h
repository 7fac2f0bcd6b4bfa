/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * account_tables.h - a record's account as tables: by phase, by level, by size of message, by collective.
 */
#ifndef TMAP_FORMATS_REPORT_ACCOUNT_ACCOUNT_TABLES_H
#define TMAP_FORMATS_REPORT_ACCOUNT_ACCOUNT_TABLES_H

#include "core/record/record_account.h"
#include "formats/text/table.h"

enum { TMAP_ACCOUNT_CELL_ROOM = 128 };

/** What the tables' rows are made of; it stays where it is while they are used. */
struct tmap_account_tables {
	const struct tmap_record_account *account;    /**< borrowed */
	double bytes, all_bytes;                      /**< over all levels */
	int size_rows, size_class[TMAP_RECORD_SIZES]; /**< those that have messages */
	double messages;                              /**< of all sizes */
	char *room, *label;                           /**< text, for the cells of a row */
	char text[2][TMAP_ACCOUNT_CELL_ROOM];
};

void tmap_account_tables_init(struct tmap_account_tables *tables,
			      const struct tmap_record_account *account);

/** "in a core", "in a node", "beyond": bytes of messages between ranks, and with those of
 *  collectives. */
struct tmap_table tmap_account_levels_table(const struct tmap_account_tables *tables);

/** What each phase sent between ranks and called; no rows where the run was not parted. */
struct tmap_table tmap_account_phases_table(const struct tmap_account_tables *tables);

/** A row for each power of two that there are messages of. */
struct tmap_table tmap_account_sizes_table(const struct tmap_account_tables *tables);

/** The collectives that some rank was longest in, numbered: where lines are broken, a row is known by its first
 *  cell. */
struct tmap_table tmap_account_longest_table(const struct tmap_account_tables *tables);

#endif
