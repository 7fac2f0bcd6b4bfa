/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * left_out_report.h - what was asked for and is not among measured times, written.
 *
 *     "left_out": [{"collective": "allgather", "algorithm": "recursive_doubling", ..., "reason": ..}]
 *
 *     Left out:
 *       - allgather recursive_doubling, 3 calls: it needs a power of two
 */
#ifndef TMAP_FORMATS_REPORT_TIMES_LEFT_OUT_REPORT_H
#define TMAP_FORMATS_REPORT_TIMES_LEFT_OUT_REPORT_H

#include "core/measure/times.h"
#include "formats/json/json_write.h"

#include <stdio.h>

/** The member "left_out"; nothing where nothing was. */
void tmap_json_put_left_out(struct tmap_json_writer *w, const struct tmap_times *times);

/** A line for all calls of one algorithm that were left out for one reason; nothing where none was. */
int tmap_text_write_left_out(FILE *out, const struct tmap_times *times, struct tmap_error *err);

#endif
