/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * evaluated.h - the values of a mapping, and those of the mappings that were evaluated last.
 *
 *     mapping   3 4 0 1 ...   hash 9c41...   seconds 1.2e-3                    known: seconds
 *               0 1 2 3 ...   hash 07f5...   seconds 8.5e-4   distance 1.9e12  known: both
 */
#ifndef TMAP_CORE_MAP_EVALUATED_H
#define TMAP_CORE_MAP_EVALUATED_H

#include <stdint.h>

struct tmap_evaluation {
	double seconds, byte_distance, link_s, hop_bytes, cable_bytes;
};

/** The values one by one: bits. */
enum tmap_evaluation_bits {
	TMAP_EVALUATE_SECONDS = 1,
	TMAP_EVALUATE_DISTANCE = 2,
	TMAP_EVALUATE_LINK = 4,
	TMAP_EVALUATE_HOPS = 8,
	TMAP_EVALUATE_CABLE = 16,
	TMAP_EVALUATE_ALL = 31
};

enum { TMAP_EVALUATED_MOST = 32 };

/** A mapping that was evaluated. */
struct tmap_evaluated {
	uint64_t hash;                     /**< of its slots */
	unsigned known;                    /**< bits of enum tmap_evaluation_bits */
	struct tmap_evaluation evaluation; /**< without a panel */
};

/** The last ones; the oldest is overwritten. Zeroed: none. */
struct tmap_evaluated_list {
	int count;
	struct tmap_evaluated entry[TMAP_EVALUATED_MOST];
};

/** Where what is known of a mapping of @p size ranks is kept: of one that is new, nothing yet. Borrowed
 *  until the next one is found. O(size). */
struct tmap_evaluated *tmap_evaluated_find(struct tmap_evaluated_list *list, const int *slot_of,
					   int size);

/** The values of these bits; the others stay as they are. */
void tmap_evaluation_take(struct tmap_evaluation *evaluation, const struct tmap_evaluation *from,
			  unsigned bits);

#endif
