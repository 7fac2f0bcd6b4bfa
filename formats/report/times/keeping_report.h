/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * keeping_report.h - what it gains to keep more from call to call, as text: the modes of one algorithm side by
 * side.
 *
 *     algorithm   bytes   nothing   schedule   datatypes   requests   gain
 *     ring            8     30 us      12 us       11 us      25 us    2.7   nothing / the least
 *     native          8     14 us                             13 us    1.1   MPI_I..., MPI_..._init
 */
#ifndef TMAP_FORMATS_REPORT_TIMES_KEEPING_REPORT_H
#define TMAP_FORMATS_REPORT_TIMES_KEEPING_REPORT_H

#include "core/measure/times.h"

#include <stdio.h>

int tmap_text_write_keeping(FILE *out, const struct tmap_times *times, struct tmap_error *err);

#endif
