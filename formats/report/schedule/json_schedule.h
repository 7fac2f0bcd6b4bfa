/*
 * json_schedule.h - the document of a schedule; topomap-json(5) describes it.
 */
#ifndef TM_JSON_SCHEDULE_H
#define TM_JSON_SCHEDULE_H

#include "core/algorithms/arrival.h"
#include "core/schedule/collect.h"

#include <stdio.h>

/** Write it; @p algorithm as tm_choice_print() has it; @p arrival of a gather that has one, else
 *  NULL. */
int tm_json_write_schedule(FILE *out, const struct tm_call *call, const char *algorithm,
			   const struct tm_collection *collection,
			   const struct tm_arrival *arrival, struct tm_error *err);

#endif
