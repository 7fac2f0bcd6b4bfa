/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rows.h - what a message carries, row by row.
 *
 *     a leader hands on what 4 ranks have for 3 others, unit s * p + d:
 *
 *         columns, as they are emitted          rows
 *         d     d+1   d+2                       d  d+1 d+2
 *         d+p   d+1+p d+2+p                     d+p d+1+p d+2+p
 *         ...                                   ...
 *         3 runs of 4 units, each with          4 runs of 3 units that follow one another
 *         a stride of p
 *
 * Units that follow one another are one piece of memory and one cell (cells.h); with a stride each is
 * one of its own. Sender and receiver turn the same runs, so that they agree on the order.
 */
#ifndef TMAP_MPI_RUN_EXECUTOR_ROWS_H
#define TMAP_MPI_RUN_EXECUTOR_ROWS_H

#include "core/schedule/collect.h"

/** Runs of one stride and one count that begin side by side become rows. O(runs + rows). */
int tmap_rows_turn(struct tmap_collection *messages, struct tmap_error *err);

#endif
