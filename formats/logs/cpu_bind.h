/*
 * cpu_bind.h - what `srun --cpu-bind=verbose` prints, as a placement.
 *
 *     cpu-bind=MASK - node07, task  3  1 [4711]: mask 0xc set
 *     cpu-bind-cores=UNK  - node07, task  2  0 [4710]: mask 0x3 set
 *
 * The first number is the rank, the second one counts the tasks of the node; the mask has a
 * bit for each PU, by the operating system's numbers. Lines may stand in any order and among
 * other output, which is passed over.
 */
#ifndef TMAP_FORMATS_LOGS_CPU_BIND_H
#define TMAP_FORMATS_LOGS_CPU_BIND_H

#include "formats/launchers/common/entries.h"

/** *p = what the file @p path ("-": standard input) says, on these nodes, which take its host
 *  names if they have other ones (hosts.h). Refuses, as file:line, ranks that are missing or
 *  doubled, unknown hosts, PUs that the node lacks, and bindings that failed. O(length). */
int tmap_cpu_bind_read(struct tmap_placement *p, struct tmap_machine *machine, const char *path,
		       struct tmap_error *err);

/** The text's ranks; words are what tmap_cpu_mask_resolve() takes. On failure *line is the line to
 *  blame. */
int tmap_cpu_bind_parse(struct tmap_entries *entries, const char *text, int *line,
			struct tmap_error *err);

/** *pus = the bits of a mask, hexadecimal digits without "0x". Refuses a mask without bits and
 *  PUs that the node lacks. */
int tmap_cpu_mask_resolve(struct tmap_idset *pus, const char *mask,
			  const struct tmap_topology *topo, const void *context,
			  struct tmap_error *err);

#endif
