/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * slurm.h - where Slurm's srun puts the tasks: --distribution, --cpu-bind, -c.
 *
 * First level, tasks over nodes; every node gets its share in turn until its CPUs are
 * taken, whatever the numbering:
 *
 *     block       0 1 2 | 3 4 5     each node's tasks follow one another
 *     cyclic      0 2 4 | 1 3 5     one of each node in turn
 *     plane=2     0 1 4 | 2 3 5     two of each node in turn
 *     block,Pack  0 1 2 3 | 4 5     one for each node, then node after node is filled
 *
 * Second level, the tasks of a node over its sockets, which counts where tasks are bound:
 *
 *     block       socket after socket                  plane has this
 *     cyclic      the next task on the next socket     by default
 *     fcyclic     even the CPUs of one task on different sockets
 *
 * map_cpu, mask_cpu, map_ldom and mask_ldom bind the tasks of each node by their number there, to CPUs
 * that the step has: srun refuses a list with any other.
 *
 * A third level is read; Slurm (task/affinity, 22.05 and 24.11) does not look at it when it binds.
 * A CPU is a hardware thread. Slurm describes a node as sockets x cores x threads, so
 * nodes whose sockets or cores differ are refused.
 */
#ifndef TMAP_CORE_PLACE_SLURM_H
#define TMAP_CORE_PLACE_SLURM_H

#include "core/base/keyword.h"
#include "core/machine/placement.h"

/** What tasks are bound to, --cpu-bind: one of the first two, or the objects of a type, which is
 *  TMAP_SLURM_OBJECTS + type. */
enum tmap_slurm_bind {
	TMAP_SLURM_AUTO, /**< sockets, cores or threads, where a node's tasks take as many CPUs
				  as they have of them; else none */
	TMAP_SLURM_NONE,
	TMAP_SLURM_OBJECTS,
	TMAP_SLURM_THREADS = TMAP_SLURM_OBJECTS + TMAP_PU,
	TMAP_SLURM_CORES = TMAP_SLURM_OBJECTS + TMAP_CORE,
	TMAP_SLURM_SOCKETS = TMAP_SLURM_OBJECTS + TMAP_PACKAGE,
	TMAP_SLURM_LDOMS = TMAP_SLURM_OBJECTS + TMAP_NUMA,
};

/** Which cores a node's tasks get with -c; the rest is the same in both. Slurm changed in 23.02.5.
 *
 *      -c 3, two threads a core, 3 tasks     cores for all     cyclic: next to each other
 *      22.05                                 3 x 2             6 / 3, rounded down
 *      23.11                                 9 / 2 = 5         5 / 3 = 2, rounded up
 *
 *  Tasks that do not fit node by node, as 4 of 3 CPUs on 2 nodes of 5, 23.11 refuses. */
enum tmap_slurm_release { TMAP_SLURM_22_05, TMAP_SLURM_23_11 };

/** The distributions of the second level, in the order of the enum. */
enum tmap_slurm_level { TMAP_SLURM_BLOCK, TMAP_SLURM_CYCLIC, TMAP_SLURM_FCYCLIC };

/** The words of --cpu-bind, and what row @p word of them stands for. */
extern const struct tmap_keywords tmap_slurm_bind_words;
enum tmap_slurm_bind tmap_slurm_bind_at(int word);

struct tmap_slurm_request {
	enum tmap_slurm_release release;
	int ranks;         /**< TMAP_NONE: as many as fit with one CPU of a core each */
	int cpus_per_task; /**< at least 1 */
	bool exact;        /**< -c was given: a node's tasks get the cores that they need, picked as
				  the second level has; else all cores of the node are theirs */
	bool cyclic;       /**< first level: cyclic, not block */
	bool pack;         /**< block: fill node after node */
	int plane;         /**< first level: planes of so many tasks; 0: not */
	enum tmap_slurm_level sockets; /**< second level */
	enum tmap_slurm_bind bind;
	/** [listed] in place of that: OS indexes of CPUs, or of NUMA nodes, for the tasks of each node
	 *  by their number there, and the first again after the last; NULL: there is no list.
	 *  Borrowed. */
	const struct tmap_idset *list;
	int listed;
	bool is_of_ldoms;
};

#define TMAP_SLURM_REQUEST_INIT \
	{ \
		.ranks = TMAP_NONE, .cpus_per_task = 1, .sockets = TMAP_SLURM_CYCLIC, \
		.bind = TMAP_SLURM_CORES \
	}

/** Read the value of --distribution into the request: "block:cyclic", "plane=4", "*:fcyclic",
 *  "block,Pack". */
int tmap_slurm_parse_distribution(struct tmap_slurm_request *request, const char *text,
				  struct tmap_error *err);

/** *p = the placement. Refuses more tasks than CPUs, nodes that Slurm cannot describe, and lists of what
 *  a node has not.
 *  O(p + N) beside O(q x CPUs) for each kind of node and number q of tasks on one. */
int tmap_slurm_place(struct tmap_placement *p, struct tmap_machine *machine,
		     const struct tmap_slurm_request *request, struct tmap_error *err);

#endif
