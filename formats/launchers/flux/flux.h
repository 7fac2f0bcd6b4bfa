/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flux.h - the row of Flux: a task map (RFC 34), the tasks of each node of the allocation, in
 * blocks.
 *
 *     # flux run ... --taskmap=... -o cpu-affinity=map:0-1;2-3 PROGRAM
 *     {"version":1,"map":[[0,4,2,1]]}      from node 0, 4 nodes with 2 tasks each, once
 *     [[0,4,1,2]]                          one task for each of the 4 nodes, twice
 *     0-3;4-7                              the tasks of node 0; of node 1
 *     (vector,(0,4,2))                     PMI's form (rankmap.h)
 */
#ifndef TMAP_FORMATS_LAUNCHERS_FLUX_FLUX_H
#define TMAP_FORMATS_LAUNCHERS_FLUX_FLUX_H

#include "formats/launchers/common/launcher.h"

/** Tasks are bound as a comment has it, else each to the next core. */
TMAP_LAUNCHER_PARSES(flux);
TMAP_LAUNCHER_WRITES(flux);
TMAP_LAUNCHER_NOTES(flux);

/** The nodes of the tasks, [*count], the caller's to free; comments are passed over. NULL where it
 *  is malformed; @p name is the file's, for mistakes in JSON. */
int *tmap_taskmap_parse(int *count, const char *text, const char *name, int most,
			struct tmap_error *err);

/** flux run (core/place/flux.h): --distribution is its --taskmap, --cpu-bind its cpu-affinity,
 *  --slots its --tasks-per-node. */
extern const struct tmap_launcher_policy tmap_flux_policy;

extern const struct tmap_fix_words tmap_flux_fixes;

#endif
