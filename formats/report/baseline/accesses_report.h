/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * accesses_report.h - reads and writes of the memory controllers in a broadcast or an allgather.
 *
 *              reads          writes  memory controller       people see controllers of equal
 *           29360128         7340032  n0 numa 0               load once, the busiest first;
 *            7340032         7340032  7 on n[0-3]             documents have each of them
 */
#ifndef TMAP_FORMATS_REPORT_BASELINE_ACCESSES_REPORT_H
#define TMAP_FORMATS_REPORT_BASELINE_ACCESSES_REPORT_H

#include "core/tree/access.h"
#include "formats/json/json_write.h"

/** The table for people and the number of remote reads. O(controllers x log controllers). */
int tmap_text_write_accesses(FILE *out, const struct tmap_accesses *accesses,
			     const struct tmap_machine *machine, struct tmap_error *err);

/** The member "controllers". O(controllers). */
int tmap_json_put_accesses(struct tmap_json_writer *w, const struct tmap_accesses *accesses,
			   const struct tmap_machine *machine, struct tmap_error *err);

#endif
