/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * call.h - a collective call: which collective, by which algorithm, of how many ranks and bytes;
 * and the units that its messages carry.
 *
 * Units are the pieces of data that a collective moves:
 *
 *     allgather, gather, scatter       unit u: the block of rank u
 *     alltoall                         unit s * p + d: what rank s has for rank d
 *     reduce_scatter, .._block         unit u: the piece that rank u ends with
 *     bcast, reduce, allreduce, scans  the vector, cut into as many pieces as the algorithm says,
 *                                      or, where its phases cut it in different ways, bytes
 *     barrier                          one unit without bytes: "I know that you are here"
 *     neighbor_allgather               unit u: the block of rank u
 *     neighbor_alltoall                unit r * degree + k: what rank r has for its neighbour k
 *
 * The size that the user gives is the block where units are blocks, else the whole vector,
 * cut by bytes, the first pieces one byte larger. Where the call says how large an element is, the
 * vector is cut as MPI libraries cut it: by elements, and by the rule of each algorithm. Empty
 * pieces are not sent.
 *
 * An algorithm is one row of the table of its collective (core/algorithms/catalogue.h): what
 * others must know of it are members, so that no code reads its name.
 */
#ifndef TMAP_CORE_SCHEDULE_CALL_H
#define TMAP_CORE_SCHEDULE_CALL_H

#include "core/base/spec.h"
#include "core/distance/distance.h"
#include "core/schedule/message.h"

enum tmap_collective {
	TMAP_ALLGATHER,
	TMAP_BCAST,
	TMAP_REDUCE,
	TMAP_ALLREDUCE,
	TMAP_REDUCE_SCATTER,
	TMAP_REDUCE_SCATTER_BLOCK,
	TMAP_GATHER,
	TMAP_SCATTER,
	TMAP_ALLTOALL,
	TMAP_SCAN,
	TMAP_EXSCAN,
	TMAP_BARRIER,
	TMAP_NEIGHBOR_ALLGATHER,
	TMAP_NEIGHBOR_ALLTOALL,
	TMAP_COLLECTIVE_COUNT
};

struct tmap_collective_row {
	struct tmap_keyword word;
	bool has_root;
	bool reduces;       /**< messages may be combined with what the receiver has */
	bool cuts_vector;   /**< the size is the whole vector; else it is one unit */
	bool has_neighbors; /**< it runs on a neighborhood */
};

extern const struct tmap_collective_row tmap_collective_rows[];
extern const struct tmap_keywords tmap_collectives; /**< by name, in the order of the enum */

struct tmap_emit;
struct tmap_neighborhood;

/** Of an alltoall between leaders of other ranks: rank s has for rank d as many blocks as
 *  s has senders times d has receivers. */
struct tmap_shares {
	const int64_t *senders, *receivers; /**< [size + 1]: how many the ranks before one have */
};

/** What is to be scheduled. */
struct tmap_call {
	struct tmap_spec choice;          /**< a row of tmap_algorithms(), and its values */
	int size;                         /**< ranks, at least 1 */
	int root;                         /**< where the collective has one; else 0 */
	int64_t bytes;                    /**< the size that the MPI call names */
	int64_t element;                  /**< bytes of an element, which divide the size; 0: not
						said, the vector is cut by bytes */
	const struct tmap_metric *metric; /**< for algorithms that ask for distances; else NULL */
	const struct tmap_neighborhood *neighborhood; /**< where the collective has one; else
							   NULL */
	const struct tmap_shares *shares; /**< of a folded alltoall; NULL: one block for each */
};

/** Who talks to whom, as bits: what is made of parts has those of its parts. */
enum tmap_algorithm_pattern {
	TMAP_PATTERN_RING = 1,       /**< r to r + 1 and r - 1: rings, chains, neighbour exchange */
	TMAP_PATTERN_DOUBLING = 2,   /**< r to r ^ d or r + d, d growing or shrinking by a factor */
	TMAP_PATTERN_BINOMIAL = 4,   /**< a binomial tree */
	TMAP_PATTERN_TREE = 8,       /**< any other tree, a flat one too */
	TMAP_PATTERN_SCATTER = 16,   /**< a binomial tree, an edge carries as much as its subtree */
	TMAP_PATTERN_STAR = 32,      /**< rank 0, or the root, and every other rank: each its own */
	TMAP_PATTERN_ALL_PAIRS = 64, /**< every rank to every other */
	TMAP_PATTERN_NEIGHBORS = 128, /**< those of a neighborhood */
	TMAP_PATTERN_PLACED = 256,    /**< it follows the placement: trees, hierarchies, lanes */
};

/** May an algorithm run in parts of a communicator (core/algorithms/phase.h)? The first phase of
 *  a collective, of which there is one, runs at any size in log p rounds. */
enum tmap_phase_use { TMAP_NO_PHASE, TMAP_PHASE, TMAP_FIRST_PHASE };

