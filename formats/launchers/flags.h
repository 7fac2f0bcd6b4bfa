/*
 * flags.h - a job without a file: options of the launcher whose own policy gives every rank the
 * same place.
 *
 *     mpirun -np 32 --map-by node --bind-to core PROGRAM
 *     srun -N 4 -n 32 --distribution=cyclic:block --cpu-bind=cores PROGRAM
 *     mpiexec.hydra -ppn 8 -n 32 -bind-to core -map-by socket PROGRAM
 *
 * Found by trying: the policies (core/policies) are asked for one combination of words after the
 * other, the simplest first, until one gives the job. In a job of many ranks they are asked for
 * its first nodes, and for all of it only if that fits.
 */
#ifndef TMAP_FORMATS_LAUNCHERS_FLAGS_H
#define TMAP_FORMATS_LAUNCHERS_FLAGS_H

#include "formats/launchers/common/launcher.h"

/** *line = the command line, the caller's to free; NULL where the launcher has no such words. The
 *  job has all nodes of its machine, with a slot for each core. O(combinations x p). */
int tmap_launch_find_flags(char **line, const struct tmap_launch *job, struct tmap_error *err);

#endif
