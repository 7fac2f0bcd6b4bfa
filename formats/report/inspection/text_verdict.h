/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text_verdict.h - the verdict in at most ten lines of 80 columns, with the commands that go deeper.
 *
 *     Not bound well: 64 ranks on 4 nodes, each to 4 cores; 256 of 512 cores idle.
 *     error many-threads (all ranks): 8 threads on 4 PUs (OMP_NUM_THREADS of rank 0)
 *       fix: bind each rank to as many cores as it has threads (8): ...
 *         topomap inspect --lint job.json  # reasons and fixes; 1 hint
 *     Once that is mended, the order fits: block, for Open MPI 4.1. Predicted by the
 *     published profile summit; not measured here.
 *         topomap score -c allgather -b 64KiB job.json
 *
 * Findings get the lines that the rest leaves, and end in "..." where these are too few. Of a fix that
 * does not fit its first clauses are there, and the rest is left to the command.
 */
#ifndef TMAP_FORMATS_REPORT_INSPECTION_TEXT_VERDICT_H
#define TMAP_FORMATS_REPORT_INSPECTION_TEXT_VERDICT_H

#include "core/lint/verdict.h"

#include <stdio.h>

/** The lines. Only a command with long names may be wider. With @p lists_ranks a table of ranks follows,
 *  and no command asks for it. */
int tmap_text_write_verdict(FILE *out, const struct tmap_verdict *verdict, bool lists_ranks,
			    struct tmap_error *err);

#endif
