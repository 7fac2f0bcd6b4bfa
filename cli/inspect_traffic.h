/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * inspect_traffic.h - inspect --traffic: a record's matrix, and beside it in another order.
 */
#ifndef TMAP_CLI_INSPECT_TRAFFIC_H
#define TMAP_CLI_INSPECT_TRAFFIC_H

#include "core/record/record.h"

#include <stdio.h>

/** Draw the traffic of a record, collectives by @p library (TMAP_NONE: that of the record), and once more
 *  by the places of the placement in the file @p against (NULL: no), which has as many ranks. */
int tmap_inspect_traffic_write(FILE *out, const struct tmap_record *record, int library,
			       const char *against, struct tmap_error *err);

#endif
