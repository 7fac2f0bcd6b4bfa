/*
 * schedule.h - a collective algorithm as rounds of messages.
 *
 * An algorithm is a generator: it tells its messages to a visitor, one after another, and
 * nothing keeps them unless someone wants to see them. In a round every rank sends
 * from what it held when the round began.
 *
 *     allgather, sparbit, 5 ranks     round 0   0 -> 4 {0}
 *                                     round 1   0 -> 2 {0}    1 -> 3 {1}    2 -> 4 {2} ...
 *                                     round 2   0 -> 1 {0 3}  1 -> 2 {1 4} ...
 *
 * What messages carry are units, the pieces of data that a collective moves:
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
 * cut by bytes, the first pieces one byte larger. Empty pieces are not sent.
 *
 * A schedule is told in one of two ways. Exact: every round by itself, with its units
 * (verification, drawing, export). Folded: rounds that have the same messages but for
 * which units they carry are told once, with a count and their bytes added up, so that a
 * ring of 11 million ranks is 11 million messages and not 10^14. Both ways have the same
 * messages and bytes from each rank to each other. Who takes batches and shifts is told
 * that ring in one sentence: every rank to the next one.
 */
#ifndef TMAP_CORE_SCHEDULE_SCHEDULE_H
#define TMAP_CORE_SCHEDULE_SCHEDULE_H

#include "core/base/spec.h"
#include "core/distance/distance.h"

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

/** Units first, first + stride, ..., count of them. */
struct tmap_run {
	int64_t first, count, stride;
};

/** What a message of a scan works on: a rank may put a copy of its vector aside, work on that by
 *  itself, and reduce the answer of the copy into its own at the end. Elsewhere all is vector. */
enum tmap_buffer {
	TMAP_VECTOR,    /**< the vector; what comes from below goes into the answer, too */
	TMAP_COPY,      /**< the copy */
	TMAP_COPY_SCAN, /**< the copy; what comes from below goes into its answer, too */
	TMAP_ANSWER,    /**< the answer of the copy, stored */
};

struct tmap_message {
	int64_t round; /**< from 0; folded: of the first of its rounds */
	int64_t span;  /**< rounds from this one on over which it is spread; 1 where exact */
	int64_t times; /**< in how many of these it is sent; 1 where exact */
	int from, to;  /**< different ranks */
	bool combine;  /**< the receiver reduces it into its own; else it stores it */
	enum tmap_buffer on;
	int64_t bytes;              /**< over all times */
	int run_count;              /**< 0 where folded */
	const struct tmap_run *run; /**< borrowed for the call; no unit twice */
};

/** Every rank sends every other rank one message. */
struct tmap_all_pairs {
	int64_t round, rounds; /**< in this round and the next ones, rounds of them */
	int64_t bytes;         /**< of a message; 0: only the larger ones are sent */
	int64_t larger;        /**< messages to the ranks 0 .. larger - 1 have one byte more */
	bool combine;          /**< as of a message */
};

/** What messages that are told together have in common. */
struct tmap_round_info {
	int64_t round, span, times; /**< as of a message */
	bool combine;
	bool single; /**< their senders send, and their receivers receive, no other message
				  that begins in this round */
};

/** Messages of one wave: from[i] to to[i]. */
struct tmap_messages {
	struct tmap_round_info wave;
	int count;
	const int *from, *to; /**< [count], borrowed for the call */
	const int64_t *bytes; /**< [count], over all times */
};

/** Messages of one wave from so many ranks, each to the one that is so far ahead, modulo p. The
 *  senders are runs of neighbours, the first of each a step after that of the one before:
 *
 *      first 1, run 2, step 4, count 5      1 2   5 6   9        modulo p, none of them twice
 */
struct tmap_shift_pattern {
	struct tmap_round_info wave;
	int first, run, step; /**< run <= step */
	int count;            /**< of senders; the last run may be cut */
	int ahead;            /**< 1 .. p - 1 */
	int64_t bytes;        /**< of each, over all times */
};

