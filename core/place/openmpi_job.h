/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * openmpi_job.h - what the steps of openmpi.h share; private to them.
 *
 *     openmpi_request.c   read the options, decide what they leave open
 *     openmpi_map.c       step 1: how many processes each node gets, and the objects of a level
 *     openmpi.c           steps 2 and 3, once for each kind of node and number of processes
 */
#ifndef TMAP_CORE_PLACE_OPENMPI_JOB_H
#define TMAP_CORE_PLACE_OPENMPI_JOB_H

#include "core/place/openmpi.h"

/** The part of a node's PUs that an object has: logical PUs, those not allowed among them. */
struct tmap_ompi_span {
	int first_pu, end_pu;
	int cpus;  /**< cores, or allowed PUs where hwthreads are cpus */
	int place; /**< of a process bound here; TMAP_NONE: not made yet */
};

/** The objects of one level that may be used, from left to right. */
struct tmap_ompi_objects {
	int count;
	bool is_apart; /**< no two share PUs, and those of each are right of those before; NUMA nodes may differ */
	struct tmap_ompi_span *at;
};

/** One kind of node. */
struct tmap_ompi_kind {
	int slots;
	int unbound; /**< place of a process that is not bound; TMAP_NONE: not made yet */
	bool has_cores;
	struct tmap_ompi_objects map, rank, bind; /**< objects of the three levels */
};

struct tmap_ompi_job {
	const struct tmap_machine *machine;
	struct tmap_ompi_request rq; /**< with every default decided */
	bool bind_given;             /**< by the user: then impossible binding is an error */
	bool rank_given;
	bool hwthread_slots;   /**< slots are PUs where nobody says how many there are */
	bool oversubscribed;   /**< some node has more processes than slots */
	int ranks;             /**< of all programs; while one is mapped, its own */
	int program_count;     /**< at least one */
	int *count;            /**< [nodes] processes of each node */
	int *share;            /**< [nodes][programs] of these, those of each program */
	int slots;             /**< of all nodes, where ranks are to be as many */
	int64_t pattern_ranks; /**< that ppr:N:OBJECT gives on all nodes, full ones, too: so many
				    has a program without a number of them */
	int *list; /**< [list_count] nodes of the program that is mapped, in its order */
	int list_count;
	int bookmark; /**< the node with which the program before began, or TMAP_NONE */
	int *used;    /**< [used_count] nodes in the order of their first process */
	int used_count;
	struct tmap_ompi_kind *kind; /**< [topologies] */
};

/** The objects of a level on a kind of node; the whole node where the level is node, slot or
 *  none. */
int tmap_ompi_objects_init(struct tmap_ompi_objects *objects, const struct tmap_topology *topo,
			   enum tmap_ompi_level level, bool hwthreads, struct tmap_error *err);

void tmap_ompi_objects_fini(struct tmap_ompi_objects *objects);

/** The slots of a node: none where the job may use no cpu of it. */
int tmap_ompi_slots(const struct tmap_ompi_job *job, int node);

/** Decide what the request leaves open and refuse what contradicts itself. */
int tmap_ompi_resolve(struct tmap_ompi_job *job, struct tmap_error *err);

/** The nodes have none of the objects that ppr:N:OBJECT counts. Returns -1. */
int tmap_ompi_refuse_ppr(const struct tmap_ompi_job *job, struct tmap_error *err);

/** Step 1: job->count, share, used, ranks and oversubscribed. A level that no node has is
 *  replaced by slots. */
int tmap_ompi_map(struct tmap_ompi_job *job, struct tmap_error *err);

/** The level's word, and the type of its objects; TMAP_NODE where it has none. */
const char *tmap_ompi_name(enum tmap_ompi_level level);
enum tmap_type tmap_ompi_type(enum tmap_ompi_level level);

#endif
