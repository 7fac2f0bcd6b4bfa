/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rankfile.h - what the writers of rankfiles and of the sequential mapper's hostfiles share.
 */
#ifndef TMAP_FORMATS_LAUNCHERS_OPENMPI_RANKFILE_H
#define TMAP_FORMATS_LAUNCHERS_OPENMPI_RANKFILE_H

#include "core/machine/placement.h"

/** Must the lists count hardware threads, because some rank has a part of a core?
 *  O(places x PUs), and O(p) for each place that has. */
bool tmap_rankfile_needs_hwthreads(const struct tmap_placement *p);

/** Open MPI cuts host names at the first dot: refuses two nodes among those @p used whose names
 *  begin alike. O(N) expected. */
int tmap_rankfile_check_hosts(const struct tmap_machine *machine, const bool *used,
			      struct tmap_error *err);

#endif
