/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * structure.h - a tree or a ring of a job and the baselines that it is compared with: all that
 * `topomap tree` and `topomap ring` do but for their options.
 */
#ifndef TMAP_CLI_BASE_STRUCTURE_H
#define TMAP_CLI_BASE_STRUCTURE_H

#include "cli/base/baseline_options.h"
#include "cli/base/writers.h"

/** The options of both commands; a command's args begin with it. */
struct tmap_structure_args {
	struct tmap_subject_args job;
	struct tmap_opt_list against;
	bool accesses;
	const char *output;
	int fold, format;
};

/** Build the tree from @p root, or the ring where that is TMAP_NONE, and write it. */
int tmap_structure_run(const struct tmap_structure_args *args, int root, struct tmap_error *err);

#endif
