/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * setting_pack.h - what the calling process was started as, and that as bytes and back.
 */
#ifndef TMAP_MPI_PROBE_SETTING_PACK_H
#define TMAP_MPI_PROBE_SETTING_PACK_H

#include "core/machine/setting.h"
#include "mpi_probe/bytes.h"

/** Of a process that is @p part of its launch (TMAP_NONE: unknown) and stands for @p program (NULL:
 *  unknown). @p environment is what it was started with, of which the variables of tmap_variables
 *  are kept, without control characters and cut where they are long; NULL: none is looked at. */
int tmap_setting_query(struct tmap_setting *setting, int part, const char *program,
		       char *const *environment, struct tmap_error *err);

/** As bytes, and back; unpack fails on bytes that are no setting. */
void tmap_setting_pack(struct tmap_bytes *bytes, const struct tmap_setting *setting);
int tmap_setting_unpack(struct tmap_setting *setting, struct tmap_cursor *cursor,
			struct tmap_error *err);

#endif
