/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * placement_lint.h - what is wrong with the places that a launcher's file gives the ranks.
 *
 *     n0:2 binding=user:0,0      overlap       both have P0
 *     n0:2 binding=user:0,1      shared-core   P0 and P1 are threads of one core
 */
#ifndef TMAP_FORMATS_LAUNCHERS_PLACEMENT_LINT_H
#define TMAP_FORMATS_LAUNCHERS_PLACEMENT_LINT_H

#include "core/machine/placement.h"
#include "formats/launchers/common/file_findings.h"

/** Add a finding for the bound ranks that get hardware threads of others, and one for those that
 *  only share cores. Ranks with the same set do so if they are more than it has cores, as in
 *  core/machine/overlap.h. O(p + N + PUs of all ranks). */
int tmap_placement_lint(struct tmap_file_findings *findings, const struct tmap_placement *p,
			struct tmap_error *err);

#endif
