/*
 * hydra_hostfile.h - the file that MPICH's mpiexec -f reads, as a placement.
 *
 *     # host[:processes] [binding=SPEC] [user=NAME]
 *     node01:4 binding=user:0,2+3,4-7x2      ranks 0 to 3: PUs 0; 2 and 3; 4 to 7; 4 to 7
 *     node02:2 binding=core                  ranks 4 and 5, as -bind-to core has them
 *     node03                                 rank 6 on the first core
 *
 * As Hydra 4.0 has it, lines of one host that follow each other are one node, whose binding=
 * may stand in any of them, but once; where the host comes back after others, its processes
 * are counted anew. The numbers of "user:" are those of the operating system; "xN" repeats an
 * entry, and processes beyond the list are not bound. What mpiexec would leave to its options,
 * a line without binding=, goes to core k for the k-th rank of that host in the file. Where a
 * comment has the option -rankmap (rankmap.h), that says which ranks each host has.
 */
#ifndef TMAP_FORMATS_LAUNCHERS_HYDRA_HYDRA_HOSTFILE_H
#define TMAP_FORMATS_LAUNCHERS_HYDRA_HYDRA_HOSTFILE_H

#include "formats/launchers/common/entries.h"

/** *p = the first @p ranks ranks (TMAP_NONE: all) of the file @p path ("-": standard input). The
 *  nodes take the file's names if they have other ones (hosts.h). Refuses, as file:line,
 *  malformed lines, unknown hosts, bindings and PUs, and more ranks than the file has. */
int tmap_hydra_hostfile_read(struct tmap_placement *p, struct tmap_machine *machine,
			     const char *path, int ranks, struct tmap_error *err);

/** What comments of a file say of its entries besides. */
typedef int tmap_hostfile_rest(struct tmap_entries *entries, const char *text,
			       struct tmap_error *err);

/** The same for files of this form whose comments mean something else. Where these say @p unlimited
 *  (NULL: nothing does), the number of ranks is theirs. */
int tmap_hydra_hostfile_read_with(struct tmap_placement *p, struct tmap_machine *machine,
				  const char *path, int ranks, const char *unlimited,
				  tmap_hostfile_rest *rest, struct tmap_error *err);

/** The first @p ranks ranks of the text in order, with words for tmap_hydra_hostfile_resolve():
 *      "0+2-3"  PUs    ""  not bound    "@4"  the core with that number    "numa:2@4"  -bind-to
 *  On failure *line is the line to blame, or 0. O(length + ranks). */
int tmap_hydra_hostfile_parse(struct tmap_entries *entries, const char *text, int ranks, int *line,
			      struct tmap_error *err);

/** tmap_keywords_resolve for these words. */
int tmap_hydra_hostfile_resolve(struct tmap_idset *pus, const char *words,
				const struct tmap_topology *topo, const void *context,
				struct tmap_error *err);

#endif
