/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json_schedule.h - the document of a schedule; topomap-json(5) describes it.
 */
#ifndef TMAP_FORMATS_REPORT_SCHEDULE_JSON_SCHEDULE_H
#define TMAP_FORMATS_REPORT_SCHEDULE_JSON_SCHEDULE_H

#include "core/algorithms/arrival.h"
#include "core/schedule/collect.h"

#include <stdio.h>

/** Write it; @p algorithm as tmap_spec_print() has it; @p arrival of a gather that has one, else
 *  NULL. */
int tmap_json_write_schedule(FILE *out, const struct tmap_call *call, const char *algorithm,
			     const struct tmap_collection *collection,
			     const struct tmap_arrival *arrival, struct tmap_error *err);

#endif
