/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record.h - what a program communicated, and the placement that it ran on.
 *
 *     rank 5 sent        2 messages, 800 bytes to rank 6        a row: the peer is (rank + offset)
 *                        2 messages, 800 bytes to rank 13       modulo the number of ranks
 *     row                offset 1, 8    messages 2, 2    bytes 800, 800
 *
 *     communicator 1     ranks 0 4 8 12, "rows", cart 2x2 periods 1,0
 *     collective         100 times allreduce of 8 bytes on communicator 1, 0.2 s
 *
 * Equal rows are one: of a regular exchange there are few, whatever the number of ranks. There are rows of
 * messages, of one-sided calls (to the target, whichever way their bytes go) and of neighborhood
 * collectives (along their edges). Communicators
 * with the same ranks in the same order and the same topology are one, too, with the first one's name, or that
 * of MPI_COMM_WORLD.
 *
 * Bytes of a collective are those of struct tmap_call: of a rank's block (of reduce_scatter_block, too),
 * or of the whole vector.
 * Where ranks may have blocks of different sizes (irregular: v and w forms) they are the mean block,
 * rounded up.
 */
#ifndef TMAP_CORE_RECORD_RECORD_H
#define TMAP_CORE_RECORD_RECORD_H

#include "core/machine/placement.h"
#include "core/measure/times.h"
#include "core/record/recorded_files.h"

/** MPI's collectives, each a row of tmap_recorded_collectives. */
enum tmap_recorded {
	TMAP_RECORDED_BARRIER,
	TMAP_RECORDED_BCAST,
	TMAP_RECORDED_GATHER,
	TMAP_RECORDED_GATHERV,
	TMAP_RECORDED_SCATTER,
	TMAP_RECORDED_SCATTERV,
	TMAP_RECORDED_ALLGATHER,
	TMAP_RECORDED_ALLGATHERV,
	TMAP_RECORDED_ALLTOALL,
	TMAP_RECORDED_ALLTOALLV,
	TMAP_RECORDED_ALLTOALLW,
	TMAP_RECORDED_REDUCE,
	TMAP_RECORDED_ALLREDUCE,
	TMAP_RECORDED_REDUCE_SCATTER,
	TMAP_RECORDED_REDUCE_SCATTER_BLOCK,
	TMAP_RECORDED_SCAN,
	TMAP_RECORDED_EXSCAN,
	TMAP_RECORDED_COUNT
};

struct tmap_recorded_row {
	struct tmap_keyword word;  /**< "gatherv", as in MPI_Gatherv */
	enum tmap_collective like; /**< the one that moves its data */
	bool is_irregular;         /**< blocks may differ */
	int blocks; /**< of each rank in a call: 1, or 0 where it has one for each rank */
};

extern const struct tmap_recorded_row tmap_recorded_rows[];
extern const struct tmap_keywords tmap_recorded_collectives; /**< by name, in the order of the enum */

/** The phases of a run are no more than these: what would be another one stays in the one before. */
enum { TMAP_RECORD_PHASES_MOST = 256 };

/** Messages by size: [0] of no bytes, [i] of 2^(i-1) to 2^i - 1 bytes. */
enum { TMAP_RECORD_SIZES = 64 };

/** The class of a size. */
int tmap_record_size_class(int64_t bytes);

/** What some ranks sent, each of them. */
struct tmap_record_row {
	int peers;         /**< none of them twice */
	int *offset;       /**< [peers], 0 to ranks - 1, rising; 0 is the rank itself */
	int64_t *messages; /**< [peers], at least 1 */
	int64_t *bytes;    /**< [peers] */
	int64_t sizes[TMAP_RECORD_SIZES]; /**< messages by size, the outside ones left out */
	int64_t outside_messages;         /**< to processes of other jobs, which MPI connected */
	int64_t outside_bytes;
};

/** How ranks send to each other: each has rows of its own. */
enum tmap_way {
	TMAP_WAY_MESSAGES,
	TMAP_WAY_ONE_SIDED,
	TMAP_WAY_NEIGHBORS,
	TMAP_WAYS,
};

/** By the name of their member in documents, with what one of them is: "message". */
extern const struct tmap_keyword tmap_ways[];

