/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text_verdict.h - the verdict in at most ten lines of 80 columns, with the commands that go deeper.
 *
 *     Bound well: 32 ranks on 4 nodes, each to core; no core is idle or shared.
 *         topomap inspect --table job.json
 *     Order fits: block, for Open MPI 4.1 (no library is named). No other order or
 *     option is 1.5 times as fast by the published profile summit, not measured here.
 *         topomap score -c allgather -b 64KiB job.json
 */
#ifndef TMAP_FORMATS_REPORT_INSPECTION_TEXT_VERDICT_H
#define TMAP_FORMATS_REPORT_INSPECTION_TEXT_VERDICT_H

#include "core/lint/verdict.h"

#include <stdio.h>

/** What the commands that are printed name again; NULL: nothing. */
struct tmap_verdict_words {
	const char *job; /**< NULL: standard input */
	const char *comm, *library, *profile;
};

/** The lines. Only a command with long names may be wider. */
int tmap_text_write_verdict(FILE *out, const struct tmap_verdict *verdict,
			    const struct tmap_verdict_words *words, struct tmap_error *err);

#endif
