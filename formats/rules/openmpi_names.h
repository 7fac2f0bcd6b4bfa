/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * openmpi_names.h - coll/tuned's own names of its algorithms, as Open MPI 6 has them.
 *
 *     bcast  9  <->  scatter_allgather_ring        0  <->  ignore
 */
#ifndef TMAP_FORMATS_RULES_OPENMPI_NAMES_H
#define TMAP_FORMATS_RULES_OPENMPI_NAMES_H

#include <stdbool.h>
#include <stdint.h>

/** Of a collective's number (core/tune/rule_collectives.h); NULL: it has no such algorithm. */
const char *tmap_openmpi_algorithm_name(int64_t collective, int64_t algorithm);

/** *algorithm = the number of that name, whose letters may be large, or that is a number itself. */
bool tmap_openmpi_algorithm_find(int64_t *algorithm, int64_t collective, const char *name);

#endif
