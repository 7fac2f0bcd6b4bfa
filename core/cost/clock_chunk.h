/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clock_chunk.h - some messages of a stretch, with all that is asked of them.
 *
 *     stretch   0 1 2 ...                                                      n - 1
 *     chunks    at = 0               | at = 64             | at = 128          |
 *     asked     ranks, positions, kinds of pairs, and the price of each kind, made once a stretch
 *
 * Ranks that follow each other regularly are counted on, others are in the clock's lists.
 */
#ifndef TMAP_CORE_COST_CLOCK_CHUNK_H
#define TMAP_CORE_COST_CLOCK_CHUNK_H

#include "core/cost/clock.h"
#include "core/cost/price.h"

/** So few that what they load stays near until it is used; and so many kinds have their prices kept. */
enum { TMAP_CHUNK = 64, TMAP_CHUNK_PRICES = 16 };

/** The price of a kind and size of a stretch, and the last chunk that has it. */
struct tmap_chunk_price {
	int kind; /**< TMAP_NONE: none yet */
	int64_t whole;
	size_t at;
	struct tmap_price price;
};

struct tmap_chunk {
	int count;
	int from[TMAP_CHUNK], to[TMAP_CHUNK], kind[TMAP_CHUNK];
	struct tmap_position left[TMAP_CHUNK], reached[TMAP_CHUNK];
	int64_t whole[TMAP_CHUNK];                       /**< bytes over all times */
	bool is_like;                                    /**< all are of one kind and one size */
	const struct tmap_price *price[TMAP_CHUNK];      /**< in one of its rounds */
	struct tmap_chunk_price kept[TMAP_CHUNK_PRICES]; /**< by kind, from chunk to chunk */
	struct tmap_price room[TMAP_CHUNK];              /**< for those that were not kept */
};

/** What a message of a kind takes in one of the rounds of its stretch; @p whole: its bytes over all. */
struct tmap_price tmap_clock_price(const struct tmap_clock *clock, const struct tmap_spread *spread,
				   int kind, int64_t whole);

/** How many messages a stretch has. */
size_t tmap_stretch_count(const struct tmap_clock *clock, const struct tmap_clock_batch *stretch);

/** Their number, ranks and bytes over all times, and nothing else of them. */
void tmap_chunk_fill_ranks(struct tmap_chunk *chunk, const struct tmap_clock *clock,
			   const struct tmap_clock_batch *stretch, size_t at);

/** The messages of a stretch from number @p at on, and 0: there are none left. A chunk goes through a
 *  stretch from at = 0 on. */
int tmap_chunk_fill(struct tmap_chunk *chunk, const struct tmap_clock *clock,
		    const struct tmap_clock_batch *stretch, size_t at);

#endif
