/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * openmpi.h - where Open MPI 4.1 puts the ranks: --map-by, --rank-by, --bind-to.
 *
 * Three steps, in the order of a real launch (rmaps/base and odls/base of 4.1):
 *
 *   map    how many processes each node gets, and the object each is mapped to: the j-th
 *          process of a node goes to its object j mod K (with ppr:N, to object j / N)
 *   rank   the processes get their numbers: node after node (slot), one of each node in
 *          turn (node), or object after object of a level, in one of three ways:
 *              as is  node by node, one of each object in turn      0 2 | 1 3   4 6 | 5 7
 *              SPAN   over all nodes, one of each object in turn    0 4 | 1 5   2 6 | 3 7
 *              FILL   node by node, all of an object, then the next 0 1 | 2 3   4 5 | 6 7
 *   bind   within the object that a process is mapped to, the object of the binding level
 *          with the fewest processes so far; or that very object where the levels agree
 *
 * Only what the job may use counts: objects without an allowed PU do not exist. A NUMA
 * object here is a NUMA node of the operating system (a memory), as it is for Open MPI,
 * so MCDRAM beside DRAM makes two over the same PUs.
 *
 * Several programs (-n 4 A : -n 8 B) are mapped one after the other, each to the slots that those
 * before it have left, beginning where the one before began, or at the next node with a slot; then
 * the ranks are numbered program by program, and bound together. Where programs are mapped to
 * objects and no node has a slot left, the rest of the job is mapped by slot.
 * max_slots keeps a node from a program only where those before it have more than so many
 * processes there.
 *
 * With --do-not-launch, mpirun ranks before it maps to objects once more; with SPAN and
 * more processes than objects it then shows another order than the one it launches.
 */
#ifndef TMAP_CORE_PLACE_OPENMPI_H
#define TMAP_CORE_PLACE_OPENMPI_H

#include "core/base/keyword.h"
#include "core/machine/placement.h"
#include "core/place/program.h"

/** What ranks are mapped, ranked or bound by: one of these, or the objects of a type, which is
 *  TMAP_OMPI_OBJECTS + type. */
enum tmap_ompi_level {
	TMAP_OMPI_DEFAULT,
	TMAP_OMPI_NONE,
	TMAP_OMPI_SLOT,
	TMAP_OMPI_NODE,
	TMAP_OMPI_PPR,
	TMAP_OMPI_BOARD,
	TMAP_OMPI_OBJECTS,
	TMAP_OMPI_CORE = TMAP_OMPI_OBJECTS + TMAP_CORE,
	TMAP_OMPI_L3 = TMAP_OMPI_OBJECTS + TMAP_L3,
	TMAP_OMPI_SOCKET = TMAP_OMPI_OBJECTS + TMAP_PACKAGE,
	TMAP_OMPI_NUMA = TMAP_OMPI_OBJECTS + TMAP_NUMA,
	TMAP_OMPI_HWTHREAD = TMAP_OMPI_OBJECTS + TMAP_PU,
};

enum tmap_ompi_ranking { TMAP_OMPI_CYCLE, TMAP_OMPI_SPAN, TMAP_OMPI_FILL };

struct tmap_ompi_request {
	int ranks;             /**< TMAP_NONE: as many as there are slots, or as ppr gives */
	int slots;             /**< of each node; TMAP_NONE: one for each core it may use, or for
				      each PU with hwthreads or where processes are bound to
				      hwthreads */
	const int *node_slots; /**< [nodes] of each node, where they differ, TMAP_NONE: as above;
				    NULL: all are as above */
	const int *node_most;  /**< [nodes] max_slots of each node, TMAP_NONE: none; NULL: of all */
	const struct tmap_program *programs; /**< [program_count] of their nodes nothing is used;
						  NULL: there is one, and ranks are its ranks */
	int program_count;
	bool hwthreads;               /**< hardware threads are cpus (--use-hwthread-cpus) */
	enum tmap_ompi_level map_by;  /**< TMAP_OMPI_DEFAULT: core up to two ranks, else numa */
	int ppr;                      /**< processes for each object of map_by; 0: no ppr */
	int pe;                       /**< cpus for each process; 0: not given */
	bool span;                    /**< over all nodes as if they were one */
	bool oversubscribe;           /**< more processes than slots are fine */
	enum tmap_ompi_level rank_by; /**< TMAP_OMPI_DEFAULT: as mapped */
	enum tmap_ompi_ranking ranking;
	bool bind_preset; /**< bind_to is the caller's, not the user's: what the user asks for goes
			       before it */
	enum tmap_ompi_level bind_to; /**< TMAP_OMPI_DEFAULT: as mapped; by slot, node and ppr core
					   up to two ranks, else numa; no binding if that is impossible */
	bool overload;                /**< more processes than cpus may be bound to an object */
};

#define TMAP_OMPI_REQUEST_INIT \
	{ \
		.ranks = TMAP_NONE, .slots = TMAP_NONE \
	}

/** The words: row TMAP_OMPI_DEFAULT and so on, from row TMAP_OMPI_OBJECTS on those for objects. */
extern const struct tmap_keywords tmap_ompi_words;

/** Which of them an option takes. */
#define TMAP_OMPI_BIT(level) TMAP_KEYWORDS_BIT(TMAP_OMPI_##level)
#define TMAP_OMPI_OBJECT_WORDS (~(TMAP_OMPI_BIT(OBJECTS) - 1))
#define TMAP_OMPI_MAP_WORDS \
	(TMAP_OMPI_BIT(DEFAULT) | TMAP_OMPI_BIT(SLOT) | TMAP_OMPI_BIT(NODE) | TMAP_OMPI_BIT(PPR) | \
	 TMAP_OMPI_OBJECT_WORDS)
#define TMAP_OMPI_PPR_WORDS (TMAP_OMPI_BIT(NODE) | TMAP_OMPI_OBJECT_WORDS)
#define TMAP_OMPI_RANK_WORDS \
	(TMAP_OMPI_BIT(DEFAULT) | TMAP_OMPI_BIT(SLOT) | TMAP_OMPI_BIT(NODE) | \
	 TMAP_OMPI_BIT(BOARD) | TMAP_OMPI_OBJECT_WORDS)
#define TMAP_OMPI_BIND_WORDS \
	(TMAP_OMPI_BIT(DEFAULT) | TMAP_OMPI_BIT(NONE) | TMAP_OMPI_BIT(BOARD) | \
	 TMAP_OMPI_OBJECT_WORDS)

/** Read the value of the option into the request: "numa:PE=2,SPAN", "ppr:2:socket",
 *  ":OVERSUBSCRIBE"; "numa:SPAN"; "core:overload-allowed". Words may be cut down and written in
 *  any case, where mpirun allows it. "default" stands for leaving the option out. */
int tmap_ompi_parse_map_by(struct tmap_ompi_request *request, const char *text,
			   struct tmap_error *err);
int tmap_ompi_parse_rank_by(struct tmap_ompi_request *request, const char *text,
			    struct tmap_error *err);
int tmap_ompi_parse_bind_to(struct tmap_ompi_request *request, const char *text,
			    struct tmap_error *err);

/** *p = the placement; of several programs each is a setting with its number and without a name.
 *  Refuses what mpirun refuses, with the reason. O(p + N) beside
 *  O(q^2 x K) for each kind of node and number q of processes on one, K objects. */
int tmap_ompi_place(struct tmap_placement *p, struct tmap_machine *machine,
		    const struct tmap_ompi_request *request, struct tmap_error *err);

#endif
