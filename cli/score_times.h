/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * score_times.h - topomap score --times: what topomap-bench measured, beside what is predicted.
 *
 *     --times a.json --times b.json              launches of one job: each collective, each root
 *     --times two.json --times four.json --sweep a map, of one collective and root
 */
#ifndef TMAP_CLI_SCORE_TIMES_H
#define TMAP_CLI_SCORE_TIMES_H

#include "options/opt.h"

/** What the command line says; strings are NULL, and numbers TMAP_NONE, where it does not. */
struct tmap_score_times {
	const char *input, *output, *profile, *adapters;
	const struct tmap_opt_list *files;
	int collective; /**< TMAP_NONE: all */
	int64_t bytes;
	int root; /**< of the collective */
	int format, plot;
	bool is_map;
};

/** Read, compare or map, and write. */
int tmap_score_times_run(const struct tmap_score_times *args, struct tmap_error *err);

#endif
