/*
 * hydra_debug.h - what MPICH's mpiexec prints with HYDRA_TOPO_DEBUG=1, as a placement.
 *
 *     process 0 binding: 1010000000000000
 *     process 1 binding: 0000010000000000
 *
 * Bit i stands for the PU that the operating system calls i; older versions put blanks
 * between the bits. The number is that of a process on its node, and the line does not say
 * on which. So a job of several nodes is understood where each node tells the same: nodes
 * have equally many processes, one after the other, and the last one may have fewer. A
 * process that Hydra leaves unbound ("user:" has no entry for it) has no line.
 */
#ifndef TMAP_FORMATS_LOGS_HYDRA_DEBUG_H
#define TMAP_FORMATS_LOGS_HYDRA_DEBUG_H

#include "formats/launchers/common/entries.h"

/** *p = the @p ranks ranks of the output @p path ("-": standard input); TMAP_NONE: as many as there
 *  are lines; more: those without a line are not bound. Other output is passed over. Refuses, as
 *  file:line, processes that are missing, told of more or less often than there are nodes, or
 *  bound differently on them, and bits that are not as many as the node's PUs. O(length). */
int tmap_hydra_debug_read(struct tmap_placement *p, struct tmap_machine *machine, const char *path,
			  int ranks, struct tmap_error *err);

/** The text's lines: rank is the number of the process, words are its bits without blanks, the
 *  host is "". On failure *line is the line to blame. */
int tmap_hydra_debug_parse(struct tmap_entries *entries, const char *text, int *line,
			   struct tmap_error *err);

/** *pus = those whose bit is set; "" is not bound. */
int tmap_hydra_bits_resolve(struct tmap_idset *pus, const char *bits,
			    const struct tmap_topology *topo, const void *context,
			    struct tmap_error *err);

/** The ranks of a job from such lines, on nodes "+n0", "+n1", ... On failure *line is the line to
 *  blame, if it is one. */
int tmap_hydra_debug_spread(struct tmap_entries *ranks, const struct tmap_entries *lines,
			    int rank_count, int node_count, int *line, struct tmap_error *err);

#endif
