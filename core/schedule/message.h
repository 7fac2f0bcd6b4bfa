/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * message.h - the messages of a schedule, and who gets them.
 *
 *     message      from a rank to another, in a round, with the units that it carries
 *     messages     several that have round and kind in common: from[], to[], bytes[]
 *     shift        every rank r of a pattern to r + ahead
 *     all pairs    every rank to every other
 *
 * A visitor that is not folded gets messages only, each by itself; a folded one as few calls
 * as it takes (core/schedule/schedule.h).
 */
#ifndef TMAP_CORE_SCHEDULE_MESSAGE_H
#define TMAP_CORE_SCHEDULE_MESSAGE_H

#include "core/base/error.h"

#include <stdbool.h>
#include <stdint.h>

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
	TMAP_TOTAL, /**< the answer of the vector so far, which the receiver stores as its copy */
};

struct tmap_message {
	int64_t round; /**< from 0, none without a message; folded: of the first of its rounds */
	int64_t span;  /**< rounds from this one on over which it is spread; 1 where exact */
	int64_t times; /**< in how many of these it is sent; 1 where exact */
	int from, to;  /**< different ranks */
	bool combine;  /**< the receiver reduces it into its own; else it stores it */
	enum tmap_buffer on;
	bool is_word;  /**< its bytes are a word by which ranks go, no elements and of no unit */
	int64_t bytes; /**< over all times */
	int run_count; /**< 0 where folded, or where no units are asked for */
	const struct tmap_run *run; /**< borrowed for the call; no unit twice */
};

/** Every rank sends every other rank one message. */
struct tmap_all_pairs {
	int64_t round, rounds; /**< in this round and the next ones, rounds of them */
	int64_t bytes;         /**< of a message; 0: only the larger ones are sent */
	int64_t larger;        /**< messages to the ranks 0 .. larger - 1 have more bytes ... */
	int64_t more;          /**< ... by so many: an element */
	bool combine;          /**< as of a message */
};

/** What messages that are emitted together have in common. */
struct tmap_round_info {
	int64_t round, span, times; /**< as of a message */
	bool combine;
	bool single; /**< their senders send, and their receivers receive, no other message
				  that begins in this round */
};

/** Messages that have this in common: from[i] to to[i]. */
struct tmap_messages {
	struct tmap_round_info info;
	int count;
	const int *from, *to; /**< [count], borrowed for the call */
	const int64_t *bytes; /**< [count], over all times */
};

/** Messages from so many ranks, each to the one that is so far ahead, modulo p. The senders are
 *  runs of neighbours, or of ranks with equal gaps between them, the first of each a step after that
 *  of the one before:
 *
 *      first 1, run 2, step 4, count 5             1 2   5 6   9      modulo p, none of them twice
 *      first 1, run 2, gap 1, step 8, count 5      1 3   9 11   17
 */
struct tmap_shift_pattern {
	struct tmap_round_info info;
	int first, run, step; /**< a run and its gaps are at most a step */
	int gap;              /**< ranks between two senders of a run; 0: they are neighbours */
	int count;            /**< of senders; the last run may be cut */
	int ahead;            /**< 1 .. p - 1 */
	int64_t bytes;        /**< of each, over all times */
};

/** Sender @p i of a shift, before it is taken modulo p. */
static inline int64_t tmap_shift_pattern_sender(const struct tmap_shift_pattern *shift, int64_t i)
{
	return shift->first + i / shift->run * shift->step + i % shift->run * (shift->gap + 1);
}

/** So many places of each step have the senders of its run, with the gaps between them. */
static inline int64_t tmap_shift_pattern_extent(const struct tmap_shift_pattern *shift)
{
	return (shift->run - 1) * ((int64_t)shift->gap + 1) + 1;
}

/** Does the place @p phase of a step send? */
static inline bool tmap_shift_pattern_sends(const struct tmap_shift_pattern *shift, int64_t phase)
{
	return phase < tmap_shift_pattern_extent(shift) && phase % (shift->gap + 1) == 0;
}

/** Who gets a schedule: its functions are called for what is emitted. */
struct tmap_visitor {
	bool folded;
	bool no_units; /**< nobody asks which units a message has: its runs may be left out */
	/** Called for each message, rounds ascending; 0, or -1 with *err set to stop. */
	int (*message)(void *context, const struct tmap_message *message, struct tmap_error *err);
	/** Folded only: p (p - 1) messages in one call. */
	int (*all_pairs)(void *context, const struct tmap_all_pairs *pairs, struct tmap_error *err);
	void *context;
	/** Folded only: both NULL, or both there to get messages in these ways besides, which are
	 *  faster. */
	int (*batch)(void *context, const struct tmap_messages *messages, struct tmap_error *err);
	int (*shift)(void *context, const struct tmap_shift_pattern *shift, struct tmap_error *err);
};

#endif
