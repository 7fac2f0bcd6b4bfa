/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * times_report.h - measured times, written: the document, a line an experiment, or a table.
 *
 *     {"kind": "times", "format": 1, "placement": {...}, "mpi": "MPICH 4.0.2", "date": ...,
 *      "sync": "barrier",
 *      "experiments": [{"collective": "allgather", "algorithm": "sparbit", "mode": "blocking",
 *                       "bytes": 8, "root": 0, "repetitions": 500, "correct": true,
 *                       "seconds": {"min": .., "q1": .., "median": .., ..., "ci": [.., ..]},
 *                       "outliers": 7, "runs": [..]}, ...]}
 */
#ifndef TMAP_FORMATS_REPORT_TIMES_TIMES_REPORT_H
#define TMAP_FORMATS_REPORT_TIMES_TIMES_REPORT_H

#include "core/measure/times.h"

#include "formats/json/json_write.h"

#include <stdio.h>

/** The experiments with a wrong result; nothing where there are none. */
void tmap_text_write_wrong(FILE *out, const struct tmap_times *times);

/** The member "seconds". */
void tmap_json_put_seconds(struct tmap_json_writer *w, const struct tmap_sample_statistics *it);

int tmap_json_write_times(FILE *out, const struct tmap_times *times, struct tmap_error *err);
int tmap_csv_write_times(FILE *out, const struct tmap_times *times, struct tmap_error *err);

/** The experiments in their order; below, what is not as it should be. */
int tmap_text_write_times(FILE *out, const struct tmap_times *times, struct tmap_error *err);

#endif
