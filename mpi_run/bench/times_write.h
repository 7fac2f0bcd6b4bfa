/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * times_write.h - measured times in the format that was asked for.
 */
#ifndef TMAP_MPI_RUN_BENCH_TIMES_WRITE_H
#define TMAP_MPI_RUN_BENCH_TIMES_WRITE_H

#include "core/measure/times.h"
#include "formats/base/output.h"

/** As text, JSON or CSV (enum tmap_format), and committed. */
int tmap_times_write(struct tmap_output *out, const struct tmap_times *times, int format,
		     struct tmap_error *err);

#endif
