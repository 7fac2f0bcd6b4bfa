/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tune_lint.h - topomap tune --lint: judge a rule file that there is.
 */
#ifndef TMAP_CLI_TUNE_LINT_H
#define TMAP_CLI_TUNE_LINT_H

#include "core/base/error.h"
#include "options/opt.h"

#include <stdint.h>

struct tmap_tune_lint {
	const char *rules, *output;
	const char *input;                 /**< the placement; NULL: none */
	const struct tmap_opt_list *times; /**< documents of measured times, the placement where there
						is no other */
	const char *profile, *adapters;    /**< as the options have them */
	int library;  /**< row of tmap_libraries; TMAP_NONE: that of the record or placement */
	int format;   /**< text or JSON */
	int64_t most; /**< the largest size that is timed; TMAP_NONE: that of the record, or 4 MiB */
};

/** Write the mistakes. TMAP_FINDINGS where there are some. */
int tmap_tune_lint(const struct tmap_tune_lint *lint, struct tmap_error *err);

#endif
