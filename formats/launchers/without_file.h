/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * without_file.h - a job without a file: options of the launcher whose own policy gives every rank
 * the same place.
 *
 *     mpirun -np 32 --map-by node --bind-to core PROGRAM
 *
 * Found by trying: the launcher's policy (common/policy.h) imitates one combination of words after
 * the other, the simplest first, until one gives the job. For a job of many ranks that is first
 * done for its first nodes, and for all of it only if that fits.
 */
#ifndef TMAP_FORMATS_LAUNCHERS_WITHOUT_FILE_H
#define TMAP_FORMATS_LAUNCHERS_WITHOUT_FILE_H

#include "formats/launchers/common/launcher.h"

/** *line = the command line, the caller's to free; NULL where the launcher has no such words. The
 *  job has all nodes of its machine, with a slot for each core. O(combinations x p). */
int tmap_launch_without_file(char **line, const struct tmap_launch *job, struct tmap_error *err);

#endif