/** Sizes that an algorithm accepts. */
enum tmap_sizes { TMAP_ANY_SIZE, TMAP_EVEN, TMAP_POWER_OF_TWO };

struct tmap_algorithm {
	struct tmap_spec_row choice; /**< name, parameters, knobs */
	enum tmap_collective collective;
	enum tmap_sizes sizes;
	unsigned pattern;          /**< of enum tmap_algorithm_pattern; not 0 */
	enum tmap_phase_use phase; /**< as an inner algorithm */
	bool by_name;              /**< a library's own composition: taken where it is named, not
				      where all rows are tried */
	bool needs_metric;         /**< it follows the distances of the ranks */
	bool by_rank;   /**< generate looks at tmap_emit_rank(): tmap_schedule_rank() is fast; then
				 every round has a message, however few bytes there are */
	bool has_lanes; /**< its first parameter is the number of lanes of each node */
	bool in_order;  /**< reductions combine neighbours only: fit for any operator */
	bool gathers;   /**< a reduce whose vectors travel as they are: unit u is all of that of
				  rank u, and the root reduces them, in the order of the ranks */
	bool repeats;   /**< a rank may receive a unit that it has already */
	const char *source; /**< where the algorithm is described */
	bool knob_by_node;  /**< Open MPI's knob is of coll/han, which cuts a communicator by nodes,
				  not of coll/tuned, which runs in what it is given */
	int openmpi_since;  /**< first release with the knob, 0: all from 4.1 on */
	const char *mpich_since; /**< the same; NULL: all from 4.0 on */

	/** More that must hold: 0, or -1 with the reason in *err (TMAP_INPUT); NULL: nothing. */
	int (*check)(const struct tmap_call *call, struct tmap_error *err);

	/** The choice with what the word "auto" stands for in a call that has passed check; NULL:
	 *  no parameter has it. */
	int (*resolve)(const struct tmap_call *call, struct tmap_spec *choice,
		       struct tmap_error *err);

	/** Into how many pieces the vector is cut; NULL: one unit a rank. */
	int64_t (*pieces)(const struct tmap_call *call);
	/** Where a piece begins in a vector of call->bytes elements, 0 <= piece <= pieces, as
	 *  libraries cut it; NULL: the first pieces are one element larger. */
	int64_t (*begin)(const struct tmap_call *call, int64_t piece);
	/** Bytes that a rank copies within its memory, at most, besides what it sends; NULL:
	 *  none. */
	int (*copies)(const struct tmap_call *call, int64_t *bytes, struct tmap_error *err);
	int (*generate)(struct tmap_emit *emit); /**< core/schedule/emit.h */
};

/** The row that a call has chosen. */
const struct tmap_algorithm *tmap_call_algorithm(const struct tmap_call *call);

/** Does its schedule depend on where the ranks are: by their distances, or by who shares a node? Then
 *  it is another one wherever they are moved to. */
bool tmap_call_follows_places(const struct tmap_call *call);

/** Is the root one of the ranks? Else TMAP_INPUT. */
int tmap_root_check(int root, int size, struct tmap_error *err);

/** Can it run at this size, with this root? Else -1 and the reason in *err (TMAP_INPUT). */
int tmap_call_check(const struct tmap_call *call, struct tmap_error *err);

/** Says in front of a TMAP_INPUT which of several calls it is: "bcast:flat of 8 bytes: ". Always returns
 *  -1. */
int tmap_call_blame(const struct tmap_call *call, struct tmap_error *err);

/** Its choice with what the word "auto" stands for, of a call that has passed tmap_call_check(). */
int tmap_call_resolve(const struct tmap_call *call, struct tmap_spec *choice,
		      struct tmap_error *err);

/** The call in elements instead of bytes, with a vector cut by elements: its schedule is that of
 *  the call, every byte of it an element. As it is where elements are not said, or bytes. */
struct tmap_call tmap_call_in_elements(const struct tmap_call *call);

/** Does the vector have pieces of other sizes than the preset rule's? */
bool tmap_call_cuts_by_rule(const struct tmap_call *call);

/** Number of units, and bytes of one or of a run of them. */
int64_t tmap_unit_count(const struct tmap_call *call);
int64_t tmap_unit_bytes(const struct tmap_call *call, int64_t unit);
int64_t tmap_run_bytes(const struct tmap_call *call, const struct tmap_run *run);

/** Of a gather, scatter or alltoall: does every block go in one message from who has it to whom it
 *  is for? Then they may have any sizes, which nobody else knows. */
bool tmap_call_is_direct(const struct tmap_call *call);

/** Where a unit, or what is behind the last one, begins in the vector that is cut, in bytes. */
int64_t tmap_unit_begin(const struct tmap_call *call, int64_t unit);

/** Can all units together be counted in bytes? The vector that is cut can. */
bool tmap_call_is_countable(const struct tmap_call *call);

#endif
