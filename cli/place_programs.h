/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * place_programs.h - the programs of a job that has several, as they stand between the colons of
 * mpirun's line.
 *
 *     mpirun --map-by node -n 4 ./ocean : -n 8 ./air --fine
 *            --map-by node --app '-n 4 ./ocean' --app '-n 8 ./air --fine'
 */
#ifndef TMAP_CLI_PLACE_PROGRAMS_H
#define TMAP_CLI_PLACE_PROGRAMS_H

#include "core/machine/placement.h"
#include "options/opt.h"

/** *ranks = the number of each program, TMAP_NONE where none is given; the caller's to free.
 *  TMAP_USAGE where there are other options than -n before the program: what mpirun has one of for
 *  all, and what is not imitated. */
int tmap_place_programs_parse(int **ranks, const struct tmap_opt_list *programs,
			      struct tmap_error *err);

/** Write the names of the programs into the placement's settings, which are theirs. */
int tmap_place_programs_name(struct tmap_placement *p, const struct tmap_opt_list *programs,
			     struct tmap_error *err);

#endif
