/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dot_schedule.h - a schedule as a graph: a row for each rank, a column for each round, and
 * an arrow for each message from one column to the next.
 */
#ifndef TMAP_FORMATS_REPORT_SCHEDULE_DOT_SCHEDULE_H
#define TMAP_FORMATS_REPORT_SCHEDULE_DOT_SCHEDULE_H

#include "core/schedule/collect.h"

#include <stdio.h>

/** Write it; @p algorithm as tmap_spec_print() has it. Arrows between nodes are set apart from
 *  those within one where @p placement is not NULL. */
int tmap_dot_write_schedule(FILE *out, const struct tmap_call *call, const char *algorithm,
			    const struct tmap_collection *collection,
			    const struct tmap_placement *placement, struct tmap_error *err);

#endif
