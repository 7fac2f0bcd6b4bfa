/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record_account.h - where the bytes and the time of a record went: all that is said of it.
 */
#ifndef TMAP_CORE_RECORD_RECORD_ACCOUNT_H
#define TMAP_CORE_RECORD_RECORD_ACCOUNT_H

#include "core/record/record_calls.h"
#include "core/record/record_levels.h"
#include "core/record/record_structure.h"
#include "core/record/record_totals.h"

struct tmap_record_account {
	const struct tmap_record *record; /**< borrowed */
	struct tmap_record_costs costs;   /**< borrowed: what calls are chosen and predicted by */
	struct tmap_record_totals totals;
	struct tmap_record_totals *phase; /**< [record->phase_count], of each of them */
	struct tmap_record_levels levels;
	struct tmap_record_structure structure;
	int longest_count;
	struct tmap_record_longest longest[TMAP_RECORD_LONGEST];
};

/** The record, and what *costs has, must outlive it. O(p + pairs x levels + calls log calls), and what
 *  collectives take that are few enough to look at (record_levels.h, record_calls.h). */
int tmap_record_account_init(struct tmap_record_account *account, const struct tmap_record *record,
			     const struct tmap_record_costs *costs, struct tmap_error *err);
void tmap_record_account_fini(struct tmap_record_account *account);

#endif
