/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * latency_columns.h - times over sizes in the form of OSU Micro-Benchmarks, which many scripts read.
 *
 *     # allgather, blocking
 *     # Size     Min(us)  Median(us)  ...  Algorithm
 *     8             4.10        4.35  ...  ring
 *     1024          6.02        6.31  ...  ring
 *
 * What is no such line stands behind '#'; sizes are bytes, times microseconds. A line has as many words as
 * its heading has columns: the same in all tables of a kind, and '-' where there is nothing.
 */
#ifndef TMAP_FORMATS_REPORT_TIMES_LATENCY_COLUMNS_H
#define TMAP_FORMATS_REPORT_TIMES_LATENCY_COLUMNS_H

#include "formats/text/table.h"

#define TMAP_LATENCY_HEADING "# Size"

/* Of a table of text alone. */
#define TMAP_LATENCY_SIZE \
	NULL, NULL, TMAP_LATENCY_HEADING, TMAP_COLUMN_INT, .width = 7, .side = TMAP_SIDE_LEFT
#define TMAP_LATENCY_BLANK "-"
#define TMAP_LATENCY(heading_) NULL, NULL, heading_, TMAP_COLUMN_LATENCY

#endif
