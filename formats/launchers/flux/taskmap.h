/*
 * taskmap.h - Flux's task map (RFC 34): the tasks of each node of the allocation, in blocks.
 *
 *     # flux run ... --taskmap=... -o cpu-affinity=map:0-1;2-3 PROGRAM
 *     {"version":1,"map":[[0,4,2,1]]}      from node 0, 4 nodes with 2 tasks each, once
 *     [[0,4,1,2]]                          one task for each of the 4 nodes, twice
 *     0-3;4-7                              the tasks of node 0; of node 1
 *     (vector,(0,4,2))                     PMI's form (rankmap.h)
 */
#ifndef TMAP_FORMATS_LAUNCHERS_FLUX_TASKMAP_H
#define TMAP_FORMATS_LAUNCHERS_FLUX_TASKMAP_H

#include "core/machine/placement.h"

/** *p = the tasks of the map in the file @p path ("-": standard input), on the nodes of @p machine
 *  by number; @p ranks is not looked at. They are bound as a comment says, else each to the next
 *  core. Refuses what is malformed, and nodes and PUs that there are not. O(length + tasks). */
int tmap_taskmap_read(struct tmap_placement *p, struct tmap_machine *machine, const char *path,
		      int ranks, struct tmap_error *err);

/** The nodes of the tasks, [*count], the caller's to free; comments are passed over. NULL where it
 *  is malformed; messages begin with @p name. */
int *tmap_taskmap_parse(int *count, const char *text, const char *name, struct tmap_error *err);

#endif
