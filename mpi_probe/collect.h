/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * collect.h - the placement of the running job.
 */
#ifndef TMAP_MPI_PROBE_COLLECT_H
#define TMAP_MPI_PROBE_COLLECT_H

#include "core/base/string.h"
#include "core/machine/placement.h"
#include "mpi_probe/job.h"

/** Collective over the job, each rank with what it was started as: *p on rank 0 is the placement of its ranks,
 *  without an origin, with the switches that Slurm's environment names and what is odd of them in *note; both
 *  stay as they were elsewhere. *imitated on rank 0 becomes true if the topology of some node is not
 *  that of the system it runs on (an XML file in HWLOC_XMLFILE, say): its ranks count as
 *  unbound then, because the system's answers are about another machine. */
int tmap_collect(struct tmap_job *job, const struct tmap_setting *setting, struct tmap_placement *p,
		 bool *imitated, struct tmap_str *note, struct tmap_error *err);

#endif
