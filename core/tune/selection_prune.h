/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * selection_prune.h - a selection file without the tests that are decided above them.
 *
 *     comm_size<=4                       comm_size<=4
 *         comm_size<=8                       avg_msg_size<=32768
 *             avg_msg_size<=32768                algorithm=A
 *                 algorithm=A                comm_size=any
 *             comm_size=any                      algorithm=B
 *                 algorithm=B
 *         comm_size=any
 *             algorithm=C
 *
 * A test that all calls pass that come to it gives its place to what is below it, or, behind others, is
 * comm_size=any and the last of its level; one that none passes is left out.
 */
#ifndef TMAP_CORE_TUNE_SELECTION_PRUNE_H
#define TMAP_CORE_TUNE_SELECTION_PRUNE_H

#include "core/tune/selection.h"

/** *pruned = a tree that selects the same for all calls. O(nodes) adds. */
int tmap_selection_prune(struct tmap_selection *pruned, const struct tmap_selection *selection,
			 struct tmap_error *err);

#endif
