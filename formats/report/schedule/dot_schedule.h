/*
 * dot_schedule.h - a schedule as a graph: a row for each rank, a column for each round, and
 * an arrow for each message from one column to the next.
 */
#ifndef TM_DOT_SCHEDULE_H
#define TM_DOT_SCHEDULE_H

#include "core/schedule/collect.h"

#include <stdio.h>

/** Write it; @p algorithm as tm_choice_print() has it. Arrows between nodes are set apart from
 *  those within one where @p placement is not NULL. */
int tm_dot_write_schedule(FILE *out, const struct tm_call *call, const char *algorithm,
			  const struct tm_collection *collection,
			  const struct tm_placement *placement, struct tm_error *err);

#endif
