/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lattice_parts.h - what the files of lattice.h have in common.
 */
#ifndef TMAP_CORE_MAPPERS_LATTICE_PARTS_H
#define TMAP_CORE_MAPPERS_LATTICE_PARTS_H

#include "core/mappers/lattice.h"

/** Give the grid, whose vertices are numbered, its offsets, and what goes along each. There may be more
 *  than are kept: edges of the first of @p weights weights, the heaviest, are counted first. Steps
 *  taken are added to *steps. O(edges x (weights + offsets x dimensions)). */
int tmap_lattice_weigh(struct tmap_lattice *lattice, const struct tmap_graph *graph,
		       const double *weight, int weights, int64_t *steps, struct tmap_error *err);

#endif
