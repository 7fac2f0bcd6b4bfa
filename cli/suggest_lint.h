/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * suggest_lint.h - --lint FILE of topomap suggest-rankfile.
 */
#ifndef TMAP_CLI_SUGGEST_LINT_H
#define TMAP_CLI_SUGGEST_LINT_H

#include "core/base/error.h"

/** Check the file @p path of row @p launcher (TMAP_NONE: of the job's) and write what is found, as
 *  text or JSON. @p job is a placement document, or a machine as topomap place takes it; NULL: not
 *  known. TMAP_FINDINGS where there are findings. */
int tmap_suggest_lint(const char *path, int launcher, const char *job, int format,
		      const char *output, struct tmap_error *err);

#endif
