/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flux.h - where Flux puts the tasks: flux run -N NODES with -n, -c, -x, --tasks-per-node,
 * --tasks-per-core, --cores, --taskmap, -o cpu-affinity.
 *
 * All nodes of the machine are the allocation. Tasks are counted first, then numbered, then bound:
 *
 *     count     one for each node in turn                     5 tasks of 2 nodes: 3 and 2
 *               or so many for each node, or each of its allocated cores
 *     cores     -c of them for each task, the first ones of a node; or a part of --cores; with -x,
 *               and where tasks are counted by node or core without --cores, all of them
 *     number    block      0 1 2 | 3 4          cyclic:N  N of each node in turn
 *               cyclic     0 2 4 | 1 3          manual    the node of each task is given
 *     bind      on         every task to all cores of its node that are allocated
 *               per-task   these cores in equal parts, which share cores where tasks are more
 *               map        the k-th task of each node to the k-th set, and again from the first
 *               off        not at all
 *
 * Sources: flux-core 0.88, its manual pages flux-run(1) and flux-shell-options(7), and what it did
 * when it was asked (tests/policies/flux.sh); hwloc_distrib() of hwloc 2. Its own scheduler chooses
 * the cores; another one may choose others for a job that does not take all of them.
 */
#ifndef TMAP_CORE_PLACE_FLUX_H
#define TMAP_CORE_PLACE_FLUX_H

#include "core/machine/placement.h"

enum tmap_flux_affinity {
	TMAP_FLUX_ON,
	TMAP_FLUX_OFF,
	TMAP_FLUX_PER_TASK,
	TMAP_FLUX_MAP,
};

struct tmap_flux_request {
	int ranks;            /**< TMAP_NONE: as many as fit, the same number on each node */
	int tasks_per_node;   /**< 0: not given */
	int tasks_per_core;   /**< 0: not given */
	int cores;            /**< of all nodes together; 0: not given */
	int cores_per_task;   /**< 0: not given, one */
	bool exclusive;       /**< all cores of the nodes are the job's */
	int stride;           /**< of cyclic task maps; 0: block */
	const int *task_node; /**< [task_count] of a manual task map or a hostfile: the node of each
				   task, from 0; NULL: none is given */
	int task_count;
	bool is_repeated; /**< and again from the first, as far as there are tasks: a hostfile, whose
			       hosts that are no nodes are TMAP_NONE and not to be reached */
	enum tmap_flux_affinity affinity;
	const struct tmap_idset *map; /**< [map_count] PUs by the system's indexes */
	int map_count;
};

#define TMAP_FLUX_REQUEST_INIT \
	{ \
		.ranks = TMAP_NONE \
	}

/** Read "block", "cyclic" or "cyclic:N" into the request. */
int tmap_flux_parse_taskmap(struct tmap_flux_request *request, const char *text,
			    struct tmap_error *err);

/** *p = the placement. Refuses what flux run refuses, with the reason, and nodes with different
 *  numbers of cores under exclusive. O(p + N) beside O(cores) for each kind of node and number of
 *  tasks on one. */
int tmap_flux_place(struct tmap_placement *p, struct tmap_machine *machine,
		    const struct tmap_flux_request *request, struct tmap_error *err);

#endif
