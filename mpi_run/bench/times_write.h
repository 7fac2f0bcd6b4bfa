/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * times_write.h - measured times in the format that was asked for.
 */
#ifndef TMAP_MPI_RUN_BENCH_TIMES_WRITE_H
#define TMAP_MPI_RUN_BENCH_TIMES_WRITE_H

#include "core/measure/times.h"
#include "formats/base/output.h"

typedef int tmap_times_write_text(FILE *out, const struct tmap_times *times,
				  struct tmap_error *err);

/** As text by @p write_text, JSON or CSV (enum tmap_format), and committed. */
int tmap_times_write(struct tmap_output *out, const struct tmap_times *times, int format,
		     tmap_times_write_text *write_text, struct tmap_error *err);

#endif
