/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * like_report.h - what the loops of other benchmarks say, in their columns, and topomap's own time.
 *
 *     # allgather native, blocking, like OSU Micro-Benchmarks
 *     # Size   Avg Latency(us)  Min Latency(us)  Max Latency(us)  Iterations  topomap
 *     8                   3.20             1.10             4.20        1000     4.61
 *
 * Programs that read the output of those benchmarks find the columns where these have them.
 */
#ifndef TMAP_FORMATS_REPORT_TIMES_LIKE_REPORT_H
#define TMAP_FORMATS_REPORT_TIMES_LIKE_REPORT_H

#include "core/measure/times.h"

#include <stdio.h>

/** A table for each benchmark, collective, algorithm, mode and root, its rows by size; below, what is
 *  not as it should be. */
int tmap_text_write_like(FILE *out, const struct tmap_times *times, struct tmap_error *err);

#endif
