/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * arrival.h - the order in which a gather up a hierarchy fills the root's buffer.
 *
 *     nodes {0 2 4} {1 3 5}     0 gathers 0 2 4    1 gathers 1 3 5    0 has 0 2 4 1 3 5
 *
 * Every leader stores what it gets in the order of the ranks of its communicator. Where ranks do
 * not follow the machine the root has to put blocks in their places, and to know whose they are.
 * That information can travel in three ways (Bouhrour, Pepin, Jaeger, section 9.2):
 *
 *     sent along    the rank of each block in each message, 4 bytes
 *     packed        leaders sort what they have: the first and the number of each run of
 *                   consecutive ranks in a message, 8 bytes
 *     once          as sent along, when a persistent operation is initialized; then nothing
 */
#ifndef TMAP_CORE_ALGORITHMS_ARRIVAL_H
#define TMAP_CORE_ALGORITHMS_ARRIVAL_H

#include "core/schedule/schedule.h"

struct tmap_arrival {
	int size;
	int *order;         /**< [size]: the rank whose block is at each place */
	int moved;          /**< places that are not those of their ranks; 0: nothing to reorder */
	int64_t sent_bytes; /**< in all messages; packed: for this job, if leaders sort */
	int64_t packed_bytes;
};

/** Is it a gather up a hierarchy? Rows hierarchical of gather, hierarchical_ordered of reduce. */
bool tmap_arrival_has(const struct tmap_call *call);

/** For a call that has passed tmap_call_check(). O(p + blocks in all messages). */
int tmap_arrival_init(struct tmap_arrival *arrival, const struct tmap_call *call,
		      struct tmap_error *err);
void tmap_arrival_fini(struct tmap_arrival *arrival);

/** What a rank copies that has all blocks in another order than theirs: all of them; else nothing.
 *  The copies() of gather and allgather up a hierarchy. O(p x levels). */
int tmap_arrival_copies(const struct tmap_call *call, int64_t *bytes, struct tmap_error *err);

#endif
