/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * place_others.h - options of launchers that place does not have, and what does the same here.
 *
 *     mpirun -np 4 -npernode 2        topomap place -n 4 --map-by ppr:2:node
 */
#ifndef TMAP_CLI_PLACE_OTHERS_H
#define TMAP_CLI_PLACE_OTHERS_H

#include "options/opt.h"

extern const struct tmap_opt_other tmap_place_others[];

#endif
