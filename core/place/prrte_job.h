/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * prrte_job.h - what the steps of prrte.h share; private to them.
 *
 *     prrte_words.c   read the options
 *     prrte_node.c    what happens on a node: cpus are counted and taken
 *     prrte_map.c     which node and object each process is mapped to
 *     prrte.c         decide what the options leave open; number the ranks
 *
 * What has happened on a node so far is a moment, and moments are a tree: nodes that are alike and
 * that were treated alike are at the same one, so a thousand nodes are worked out once.
 *
 *     start ── visited ── 8 cpus seen ── process bound to core 0 ── to core 1      nodes 0 to 998
 *                                                               └── visited ...    node 999
 */
#ifndef TMAP_CORE_PLACE_PRRTE_JOB_H
#define TMAP_CORE_PLACE_PRRTE_JOB_H

#include "core/place/prrte.h"

/** What happens on a node. Those from TMAP_PRRTE_UNBOUND on make a process. */
enum tmap_prrte_event {
	TMAP_PRRTE_START,
	TMAP_PRRTE_NEXT,     /**< another program begins: all that is left may be taken again */
	TMAP_PRRTE_VISIT,    /**< it is the node's turn: what it has now is the job's */
	TMAP_PRRTE_COUNT,    /**< the cpus of an object; the result is their number */
	TMAP_PRRTE_TAKE_ALL, /**< what is the job's may be bound to */
	TMAP_PRRTE_UNBOUND,
	TMAP_PRRTE_BIND,         /**< to an object with a free cpu, or it fails */
	TMAP_PRRTE_BIND_IF_FREE, /**< to such an object, or to none */
	TMAP_PRRTE_BIND_CPUS,    /**< to as many cpus as PE asks for */
	TMAP_PRRTE_BIND_LIST,    /**< to those of the list; the object is its first one's number */
};

/** Why a process could not be bound: results below TMAP_NONE. */
enum tmap_prrte_failure {
	TMAP_PRRTE_NO_OBJECT = -6,   /**< the node has none of the binding level */
	TMAP_PRRTE_NO_CPU = -2,      /**< no cpu is left */
	TMAP_PRRTE_ACROSS = -3,      /**< no package alone has them */
	TMAP_PRRTE_LIST_ACROSS = -4, /**< the list's cpus are on several packages */
	TMAP_PRRTE_NO_SUCH_CPU = -5, /**< a number of the list is too large */
	TMAP_PRRTE_AT_MOST = -7,     /**< the node has as many processes as max_slots allows */
	TMAP_PRRTE_FULL = -8,        /**< no slot of the node is left */
};

struct tmap_prrte_moment {
	int before;         /**< the moment before; TMAP_NONE for the first */
	int after, sibling; /**< first moment after it, next one after the one before; TMAP_NONE */
	enum tmap_prrte_event event;
	int object; /**< of the mapping level, TMAP_NONE: the whole node */
	int result; /**< of processes: the binding */
	int plan;   /**< of nodes that end here (prrte.c), or TMAP_NONE */
};

/** PUs from first_pu on, before end_pu; of these only those that are allowed count. */
struct tmap_prrte_span {
	int first_pu, end_pu;
};

struct tmap_prrte_spans {
	int count;
	struct tmap_prrte_span *at;
};

/** What processes of a kind of node are bound to. */
struct tmap_prrte_binding {
	struct tmap_idset pus;
	int place; /**< TMAP_NONE: not made yet */
};

/** One kind of node. */
struct tmap_prrte_kind {
	const struct tmap_topology *topo;
	int pus; /**< that may be used */
	struct tmap_prrte_spans map, bind, core, package;
	int *core_of;   /**< [PUs] index in core, TMAP_NONE */
	int *bind_from; /**< [PUs] the first in bind that ends behind the PU; bind.count */

	int moment_count;
	struct tmap_prrte_moment *moment;
	size_t moment_capacity;

	/* How it is at moment @p now: for each PU, may it still be taken, is it the job's, may it
	 * be bound to, may it be taken again when all are. */
	int now;
	unsigned char *free, *job, *target, *again;
	struct tmap_prrte_span targeted; /**< target[] is 0 elsewhere */

	int binding_count;
	struct tmap_prrte_binding *binding;
	size_t binding_capacity;
	int *binding_of; /**< [bind.count] TMAP_NONE: not made yet */
	int unbound;
};

struct tmap_prrte_node {
	int kind, slots;
	int most;   /**< processes that it may have when its turn comes, TMAP_NONE: any number */
	int open;   /**< slots that the program may take, as it began */
	int used;   /**< processes */
	int moment; /**< of its kind */
	bool mapped;
};

struct tmap_prrte_job {
	const struct tmap_machine *machine;
	struct tmap_prrte_request rq; /**< with every default decided */
	bool hwthreads;               /**< cpus are PUs */
	bool maps_as_it_binds;        /**< by the object of --bind-to, without --map-by */
	enum tmap_type cpu_type;      /**< what "core" stands for */
	enum tmap_type bind_object; /**< what is bound to; ORDERED leaves it as it was without it */
	bool required;              /**< a process that finds no cpu is an error */
	int cpus_each;
	int ranks;                    /**< of all programs */
	struct tmap_program *program; /**< [program_count] with their ranks decided */
	int program_count;
	int *sequence;      /**< [ranks] with seq, the node of each rank; else NULL */
	int sequence_count; /**< ranks that have theirs */
	int share;          /**< processes that a node shall get, as the mappers hand it on */
	struct tmap_prrte_kind *kind; /**< [topologies] */
	struct tmap_prrte_node *node; /**< [nodes] */
	int *used;                    /**< [used_count] nodes in the order of their first process */
	int used_count;
	enum tmap_prrte_failure failure; /**< of the last process that could not be bound, or 0 */
	int failed_node;
};

/** The kind's objects of both levels, and its first moment. */
int tmap_prrte_kind_init(struct tmap_prrte_kind *kind, const struct tmap_topology *topo,
			 const struct tmap_prrte_job *job, struct tmap_error *err);
void tmap_prrte_kind_fini(struct tmap_prrte_kind *kind);

/** The objects of a type that may be used, and between them those without PUs that hwloc keeps, as
 *  far as it is known where they stand, or else behind them: with overload-allowed a process is
 *  mapped to the first one, and finds no cpu. The whole node for TMAP_NODE. */
int tmap_prrte_spans_init(struct tmap_prrte_spans *spans, const struct tmap_topology *topo,
			  enum tmap_type type, struct tmap_error *err);

/** The cores that may be used. */
int tmap_prrte_cores_init(struct tmap_prrte_spans *cores, const struct tmap_topology *topo,
			  struct tmap_error *err);

/** Let it happen on the node. *result is a number of cpus, a binding, or a failure, which changes
 *  nothing. */
int tmap_prrte_happen(struct tmap_prrte_job *job, int node, enum tmap_prrte_event event, int object,
		      int *result, struct tmap_error *err);

/** Map all processes: job->node, job->used and job->share. */
int tmap_prrte_map(struct tmap_prrte_job *job, struct tmap_error *err);

/** Number @p index of the list of cpus, which may be the first of a range, and how many there
 *  are. */
int tmap_prrte_list_first(const char *list, int index);
int tmap_prrte_list_count(const char *list);

/** The word for objects of a level, as the user said it. */
const char *tmap_prrte_name(const struct tmap_prrte_job *job, enum tmap_type type);

#endif