/** Sender @p i of a shift, before it is taken modulo p. */
static inline int64_t tmap_shift_pattern_sender(const struct tmap_shift_pattern *shift, int64_t i)
{
	return shift->first + i / shift->run * shift->step + i % shift->run;
}

/** Whoever wants to know a schedule. */
struct tmap_visitor {
	bool folded;
	/** Called for each message, rounds ascending; 0, or -1 with *err set to stop. */
	int (*message)(void *context, const struct tmap_message *message, struct tmap_error *err);
	/** Folded only: p (p - 1) messages told as one. */
	int (*all_pairs)(void *context, const struct tmap_all_pairs *pairs, struct tmap_error *err);
	void *context;
	/** Folded only, and only for those who are in a hurry: both NULL, or both there to be told
	 *  messages in these ways besides. */
	int (*batch)(void *context, const struct tmap_messages *batch, struct tmap_error *err);
	int (*shift)(void *context, const struct tmap_shift_pattern *shift, struct tmap_error *err);
};

struct tmap_emit;
struct tmap_neighborhood;

/** Of an alltoall between ranks that speak for others: rank s has for rank d as many blocks as
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
	const struct tmap_metric *metric; /**< for algorithms that ask for distances; else NULL */
	const struct tmap_neighborhood *neighborhood; /**< where the collective has one; else NULL */
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
	bool needs_metric;         /**< it follows the distances of the ranks */
	bool by_rank;       /**< generate looks at tmap_emit_rank(): tmap_schedule_rank() is fast */
	bool has_lanes;     /**< its first parameter is the number of lanes of each node */
	bool in_order;      /**< reductions combine neighbours only: fit for any operator */
	bool gathers;       /**< a reduce whose vectors travel as they are: unit u is all of that of
				  rank u, and the root reduces them, in the order of the ranks */
	bool repeats;       /**< a rank may receive a unit that it has already */
	const char *source; /**< where the algorithm is described */
	bool knob_by_node;  /**< Open MPI's knob is of coll/han, which cuts a communicator by nodes,
				  not of coll/tuned, which runs in what it is given */
	int openmpi_since;  /**< first release with the knob, 0: all from 4.1 on */
	const char *mpich_since; /**< the same; NULL: all from 4.0 on */

	/** More that must hold: 0, or -1 with the reason in *err (TMAP_INPUT); NULL: nothing. */
	int (*check)(const struct tmap_call *call, struct tmap_error *err);

	/** Into how many pieces the vector is cut; NULL: one unit a rank. */
	int64_t (*pieces)(const struct tmap_call *call);
	/** Bytes that a rank copies within its memory, at most, besides what it sends; NULL: none. */
	int (*copies)(const struct tmap_call *call, int64_t *bytes, struct tmap_error *err);
	int (*generate)(struct tmap_emit *emit); /**< core/schedule/emit.h */
};

/** The row that a call has chosen. */
const struct tmap_algorithm *tmap_call_algorithm(const struct tmap_call *call);

/** Is the root one of the ranks? Else TMAP_INPUT. */
int tmap_root_check(int root, int size, struct tmap_error *err);

/** Can it run at this size, with this root? Else -1 and the reason in *err (TMAP_INPUT). */
int tmap_call_check(const struct tmap_call *call, struct tmap_error *err);

/** Emit the schedule to a visitor. The call must have passed tmap_call_check(). */
int tmap_schedule(const struct tmap_call *call, struct tmap_visitor *visitor,
		  struct tmap_error *err);

/** The part of one rank: the messages that it sends and receives, rounds ascending, as the whole
 *  schedule has them. @p visitor must not be folded. Rows with by_rank take O(rounds + messages of
 *  the rank), as an executor needs it, which asks on every rank; others make the whole and leave
 *  out what is not the rank's. */
int tmap_schedule_rank(const struct tmap_call *call, int rank, struct tmap_visitor *visitor,
		       struct tmap_error *err);

/** Number of units, and bytes of one or of a run of them. */
int64_t tmap_unit_count(const struct tmap_call *call);
int64_t tmap_unit_bytes(const struct tmap_call *call, int64_t unit);
int64_t tmap_run_bytes(const struct tmap_call *call, const struct tmap_run *run);

#endif
