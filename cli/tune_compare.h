/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tune_compare.h - topomap tune --compare: what two rule files make the library do, or one and none.
 */
#ifndef TMAP_CLI_TUNE_COMPARE_H
#define TMAP_CLI_TUNE_COMPARE_H

#include "core/tune/tune_places.h"
#include "formats/base/progress_line.h"
#include "options/opt.h"

struct tmap_tune_compare {
	const struct tmap_opt_list *rules; /**< one or two files */
	const char *output;
	uint64_t collectives;            /**< bit i: that of enum tmap_collective; 0: all */
	int library;                     /**< row of tmap_libraries */
	int format;                      /**< text, CSV or JSON */
	int64_t most;                    /**< the largest size that is timed */
	struct tmap_progress_line *line; /**< until something is written */
};

/** Read them and write where they differ on the communicators of the places. */
int tmap_tune_compare(const struct tmap_tune_compare *compare,
		      const struct tmap_tune_places *places, struct tmap_error *err);

#endif
