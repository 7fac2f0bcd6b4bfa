/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * suggest_findings.h - what a new order of the ranks leaves as it was, said so that no file carries it
 * over in silence.
 *
 *     This mapping keeps what no order of the ranks mends: many-threads (error), far-adapter
 *     (warning); fixes: topomap inspect --lint job.json
 */
#ifndef TMAP_CLI_SUGGEST_FINDINGS_H
#define TMAP_CLI_SUGGEST_FINDINGS_H

#include "core/machine/placement.h"

/** One line where the placement @p p has errors or warnings that are not about the order of its ranks;
 *  else "". They are judged as those of the job, by the origin with which it was @p launched. @p job is
 *  the file of the command that says more; NULL: @p p has other places than the file. The caller's.
 *  Takes what topomap inspect takes, without the orders. */
char *tmap_suggest_print_findings(const struct tmap_placement *p,
				  const struct tmap_origin *launched, const char *job,
				  struct tmap_error *err);

#endif
