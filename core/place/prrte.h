/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * prrte.h - where Open MPI 5 (PRRTE 3.0) puts the ranks: --map-by, --rank-by, --bind-to.
 *
 * Mapping and binding are one step: each process takes its cpus when it is mapped, and what one
 * has taken is gone for the next. Then the processes get their numbers:
 *
 *   map    slot: node after node until its slots are taken; node: equally many on each node;
 *          an object: one on each in turn until the node's slots are taken, and with SPAN
 *          one on each of all nodes in turn; ppr:N:OBJECT: N on each
 *   bind   to the first object of the binding level, inside of what the process is mapped to,
 *          that still has a free cpu, and one cpu of it is taken; with PE=N to N free cpus
 *   rank   slot  in the order of mapping, node after node          0 1 2 3 | 4 5 6 7
 *          node  one of each node in turn                          0 2 4 6 | 1 3 5 7
 *          fill  node by node, all of an object, then the next     0 1 | 2 3   4 5 | 6 7
 *          span  over all nodes, one of each object in turn        0 4 | 1 5   2 6 | 3 7
 *
 * A cpu is a core, or a hardware thread (HWTCPUS, hwthread). Only what the job may use counts, and
 * objects without an allowed PU that have memory or devices (struct tmap_topology.bare): these end
 * a node's turn, because they have no cpus.
 *
 * Several programs of one job (-n 4 A : -n 8 B) are mapped one after the other by the same words:
 * each takes the slots and cpus that those before it have left, on nodes of its own where it has
 * any. Then all processes are numbered together, so the ranks of a program need not follow each
 * other.
 *
 * seq maps each rank to the next node of a list, in which a node may stand again and again.
 * max_slots of a node is looked at when its turn comes, not for each process: with OVERSUBSCRIBE a
 * node may get more.
 *
 * Not the manual is imitated but what 3.0.8 does. Without --map-by it maps by core, however many
 * processes there are; without --bind-to it binds to the object that it maps to, by slot and
 * node to a core up to two processes and to a NUMA node from three on. No process is bound where
 * processes may outnumber slots, by slot on a node with more slots than cpus, and by node and
 * ppr:N:node on one that gets more processes than it has cpus (loses_binding() in prrte_map.c).
 */
#ifndef TMAP_CORE_PLACE_PRRTE_H
#define TMAP_CORE_PLACE_PRRTE_H

#include "core/machine/placement.h"
#include "core/place/program.h"

enum tmap_prrte_mapping {
	TMAP_PRRTE_MAP_DEFAULT,
	TMAP_PRRTE_MAP_SLOT,
	TMAP_PRRTE_MAP_NODE,
	TMAP_PRRTE_MAP_OBJECT,
	TMAP_PRRTE_MAP_PPR,
	TMAP_PRRTE_MAP_CPUS, /**< pe-list=0,2-3 */
	TMAP_PRRTE_MAP_SEQ   /**< rank after rank to the nodes of a list */
};

enum tmap_prrte_ranking {
	TMAP_PRRTE_RANK_DEFAULT, /**< as it is mapped: slot, node, fill for objects, span for SPAN */
	TMAP_PRRTE_RANK_SLOT,
	TMAP_PRRTE_RANK_NODE,
	TMAP_PRRTE_RANK_FILL,
	TMAP_PRRTE_RANK_SPAN
};

struct tmap_prrte_request {
	int ranks; /**< TMAP_NONE: as many as there are slots, or as ppr gives */
	const struct tmap_program *programs; /**< [program_count] NULL: there is one, and ranks are
						  its ranks */
	int program_count;
	int slots;             /**< of each node; TMAP_NONE: one for each core, or for each PU with
				    hwthread_slots */
	const int *node_slots; /**< [nodes] of each node, where they differ, TMAP_NONE: as above;
				    NULL: all are as above */
	const int *node_most;  /**< [nodes] max_slots of each node, TMAP_NONE: as many ranks as one
				    likes; NULL: of all */
	bool hwthread_slots;   /**< --use-hwthread-cpus: HWTCPUS, and slots are PUs */

	enum tmap_prrte_mapping map_by;
	enum tmap_type map_object; /**< of TMAP_PRRTE_MAP_OBJECT and PPR, there TMAP_NODE as well */
	int ppr;                   /**< processes for each object */
	int pe;                    /**< cpus for each process; 0: not given */
	const char *cpus;          /**< the list of pe-list, up to a colon or the end */
	const char *file;          /**< of seq:file=, up to a colon or the end; NULL: not given */
	bool span, oversubscribe, nolocal, hwtcpus, corecpus, ordered;
	bool names_pe; /**< the value of --map-by has "pe" in it */

	enum tmap_prrte_ranking rank_by;

	bool bind_given;
	enum tmap_type bind_to; /**< if it is given; TMAP_NODE: none */
	bool overload;          /**< more processes than cpus may be bound to an object */
	bool if_supported;      /**< a process that finds no cpu is not bound */
	bool names_cpu;         /**< the value of --bind-to has "core" or "hwt" in it */
};

#define TMAP_PRRTE_REQUEST_INIT \
	{ \
		.ranks = TMAP_NONE, .slots = TMAP_NONE \
	}

/** Read the value of the option into the request, which keeps pointers into it: "numa:PE=2:SPAN",
 *  "ppr:2:package", ":OVERSUBSCRIBE"; "fill"; "core:overload-allowed". Words may be cut down, run on
 *  and be written in any case, where mpirun allows it. "default" stands for leaving the option
 *  out. */
int tmap_prrte_parse_map_by(struct tmap_prrte_request *request, const char *text,
			    struct tmap_error *err);
int tmap_prrte_parse_rank_by(struct tmap_prrte_request *request, const char *text,
			     struct tmap_error *err);
int tmap_prrte_parse_bind_to(struct tmap_prrte_request *request, const char *text,
			     struct tmap_error *err);

/** *p = the placement; of several programs each is a setting with its number and without a name. Refuses what
 *  mpirun refuses, with the reason, and a job whose ranks it would not number one after the other. O(p + N)
 *  beside O(q x PUs) for each kind of node and number q of processes on one. */
int tmap_prrte_place(struct tmap_placement *p, struct tmap_machine *machine,
		     const struct tmap_prrte_request *request, struct tmap_error *err);

#endif
