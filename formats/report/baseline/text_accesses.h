/*
 * text_accesses.h - what a broadcast or an allgather asks of the memory controllers.
 */
#ifndef TMAP_FORMATS_REPORT_BASELINE_TEXT_ACCESSES_H
#define TMAP_FORMATS_REPORT_BASELINE_TEXT_ACCESSES_H

#include "core/tree/access.h"

#include <stdio.h>

/** A line for each number of reads and writes, the busiest controllers first, and which
 *  controllers these are. O(controllers x log controllers). */
int tmap_text_write_accesses(FILE *out, const struct tmap_accesses *accesses,
			     const struct tmap_machine *machine, struct tmap_error *err);

#endif