struct tmap_record_rows {
	int count;                   /**< 0: no rank sent in this way */
	struct tmap_record_row *row; /**< [count] */
	int *of;                     /**< [placement.size]: the row of each rank */
};

struct tmap_recorded_communicator {
	int size;       /**< at least 1 */
	int *rank;      /**< [size] in MPI_COMM_WORLD, each once; NULL while it is not known */
	char *name;     /**< as it was at its rank 0's first call; "" */
	char *topology; /**< "cart 8x8 periods 1,0", "graph", "dist_graph"; "" */
};

/** Calls that are alike. */
struct tmap_recorded_call {
	enum tmap_recorded collective;
	enum tmap_mode mode; /**< the first three */
	int communicator;    /**< index */
	int root;            /**< in it; 0 where there is none */
	int64_t bytes;       /**< see above */
	int64_t element;     /**< bytes of an element of what is reduced; else 0 */
	int64_t calls;       /**< as every rank of the communicator made them */
	int64_t total_bytes; /**< irregular ones: of all ranks' blocks in all calls */
	int64_t largest;     /**< irregular ones: the largest block */
	double seconds_sum;  /**< in blocking calls, of all ranks together; else 0 */
	double seconds_max;  /**< of the rank that was longest in them */
};

/** What was communicated in a part of the run. */
struct tmap_record_part {
	int number; /**< of the phase, from 1: an interval of time, or a level of MPI_Pcontrol */
	double seconds; /**< of the rank that was longest in it */
	struct tmap_record_rows sent[TMAP_WAYS];
	struct tmap_recorded_files files[TMAP_FILE_WAYS];
	int call_count;
	struct tmap_recorded_call *call; /**< [call_count] */
};

/** What the recorder saw and a record has not, of the whole run. */
struct tmap_record_left_out {
	int64_t outside_calls; /**< collectives of two groups, or with processes of other jobs; each rank's */
	int64_t calls; /**< collectives of communicators that have no place in the record; each rank's */
	int64_t phases; /**< that would be more than a record has: intervals, or marks of a rank */
};

struct tmap_record {
	struct tmap_placement placement;
	char *program;   /**< its file's name */
	char *mpi;       /**< the library and its version */
	char *date;      /**< ISO 8601, UTC */
	double seconds;  /**< from MPI_Init to MPI_Finalize, of the rank where that was longest */
	bool is_spawned; /**< by a program of MPI, which is another job */
	struct tmap_record_rows sent[TMAP_WAYS]; /**< of messages there are always some */
	struct tmap_recorded_files files[TMAP_FILE_WAYS];
	int communicator_count;
	struct tmap_recorded_communicator *communicator; /**< [communicator_count] */
	int call_count;
	struct tmap_recorded_call *call; /**< [call_count] */
	double interval_s; /**< phases are intervals of so many seconds, by each rank's clock; 0: marks */
	int phase_count;                /**< 0: the run was not parted */
	struct tmap_record_part *phase; /**< [phase_count], by number; all of them are the run */
	struct tmap_record_left_out left_out;
	char *chosen; /**< the phases that the record has now alone, as "2-5"; NULL: it has the run */
};

void tmap_record_fini(struct tmap_record *record);
void tmap_record_part_fini(struct tmap_record_part *part);
void tmap_record_row_fini(struct tmap_record_row *row);
void tmap_record_rows_fini(struct tmap_record_rows *rows);
void tmap_recorded_communicator_fini(struct tmap_recorded_communicator *communicator);

/** The record has that now, in place of what it had; *part is empty then. */
void tmap_record_part_take(struct tmap_record *record, struct tmap_record_part *part);

/** What rank @p rank sent in that way; NULL: none did. */
const struct tmap_record_row *tmap_record_row_of(const struct tmap_record *record,
						 enum tmap_way way, int rank);

/** The mean block of an irregular call, rounded up. */
int64_t tmap_recorded_mean(enum tmap_recorded collective, int64_t total_bytes, int64_t calls,
			   int size);

/** Of a job of @p size ranks no record has communicators of more ranks, all together: what real
 *  programs make by rows, columns and planes is far below. */
int64_t tmap_record_ranks_most(int size);

/** Is it one, and not a placement alone? */
bool tmap_record_is_there(const struct tmap_record *record);

#endif
