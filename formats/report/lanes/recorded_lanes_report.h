/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recorded_lanes_report.h - the collectives of a record by the library and over lanes.
 *
 *     communicator     ranks  nodes  a node  adapters  decomposes
 *     MPI_COMM_WORLD       8      2       4         1         yes
 *
 *     collective  on              ranks  bytes  calls  algorithm  predicted   lanes  form  gain
 *     1 bcast     MPI_COMM_WORLD      8   4KiB     10     binary    58.2 us   55 us  lane  1.06
 *
 *     {"kind": "recorded_lanes", "format": 1, ..., "communicators": [{"communicator": 0, ...}, ...],
 *      "collectives": [{"collective": "bcast", ..., "lane_seconds": 5.5e-05, "gain": 1.06}, ...]}
 */
#ifndef TMAP_FORMATS_REPORT_LANES_RECORDED_LANES_REPORT_H
#define TMAP_FORMATS_REPORT_LANES_RECORDED_LANES_REPORT_H

#include "core/record/recorded_lanes.h"

#include <stdio.h>

/** @p all: also those beyond the first ten of each table. */
int tmap_text_write_recorded_lanes(FILE *out, const struct tmap_recorded_lanes *lanes, bool all,
				   struct tmap_error *err);

/** The collectives. */
int tmap_csv_write_recorded_lanes(FILE *out, const struct tmap_recorded_lanes *lanes,
				  struct tmap_error *err);

/** The document recorded_lanes (topomap-json(5)). */
int tmap_json_write_recorded_lanes(FILE *out, const struct tmap_recorded_lanes *lanes,
				   struct tmap_error *err);

#endif
