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
 * With --do-not-launch, mpirun ranks before it maps to objects once more; with SPAN and
 * more processes than objects it then shows another order than the one it launches.
 */
#ifndef TM_POLICIES_OPENMPI_H
#define TM_POLICIES_OPENMPI_H

#include "core/machine/placement.h"
#include "core/base/keyword.h"

enum tm_ompi_level {
	TM_OMPI_DEFAULT, TM_OMPI_NONE, TM_OMPI_SLOT, TM_OMPI_NODE, TM_OMPI_CORE, TM_OMPI_L1,
	TM_OMPI_L2, TM_OMPI_L3, TM_OMPI_SOCKET, TM_OMPI_PACKAGE, TM_OMPI_NUMA, TM_OMPI_HWTHREAD,
	TM_OMPI_PPR, TM_OMPI_BOARD,
	TM_OMPI_LEVELS
};

enum tm_ompi_ranking { TM_OMPI_CYCLE, TM_OMPI_SPAN, TM_OMPI_FILL };

struct tm_ompi_request {
	int ranks;               /**< TM_NONE: as many as there are slots, or as ppr gives */
	int slots;               /**< of each node; TM_NONE: one for each core it may use, or for
				      each PU where processes are bound to hwthreads */
	bool hwthreads;          /**< hardware threads are cpus (--use-hwthread-cpus) */
	enum tm_ompi_level map_by; /**< TM_OMPI_DEFAULT: core up to two ranks, else numa */
	int ppr;                 /**< processes for each object of map_by; 0: no ppr */
	int pe;                  /**< cpus for each process; 0: not said */
	bool span;               /**< over all nodes as if they were one */
	bool oversubscribe;      /**< more processes than slots are fine */
	enum tm_ompi_level rank_by; /**< TM_OMPI_DEFAULT: as mapped */
	enum tm_ompi_ranking ranking;
	enum tm_ompi_level bind_to; /**< TM_OMPI_DEFAULT: as mapped; by slot, node and ppr core up
				      to two ranks, else numa; no binding if that is impossible */
	bool overload;           /**< more processes than cpus may be bound to an object */
};

#define TM_OMPI_REQUEST_INIT { .ranks = TM_NONE, .slots = TM_NONE }

/** The words, in the order of enum tm_ompi_level. */
extern const struct tm_words tm_ompi_words;

/** Which of them an option takes. */
#define TM_OMPI_BIT(level) TM_WORDS_BIT(TM_OMPI_##level)
#define TM_OMPI_OBJECT_WORDS (TM_OMPI_BIT(CORE) | TM_OMPI_BIT(L1) | TM_OMPI_BIT(L2) | \
			      TM_OMPI_BIT(L3) | TM_OMPI_BIT(SOCKET) | TM_OMPI_BIT(PACKAGE) | \
			      TM_OMPI_BIT(NUMA) | TM_OMPI_BIT(HWTHREAD))
#define TM_OMPI_MAP_WORDS (TM_OMPI_BIT(DEFAULT) | TM_OMPI_BIT(SLOT) | TM_OMPI_BIT(NODE) | \
			   TM_OMPI_BIT(PPR) | TM_OMPI_OBJECT_WORDS)
#define TM_OMPI_PPR_WORDS (TM_OMPI_BIT(NODE) | TM_OMPI_OBJECT_WORDS)
#define TM_OMPI_RANK_WORDS (TM_OMPI_BIT(DEFAULT) | TM_OMPI_BIT(SLOT) | TM_OMPI_BIT(NODE) | \
			    TM_OMPI_BIT(BOARD) | TM_OMPI_OBJECT_WORDS)
#define TM_OMPI_BIND_WORDS (TM_OMPI_BIT(DEFAULT) | TM_OMPI_BIT(NONE) | TM_OMPI_BIT(BOARD) | \
			    TM_OMPI_OBJECT_WORDS)

/** Read the value of the option into the request: "numa:PE=2,SPAN", "ppr:2:socket",
 *  ":OVERSUBSCRIBE"; "numa:SPAN"; "core:overload-allowed". Words may be cut down and written in
 *  any case, where mpirun allows it. "default" stands for leaving the option out. */
int tm_ompi_parse_map_by(struct tm_ompi_request *request, const char *text, struct tm_error *err);
int tm_ompi_parse_rank_by(struct tm_ompi_request *request, const char *text, struct tm_error *err);
int tm_ompi_parse_bind_to(struct tm_ompi_request *request, const char *text, struct tm_error *err);

/** *p = the placement. Refuses what mpirun refuses, with the reason. O(p + N) beside
 *  O(q^2 x K) for each kind of node and number q of processes on one, K objects. */
int tm_ompi_place(struct tm_placement *p, struct tm_machine *machine,
		  const struct tm_ompi_request *request, struct tm_error *err);

#endif
