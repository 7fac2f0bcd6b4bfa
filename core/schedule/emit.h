/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * emit.h - how the generators under core/algorithms/ emit their messages.
 */
#ifndef TMAP_CORE_SCHEDULE_EMIT_H
#define TMAP_CORE_SCHEDULE_EMIT_H

#include "core/schedule/call.h"

enum { TMAP_EMIT_ROOM = 1024 };

/** Messages that have their round info in common, on their way to the visitor. */
struct tmap_emit_buffer {
	struct tmap_round_info info;
	int count, from[TMAP_EMIT_ROOM], to[TMAP_EMIT_ROOM];
	int64_t bytes[TMAP_EMIT_ROOM];
};

/** One generator at work. */
struct tmap_emit {
	const struct tmap_call *call;
	struct tmap_visitor *visitor;
	struct tmap_error *err;
	int64_t round;      /**< of the messages to come; the generator counts, and what it emits
			    ascends */
	int64_t filled_end; /**< behind the rounds that have had messages, as the generator
				 counts */
	int64_t empty;      /**< of those before, so many had none, and do not count */
	bool combine;       /**< whether receivers reduce them */
	int shift;          /**< added to both ranks, modulo p: for generators whose rank 0 is the
				  root, and whose units are no ranks' */
	bool is_part; /**< exact: only what rank @p rank sends and receives is wanted; the others'
			   messages may be emitted, and go nowhere */
	int rank;     /**< of the call */
	bool single;  /**< of the messages to come: see struct tmap_round_info */
	enum tmap_buffer on; /**< scans: what the messages to come work on */
	struct tmap_emit_buffer
		*buffer;              /**< for a visitor that takes batches; NULL: each message goes
					    by itself */
	int64_t units, small, larger; /**< units of small bytes, the first larger ones have one
				  more; found by the first that asks */
	bool by_rule;   /**< they have other sizes: those that the algorithm's begin() says */
	bool has_empty; /**< exact: some of them have no bytes */
};

/** The rank whose part is wanted, as the generator numbers it; TMAP_NONE: all of them. */
int tmap_emit_rank(const struct tmap_emit *emit);

/** Is one rank's part wanted, and is a message between these two, by the ranks of the call, not in
 *  it? Then its round and bytes matter, and its units do not. */
bool tmap_emit_is_foreign(const struct tmap_emit *emit, int from, int to);

/** For loops over senders: the one after @p r, TMAP_NONE at first, size at the end. All ranks;
 *  where one rank's part is wanted, that rank and @p partner, which sends to it. */
int tmap_emit_next(const struct tmap_emit *emit, int r, int64_t partner);

/** The next @p rounds rounds, from @p round on, have messages, though this generator may emit none in
 *  them: those of other ranks, where one rank's part is wanted. */
void tmap_emit_fill(struct tmap_emit *emit, int64_t round, int64_t rounds);

/** Number of units that have bytes: the first ones, but where a rule cuts, up to the last one. A
 *  barrier's has none. */
int64_t tmap_emit_filled_units(struct tmap_emit *emit);

/** Send some units in this round, but for empty ones. Nothing is sent where they have no bytes (but
 *  a barrier's). */
int tmap_emit_runs(struct tmap_emit *emit, int from, int to, const struct tmap_run *run,
		   int run_count);

/** Send units first, first + stride, ..., count of them, modulo the number of units p; they span
 *  less than p, so they wrap at most once. @p first may be any number, @p stride negative. */
int tmap_emit_units(struct tmap_emit *emit, int from, int to, int64_t first, int64_t stride,
		    int64_t count);

/** Every rank r sends the rank r + ahead, modulo p, the units r + unit, r + unit + stride, ...,
 *  count of them; @p ahead may be negative, but no multiple of p. */
int tmap_emit_shift(struct tmap_emit *emit, int64_t ahead, int64_t unit, int64_t stride,
		    int64_t count);

/** Does the visitor take shifts? */
bool tmap_emit_takes_shifts(const struct tmap_emit *emit);

/** It does, and all units are of one size. */
bool tmap_emit_is_even(struct tmap_emit *emit);

/** Emit a shift, whose round, combine and single are those of the emit; ahead is any number but a
 *  multiple of p. Without senders or bytes there is none. */
int tmap_emit_stride(struct tmap_emit *emit, const struct tmap_shift_pattern *shift);

/** The senders of a pattern that does not wrap, each by itself if the visitor takes no shifts or they are few;
 *  all carry the units first .. first + count - 1. The pattern's info and bytes are found here. */
int tmap_emit_alike(struct tmap_emit *emit, const struct tmap_shift_pattern *senders, int64_t first,
		    int64_t count);

/** Every rank r of the first @p ranks ones to r ^ d, if that is one of them too: @p units units
 *  each. @p d is a power of two. */
int tmap_emit_exchange(struct tmap_emit *emit, int64_t ranks, int64_t d, int64_t units);

/** The same with the one unit that there is, in whatever form the visitor takes. */
int tmap_emit_exchange_all(struct tmap_emit *emit, int64_t ranks, int64_t d);

/** Folded: @p times messages of @p bytes together, in the next @p span rounds. Exact, where no units
 *  are asked for: one in this round. */
int tmap_emit_folded(struct tmap_emit *emit, int from, int to, int64_t span, int64_t times,
		     int64_t bytes);

/** Folded: each unit of a run as one message, in the next @p span rounds; empty ones are none. */
int tmap_emit_pieces(struct tmap_emit *emit, int from, int to, int64_t span,
		     const struct tmap_run *run);

/** Folded: from this round on, in @p rounds rounds, every rank sends every other one unit: that
 *  of the receiver where units have different sizes. */
int tmap_emit_all_pairs(struct tmap_emit *emit, int64_t rounds);

/** Folded: r -> r + 1 with every unit but those of the block r + 1 + ahead. A block is @p phases
 *  units; a message carries @p parts of them, 1 or all. */
int tmap_emit_ring(struct tmap_emit *emit, int ahead, int64_t phases, int64_t parts);

/** Emit a message as it is, empty or not, by the ranks of the call. */
int tmap_emit_message(struct tmap_emit *emit, const struct tmap_message *message);

/** What is in the buffer goes to the visitor. tmap_schedule() does it in the end. */
int tmap_emit_flush(struct tmap_emit *emit);

/** floor(log2 n) and ceil(log2 n) for n >= 1. */
int tmap_log2_floor(int64_t n);
int tmap_log2_ceil(int64_t n);

/** a mod p, never negative. */
int64_t tmap_mod(int64_t a, int64_t p);

#endif
