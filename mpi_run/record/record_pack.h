/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record_pack.h - a record that grows, as bytes: what ranks and nodes' leaders send.
 */
#ifndef TMAP_MPI_RUN_RECORD_RECORD_PACK_H
#define TMAP_MPI_RUN_RECORD_RECORD_PACK_H

#include "core/record/record_builder.h"
#include "mpi_probe/bytes.h"

void tmap_record_pack(struct tmap_bytes *bytes, const struct tmap_record_builder *b);

/** Add what was packed to a builder. TMAP_SYSTEM for bytes that are damaged. O(length). */
int tmap_record_unpack(struct tmap_record_builder *b, struct tmap_cursor *cursor,
		       struct tmap_error *err);

#endif
