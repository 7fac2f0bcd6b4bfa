/*
 * slurm_hostfile.h - the file that SLURM_HOSTFILE names for srun -m arbitrary.
 *
 *     node03*2,node01      # ranks 0 and 1, then 2
 *     node02
 *
 * Entry i is the node of rank i; "*2" repeats it. Slurm does not expand bracket ranges here.
 * A comment with srun's command line tells what the ranks are bound to: --cpu-bind=map_cpu:...
 * or mask_cpu:..., or a script beside the file (slurm_script.h).
 */
#ifndef TMAP_FORMATS_LAUNCHERS_SLURM_SLURM_HOSTFILE_H
#define TMAP_FORMATS_LAUNCHERS_SLURM_SLURM_HOSTFILE_H

#include "formats/launchers/common/entries.h"

/** *p = the first @p ranks ranks (TMAP_NONE: all entries) on the nodes that the file @p path ("-":
 *  standard input) lists, bound as a comment says, else each on the next core
 *  (core/place/node_list.h). The nodes take the
 *  file's names if they have other ones (hosts.h). Refuses, as file:line, malformed lines and
 *  unknown hosts, too few entries, and more ranks on a node than cores. O(length + ranks). */
int tmap_slurm_hostfile_read(struct tmap_placement *p, struct tmap_machine *machine,
			     const char *path, int ranks, struct tmap_error *err);

/** The text's entries: ranks in order, words "". On failure *line is the line to blame. */
int tmap_slurm_hostfile_parse(struct tmap_entries *entries, const char *text, int *line,
			      struct tmap_error *err);

#endif
