/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * job_command.h - commands of topomap that fixes and verdicts name, of the same job as they are asked
 * of, so that they can be run as they stand.
 *
 *     topomap lanes --fix              what is said
 *      --comm 0-15 job.json            what is put behind it
 */
#ifndef TMAP_CORE_LINT_JOB_COMMAND_H
#define TMAP_CORE_LINT_JOB_COMMAND_H

#include "core/base/string.h"

/** What commands call a job that was read from standard input, which cannot be read again. */
#define TMAP_JOB_OF_STDIN "JOB.json"

/** How the job was asked of, each as a shell reads it; NULL: not. Without a job it is "JOB". */
struct tmap_job_words {
	const char *job, *comm, *adapters, *library, *profile;
};

/** Put the words behind a command of topomap, those options that it takes and the job. @p command
 *  begins with its name, behind which there may be a blank and more. @p words NULL: none. */
void tmap_job_command_end(struct tmap_str *str, const char *command,
			  const struct tmap_job_words *words);

#endif
