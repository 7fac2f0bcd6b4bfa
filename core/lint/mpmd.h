/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpmd.h - the programs of a job that has several (MPMD), and which ranks run each.
 *
 *     mpirun -n 4 ocean : -n 8 air        part 0   "ocean"   ranks 0-3
 *                                         part 1   "air"     ranks 4-11
 *
 * A part is a command of the launch: ranks whose environment alone differs are of one. Programs of
 * the same name are told apart by the number of their command.
 */
#ifndef TMAP_CORE_LINT_MPMD_H
#define TMAP_CORE_LINT_MPMD_H

#include "core/base/string.h"
#include "core/machine/placement.h"

struct tmap_mpmd_part {
	const struct tmap_setting *setting; /**< one of its ranks'; borrowed from the placement */
	int ranks;
	bool is_numbered; /**< another part has the same program: its name ends in its number */
};

struct tmap_mpmd {
	int count;                   /**< 0 where the placement names no programs, or one */
	struct tmap_mpmd_part *part; /**< [count], in the order of the commands */
	int *of_setting;             /**< [setting_count]; NULL where count is 0 */
};

/** O(p + s log s) over s settings. The placement must outlive it. */
int tmap_mpmd_init(struct tmap_mpmd *parts, const struct tmap_placement *p, struct tmap_error *err);
void tmap_mpmd_fini(struct tmap_mpmd *parts);

/** The part of a rank of that placement; 0 where count is 0. O(1). */
int tmap_mpmd_of(const struct tmap_mpmd *parts, const struct tmap_placement *p, int rank);

/** Add "ocean", "program 1", "ocean (program 0)": numbers are those of the launch, from 0. */
void tmap_mpmd_add_name(struct tmap_str *str, const struct tmap_mpmd_part *part);

#endif
