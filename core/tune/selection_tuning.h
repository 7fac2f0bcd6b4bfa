/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * selection_tuning.h - what a search has found, as a selection file of MPICH, and what such a file does on
 * the communicators of a job.
 */
#ifndef TMAP_CORE_TUNE_SELECTION_TUNING_H
#define TMAP_CORE_TUNE_SELECTION_TUNING_H

#include "core/tune/selection.h"
#include "core/tune/tuning.h"

/** A whole tree: what the search says for communicators of its sizes, else what the library has. Where its
 *  steps begin beyond 2 GiB, as the library counts, which it cannot read, it stays as it is. */
int tmap_selection_init(struct tmap_selection *selection, const struct tmap_tuning *tuning,
			struct tmap_error *err);

/** What a tree selects on each of the places at sizes up to @p most, as rules in the units of
 *  rule_collectives.h, with numbers of mpich_algorithms.h and the lines of the tree. Algorithm 0 where the
 *  library composes; a number that no algorithm has where there is none. O(nodes) walks a place. */
int tmap_selection_rules(struct tmap_rule_file *rules, const struct tmap_selection *selection,
			 int library, const struct tmap_tune_places *places, int64_t most,
			 struct tmap_error *err);

#endif
