/*
 * advice.h - what the user should know beside the command line, for people.
 */
#ifndef TMAP_FORMATS_LAUNCHERS_ADVICE_H
#define TMAP_FORMATS_LAUNCHERS_ADVICE_H

#include "formats/launchers/launcher.h"

/** The launcher's note on this job, and the options that give the same job without a file (flags.h),
 *  if there are such; a few lines, or "". The caller's to free. */
char *tmap_launch_advice(const struct tmap_launch *job, struct tmap_error *err);

#endif
