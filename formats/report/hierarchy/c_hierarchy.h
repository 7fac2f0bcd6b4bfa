/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * c_hierarchy.h - C source of the MPI calls that make the communicators of a hierarchy.
 *
 * One function, topomap_split(), to be called by all ranks of a job of the same placement. On
 * an MPI-4 library it tries hardware splits, unguided and guided, and keeps what they give if
 * it is what was foreseen; else, and on older libraries, it splits by computed colours. So the
 * communicators are these in any case. Colours are tables of runs (core/group/runs.h).
 */
#ifndef TMAP_FORMATS_REPORT_HIERARCHY_C_HIERARCHY_H
#define TMAP_FORMATS_REPORT_HIERARCHY_C_HIERARCHY_H

#include "formats/report/hierarchy/text_hierarchy.h"

/** Write it. O(p x levels). */
int tmap_c_write_hierarchy(FILE *out, const struct tmap_hierarchy_view *view,
			   struct tmap_error *err);

#endif
