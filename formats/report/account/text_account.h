/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text_account.h - what a program communicated, for people.
 *
 *     recorded  lmp, 12.5 s, Open MPI v4.1.4
 *     sent      16.0k messages, 122Mi bytes between ranks
 *     called    1.04k collectives, 460Ki bytes that ranks name in them; a rank is in them ...
 *     imbalance rank 0 sends most, 15.3Mi bytes, 1.14 times the mean
 *     pattern   grid 4x4x2, periodic 1,1,0: a guess that explains 98.2% of the bytes between ranks
 *
 * and three tables: by level, by size of message, by collective.
 */
#ifndef TMAP_FORMATS_REPORT_ACCOUNT_TEXT_ACCOUNT_H
#define TMAP_FORMATS_REPORT_ACCOUNT_TEXT_ACCOUNT_H

#include "core/record/record_account.h"

#include <stdio.h>

int tmap_text_write_account(FILE *out, const struct tmap_record_account *account,
			    struct tmap_error *err);

#endif
