/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * guided_reason.h - why a guided split gives some ranks MPI_COMM_NULL.
 */
#ifndef TMAP_FORMATS_REPORT_HIERARCHY_GUIDED_REASON_H
#define TMAP_FORMATS_REPORT_HIERARCHY_GUIDED_REASON_H

#include "core/group/guided.h"

/** "4 ranks may run on more than one l3 (rank 2: 3)", "2 ranks have no l3", "" for a partition.
 *  The caller's to free; NULL with *err set. */
char *tmap_guided_reason(const struct tmap_guided *guided, struct tmap_error *err);

/** "rank 1 is given ranks 0 and 2, which are not given each other"; the same. */
char *tmap_guided_overlap(const struct tmap_guided *guided, struct tmap_error *err);

#endif
