/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program_lines.h - the programs of a job that has several, as they stand between the colons of
 * mpirun's line.
 *
 *     mpirun --map-by node -n 4 ./ocean : -n 8 --host b:8 ./air --fine
 *
 *     -n 4 ./ocean                     ranks 4, "./ocean"
 *     -n 8 --host b:8 ./air --fine     ranks 8, hosts "b:8", "./air"
 */
#ifndef TMAP_FORMATS_LAUNCHERS_COMMON_PROGRAM_LINES_H
#define TMAP_FORMATS_LAUNCHERS_COMMON_PROGRAM_LINES_H

#include "core/machine/placement.h"

/** NULL for what is not given. */
struct tmap_program_line {
	int ranks; /**< or TMAP_NONE */
	char *hosts, *hostfile;
	char *name; /**< fit for a setting; NULL: there is no program behind the options */
};

/** *lines = one for each of @p count texts; the caller's. Options have one hyphen or two, and "="
 *  or a blank before their value. TMAP_USAGE with the number of the text, from 0, where one has other
 *  options than -n and hosts before the program: what mpirun has one of for all, and what is not
 *  imitated. */
int tmap_program_lines_parse(struct tmap_program_line **lines, const char *const *texts, int count,
			     struct tmap_error *err);

void tmap_program_lines_free(struct tmap_program_line *lines, int count);

/** Move the names into the placement's settings, which are the programs'; a single program is made
 *  one. */
int tmap_program_lines_name(struct tmap_placement *p, struct tmap_program_line *lines, int count,
			    struct tmap_error *err);

#endif
