/*
 * rankfile.h - Open MPI's rankfile: one line a rank, a host and the cores on it.
 *
 *     rank 0=a slot=0
 *     rank 1=b slot=0-3,8
 *
 * What the numbers count depends on options of mpirun; a comment in the file that holds
 * such an option ("# mpirun ... --mca hwloc_base_use_hwthreads_as_cpus 1 ...") tells the
 * reader, and the writer writes one where it is needed.
 */
#ifndef TMAP_FORMATS_LAUNCHERS_OPENMPI_RANKFILE_H
#define TMAP_FORMATS_LAUNCHERS_OPENMPI_RANKFILE_H

#include "core/machine/placement.h"
#include "formats/launchers/openmpi/slot_list.h"

/** *p = where Open MPI 4 puts the ranks under the rankfile @p path ("-": standard input) on
 *  these nodes, which take the file's host names if they have other ones (hosts.h). Refuses,
 *  as file:line, what Open MPI refuses or silently misreads: rank 0 not first, more than 57
 *  characters of host and list, a rank that is missing or doubled, a core that does not exist.
 *  A rank that gets all that the job may use of its node is not bound. @p ranks is not looked at. O(p)
 *  expected. */
int tmap_rankfile_read(struct tmap_placement *p, struct tmap_machine *machine, const char *path,
		       int ranks, struct tmap_error *err);

/** The same as Open MPI 5 (PRRTE) reads it: numbers are logical whatever comments say, "P" may stand
 *  for a package like "S", "0:0,1" are two cores, and what it misreads is refused. */
int tmap_rankfile_read_prrte(struct tmap_placement *p, struct tmap_machine *machine,
			     const char *path, int ranks, struct tmap_error *err);

/** The same for a job whose options are known, whatever the comments say. */
int tmap_rankfile_read_as(struct tmap_placement *p, struct tmap_machine *machine, const char *path,
			  const struct tmap_slot_rules *rules, struct tmap_error *err);

/** Must the lists count hardware threads, because some rank has a part of a core?
 *  O(places x PUs), and O(p) for each place that has. */
bool tmap_rankfile_needs_hwthreads(const struct tmap_placement *p);

/** Open MPI cuts host names at the first dot: refuses two nodes among those @p used whose names
 *  begin alike. O(N) expected. */
int tmap_rankfile_check_hosts(const struct tmap_machine *machine, const bool *used,
			      struct tmap_error *err);

#endif
