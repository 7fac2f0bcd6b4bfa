/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text_guided.h - what libraries make of hardware splits, for people.
 */
#ifndef TMAP_FORMATS_REPORT_HIERARCHY_TEXT_GUIDED_H
#define TMAP_FORMATS_REPORT_HIERARCHY_TEXT_GUIDED_H

#include "core/machine/placement.h"

#include <stdio.h>

/** A line of what repeated unguided splits of MPICH give. O(p x levels) time. */
int tmap_text_write_unguided(FILE *out, const struct tmap_placement *placement,
			     struct tmap_error *err);

/** A line for each resource type: by the standard, Open MPI and MPICH; below, why ranks get
 *  MPI_COMM_NULL and where communicators overlap. O(types x (p + objects)) time. */
int tmap_text_write_guided(FILE *out, const struct tmap_placement *placement,
			   struct tmap_error *err);

#endif
