/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ranks_report.h - where each rank runs: its node, the PUs and objects it is bound to, and the
 * closest adapter and GPU.
 *
 *     rank  node  PU L#  PU P#  core  package            columns in which no rank has anything
 *        0  n0    0      0      0     0                  are left out for people, and "bound"
 *        1  n0    1      1      1     0                  where all ranks are
 */
#ifndef TMAP_FORMATS_REPORT_INSPECTION_RANKS_REPORT_H
#define TMAP_FORMATS_REPORT_INSPECTION_RANKS_REPORT_H

#include "core/machine/placement.h"
#include "formats/json/json_write.h"

/** The ranks rank[count] for people, as CSV with all columns, and as the member "ranks".
 *  O(count + places x objects). */
int tmap_text_write_ranks(FILE *out, const struct tmap_placement *p, const int *rank, int count,
			  struct tmap_error *err);
int tmap_csv_write_ranks(FILE *out, const struct tmap_placement *p, const int *rank, int count,
			 struct tmap_error *err);
int tmap_json_put_ranks(struct tmap_json_writer *w, const struct tmap_placement *p, const int *rank,
			int count, struct tmap_error *err);

#endif
