/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tune_times.h - topomap tune --times: what was measured on the communicators of a job.
 *
 *     --times all-1.json --times all-2.json --times node.json
 *
 *     all-1 + all-2    16 ranks: two launches
 *     node              4 ranks of a node
 */
#ifndef TMAP_CLI_TUNE_TIMES_H
#define TMAP_CLI_TUNE_TIMES_H

#include "core/tune/tune_places.h"
#include "options/opt.h"

#include <stdio.h>

/** Documents of ranks in the same places are launches of one. */
struct tmap_tune_documents {
	int count;
	struct tmap_times *times; /**< [count] */
	const char **path;        /**< [count]: of the first launch, borrowed */
};

int tmap_tune_documents_read(struct tmap_tune_documents *documents,
			     const struct tmap_opt_list *paths, struct tmap_error *err);
void tmap_tune_documents_fini(struct tmap_tune_documents *documents);

/** The placement that has the most ranks, the first of them; NULL: there are no documents. */
struct tmap_placement *tmap_tune_documents_job(const struct tmap_tune_documents *documents);

/** Communicators get theirs (tmap_tune_places_measure()). */
int tmap_tune_documents_give(const struct tmap_tune_documents *documents,
			     struct tmap_tune_places *places, int library, struct tmap_error *err);

/** A line each of what is to be known of the times (formats/report/times/times_caveats.h). */
int tmap_tune_documents_write_caveats(FILE *out, const struct tmap_tune_documents *documents,
				      struct tmap_error *err);

#endif
