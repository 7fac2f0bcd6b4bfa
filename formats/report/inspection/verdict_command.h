/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * verdict_command.h - the commands that a verdict names, of the same job as it was asked of.
 *
 *     "    topomap inspect --lint --comm 0-15 job.json  # reasons and fixes"
 */
#ifndef TMAP_FORMATS_REPORT_INSPECTION_VERDICT_COMMAND_H
#define TMAP_FORMATS_REPORT_INSPECTION_VERDICT_COMMAND_H

#include "core/base/error.h"
#include "core/lint/job_command.h"

/** The line for @p command ("inspect --lint"), with @p remark unless that is NULL; the caller's to
 *  free. Names of the user may make it wider than a screen. */
char *tmap_verdict_command_print(const char *command, const struct tmap_job_words *words,
				 const char *remark, struct tmap_error *err);

#endif
