/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sent_builder.h - the rows of one way to send as they grow, rank by rank; equal ones are one.
 */
#ifndef TMAP_CORE_RECORD_SENT_BUILDER_H
#define TMAP_CORE_RECORD_SENT_BUILDER_H

#include "core/base/index.h"
#include "core/record/record.h"

struct tmap_sent_builder {
	int row_count;
	struct tmap_record_row *row; /**< [row_count] */
	size_t row_capacity;
	struct tmap_index rows;

	int rank_count;
	int *rank;   /**< [rank_count]: ranks of whom something was added */
	int *row_of; /**< [rank_count]: their rows */
	size_t rank_capacity, row_of_capacity;
};

void tmap_sent_builder_fini(struct tmap_sent_builder *b);

/** The number of a row, added where it is new; TMAP_NONE with *err set. The row is taken over, also on
 *  failure. O(peers) expected. */
int tmap_record_intern_row_take(struct tmap_sent_builder *b, struct tmap_record_row *row,
				struct tmap_error *err);

/** What rank @p rank sent is that row. */
int tmap_record_add_rank(struct tmap_sent_builder *b, int rank, int row, struct tmap_error *err);

/** It sent nothing. */
int tmap_record_add_silent_rank(struct tmap_sent_builder *b, int rank, struct tmap_error *err);

/** All ranks were added: *rows has their rows. One that was not added sent nothing, or, if @p has_all, is
 *  refused (TMAP_INPUT); so is one that was added twice, or is none of @p size. Where none was added and
 *  none must be, there are no rows. O(p). */
int tmap_sent_builder_finish(struct tmap_record_rows *rows, struct tmap_sent_builder *b, int size,
			     bool has_all, struct tmap_error *err);

#endif
