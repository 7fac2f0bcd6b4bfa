/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpich_selection.h - the file that MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE of MPICH names.
 *
 *     {
 *      "collective=bcast": {
 *       "comm_type=intra": {
 *        "avg_msg_size<=12288": {
 *         "algorithm=MPIR_Bcast_intra_binomial": {}
 *        },
 *        ...
 *
 * Objects in objects, and nothing else: the members are tests, made in their order, down to an algorithm and
 * its parameters. What every release of MPICH, from 4.0 to 5.0, would end the program for when it starts is
 * refused here, by line.
 */
#ifndef TMAP_FORMATS_RULES_MPICH_SELECTION_H
#define TMAP_FORMATS_RULES_MPICH_SELECTION_H

#include "core/tune/selection.h"

#include <stdio.h>

/** Read; its mistakes are core/tune/selection_lint.h's. The collectives must be the first level. */
int tmap_mpich_selection_parse(struct tmap_selection *selection, const char *text,
			       struct tmap_error *err);
int tmap_mpich_selection_read(struct tmap_selection *selection, const char *path,
			      struct tmap_error *err);

/** Write what parse reads to the same. TMAP_SYSTEM where the system refuses. */
int tmap_mpich_selection_write(const struct tmap_selection *selection, FILE *out,
			       struct tmap_error *err);

#endif
