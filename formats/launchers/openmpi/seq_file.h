/*
 * seq_file.h - the hostfile of Open MPI's sequential mapper: line after line, rank after rank.
 *
 *     # mpirun -np 3 --mca rmaps seq --hostfile FILE PROGRAM
 *     node01 0-1
 *     node02 4
 *     node01
 *
 * What stands behind the host is a slot list (slot_list.h) of cores; or, if a comment has the
 * option that makes hardware threads cpus, of these by the operating system's numbers, which
 * Open MPI 4.1 takes here, other than in rankfiles. A rank without a list is not bound.
 */
#ifndef TMAP_FORMATS_LAUNCHERS_OPENMPI_SEQ_FILE_H
#define TMAP_FORMATS_LAUNCHERS_OPENMPI_SEQ_FILE_H

#include "formats/launchers/common/entries.h"

/** *p = the ranks of the file @p path ("-": standard input); @p ranks is not looked at. The nodes
 *  take the file's names if they have other ones (hosts.h). Refuses, as file:line, unknown hosts
 *  and lists that Open MPI would not read as they are written. O(length). */
int tmap_seq_file_read(struct tmap_placement *p, struct tmap_machine *machine, const char *path,
		       int ranks, struct tmap_error *err);

/** The text's entries: words are the lists, or "". On failure *line is the line to blame. */
int tmap_seq_file_parse(struct tmap_entries *entries, const char *text, int *line,
			struct tmap_error *err);

#endif
