/*
 * text_accesses.h - what a broadcast or an allgather asks of the memory controllers.
 */
#ifndef TM_TEXT_ACCESSES_H
#define TM_TEXT_ACCESSES_H

#include "core/tree/access.h"

#include <stdio.h>

/** A line for each number of reads and writes, the busiest controllers first, and which
 *  controllers these are. O(controllers x log controllers). */
int tm_text_write_accesses(FILE *out, const struct tm_accesses *accesses,
			   const struct tm_machine *machine, struct tm_error *err);

#endif
