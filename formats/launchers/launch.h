/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * launch.h - a mapping written for a launcher.
 *
 *     struct tmap_launch job = { 0 };
 *
 *     if (tmap_launch_init(&job, launcher, &after, &before, place_of, path, err) == 0 &&
 *         tmap_launch_check(&job, err) == 0 && tmap_launch_write(&job, path, err) == 0)
 *             line = tmap_launch_command(&job, err);      "mpirun -np 8 --rankfile F PROGRAM"
 *     tmap_launch_fini(&job);
 */
#ifndef TMAP_FORMATS_LAUNCHERS_LAUNCH_H
#define TMAP_FORMATS_LAUNCHERS_LAUNCH_H

#include "formats/launchers/launchers.h"

/** A job for row @p launcher; see struct tmap_launch. @p path is where its first file will be, "-"
 *  if that has no name. O(p + N). */
int tmap_launch_init(struct tmap_launch *job, int launcher, const struct tmap_placement *p,
		     const struct tmap_placement *before, const int *place_of, const char *path,
		     struct tmap_error *err);
void tmap_launch_fini(struct tmap_launch *job);

/** Can the launcher express this job? TMAP_INPUT if not, with a launcher that can, if there is
 *  one. */
int tmap_launch_check(const struct tmap_launch *job, struct tmap_error *err);

/** Files that the launcher needs for this job: 1, or 2. */
int tmap_launch_count_files(const struct tmap_launch *job);

/** Write the launcher's file to @p path ("-": standard output), and where the job needs further
 *  ones, those beside it ("NAME.sh"): all of them whole, or none. TMAP_USAGE where several have no
 *  name. Call tmap_launch_check() before. O(p). */
int tmap_launch_write(const struct tmap_launch *job, const char *path, struct tmap_error *err);

/** The launcher's note on this job, and the options that give the same job without a file
 *  (without_file.h), if there are such; a few lines for people, or "". The caller's to free. */
char *tmap_launch_advice(const struct tmap_launch *job, struct tmap_error *err);

#endif
