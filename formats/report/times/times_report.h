/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * times_report.h - measured times, written: the document, a line an experiment, or a table.
 *
 *     {"kind": "times", "format": 1, "placement": {...}, "mpi": "MPICH 4.0.2", "date": ...,
 *      "sync": "clock", "clock": {"clocks": 2, "uncertainty_s": 8e-07, "late": 3}, "seed": 7, "seeds": [7, 9],
 *      "experiments": [{"collective": "allgather", "algorithm": "sparbit", "mode": "blocking",
 *                       "bytes": 8, "root": 0, "repetitions": 500, "correct": true,
 *                       "seconds": {"min": .., "q1": .., "median": .., ..., "ci": [.., ..]},
 *                       "outliers": 7, "runs": [..],
 *                       "like": [{"as": "osu", "warm_up": 100, "repetitions": 1000,
 *                                 "min_s": .., "avg_s": .., "max_s": ..}]}, ...]}
 */
#ifndef TMAP_FORMATS_REPORT_TIMES_TIMES_REPORT_H
#define TMAP_FORMATS_REPORT_TIMES_TIMES_REPORT_H

#include "core/measure/times.h"

#include "formats/json/json_write.h"

#include <stdio.h>

/** "bcast, measured: 32 ranks on 4 nodes, Open MPI v4.1.4": what a picture of @p what is called; the
 *  caller's to free. */
char *tmap_times_title(const struct tmap_times *times, const char *what, struct tmap_error *err);

/** What is to be known of the times above, as a comment: experiments with a wrong result, what was left
 *  out, and whether the measurement was interrupted; nothing of what there is none of. */
int tmap_text_comment_times_ending(FILE *out, const struct tmap_times *times,
				   struct tmap_error *err);

/** Are some of several launches? */
bool tmap_times_have_runs(const struct tmap_times *times);

/** That the measurement was interrupted, in words and as a member; nothing where it was not. */
void tmap_text_write_interrupted(FILE *out, const struct tmap_times *times);
void tmap_json_put_interrupted(struct tmap_json_writer *w, const struct tmap_times *times);

/** Whose times these are, with what the next but one says. */
int tmap_text_write_times_heading(FILE *out, const struct tmap_times *times,
				  struct tmap_error *err);

/** That and @p more, which are lines, as a comment. */
int tmap_text_comment_times_heading(FILE *out, const struct tmap_times *times, const char *more,
				    struct tmap_error *err);

/** What the ranks began by, as the end of a sentence on times, whether some share cores, and in which
 *  order experiments were made. */
int tmap_text_write_sync(FILE *out, const struct tmap_times *times, struct tmap_error *err);

/** The members "sync", "clock", "off_cache", "by_rounds" and "seed". */
void tmap_json_put_sync(struct tmap_json_writer *w, const struct tmap_times *times);

/** Who the neighbors are, where there are any: a member "neighborhood"; and where there are some a line,
 *  the caller's: "neighbors: moore:1 on a grid of 2x2". */
void tmap_json_put_neighborhood(struct tmap_json_writer *w,
				const struct tmap_times_neighborhood *it);
char *tmap_neighbors_print(const struct tmap_times_neighborhood *it, struct tmap_error *err);

/** The member "seconds". */
void tmap_json_put_seconds(struct tmap_json_writer *w, const struct tmap_sample_statistics *it);

int tmap_json_write_times(FILE *out, const struct tmap_times *times, struct tmap_error *err);
int tmap_csv_write_times(FILE *out, const struct tmap_times *times, struct tmap_error *err);

/** Has that CSV such a column? */
bool tmap_csv_times_has(const char *heading);

/** The experiments in the form of latency_columns.h, by collective, root, mode, size and algorithm;
 *  below, what is not as it should be. */
int tmap_text_write_times(FILE *out, const struct tmap_times *times, struct tmap_error *err);

#endif
