/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hydra.h - the rows of MPICH's Hydra: its hostfile (common/hostfile.h), and -rankmap.
 */
#ifndef TMAP_FORMATS_LAUNCHERS_HYDRA_HYDRA_H
#define TMAP_FORMATS_LAUNCHERS_HYDRA_HYDRA_H

#include "formats/launchers/common/launcher.h"

/** Where a comment has the option -rankmap (common/rankmap.h), that is which ranks each host
 *  has. */
TMAP_LAUNCHER_PARSES(hydra_hostfile);

/** The map itself: each rank on the next core of its node. */
TMAP_LAUNCHER_PARSES(hydra_rankmap);

/** A hostfile with a binding=user: for each host. Where ranks come back to a node, -rankmap has
 *  their order, or, without it, the host stands there again. */
TMAP_LAUNCHER_WRITES(hydra);
TMAP_LAUNCHER_NOTES(hydra);

/** -map-by and -bind-to of MPICH from 4.1 on, and of 4.0, where gpu means others. */
extern const struct tmap_launcher_policy tmap_hydra_policy;
extern const struct tmap_launcher_policy tmap_hydra40_policy;

extern const struct tmap_fix_words tmap_hydra_fixes;

#endif
