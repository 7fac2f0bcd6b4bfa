/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rankfile.h - what the writers of rankfiles and of the sequential mapper's hostfiles share.
 */
#ifndef TMAP_FORMATS_LAUNCHERS_OPENMPI_RANKFILE_H
#define TMAP_FORMATS_LAUNCHERS_OPENMPI_RANKFILE_H

#include "core/base/string.h"
#include "core/machine/placement.h"

/** Must the lists count hardware threads, because some rank has a part of a core?
 *  O(places x PUs), and O(p) for each place that has. */
bool tmap_rankfile_needs_hwthreads(const struct tmap_placement *p);

/** Open MPI cuts host names at the first dot: refuses two nodes among those @p used whose names
 *  begin alike. O(N) expected. */
int tmap_rankfile_check_hosts(const struct tmap_machine *machine, const bool *used,
			      struct tmap_error *err);

/** Is there a release of Open MPI 5 that refuses a file of this name within --map-by, though its
 *  path has no ':'? 5.0.7 and 5.0.8 cut the words at each '-'. */
bool tmap_openmpi5_refuses(const char *path);

/** Say so, in a sentence. */
void tmap_openmpi5_add_refusal(struct tmap_str *text, const char *path);

#endif
