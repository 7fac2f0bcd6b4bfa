/*
 * advice.h - what the user should know beside the command line, for people.
 */
#ifndef TM_ADVICE_H
#define TM_ADVICE_H

#include "formats/launchers/launcher.h"

/** The launcher's note on this job, and the options that give the same job without a file (flags.h),
 *  if there are such; a few lines, or "". The caller's to free. */
char *tm_launch_advice(const struct tm_launch *job, struct tm_error *err);

#endif
