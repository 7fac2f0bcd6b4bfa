/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clock_round.h - the messages of one round, timed together.
 *
 *     1  what crosses each link is added up, and when the first of it comes
 *     2  each message: when it has come, by itself and by its links
 *     3  ranks that receive several: when they have taken the last
 *     4  all clocks go on
 */
#ifndef TMAP_CORE_COST_CLOCK_ROUND_H
#define TMAP_CORE_COST_CLOCK_ROUND_H

#include "core/cost/clock_chunk.h"

/** Time the stretches begin .. end - 1, which are one round; of repetitions the first. */
int tmap_clock_round(struct tmap_clock *clock, size_t begin, size_t end, struct tmap_error *err);

/** The same, but nothing is counted as moved. */
int tmap_clock_round_again(struct tmap_clock *clock, size_t begin, size_t end,
			   struct tmap_error *err);

/** Rounds that overlap, once all of them were timed for the first time: the others. */
int tmap_clock_repeat(struct tmap_clock *clock, struct tmap_error *err);

/** Of two times; unlike fmax() it is one instruction. */
static inline double tmap_later(double a, double b)
{
	return a > b ? a : b;
}

/** When a message begins: its sender's port has others before it; where both ranks must be ready, they
 *  are. */
static inline double tmap_message_start(const struct tmap_price *price, double at_from,
					double left_from, double at_to)
{
	double ready = price->by_port ? tmap_later(at_from, left_from) : at_from;

	return price->together ? tmap_later(ready, at_to) : ready;
}

/** What a message comes to: when its receiver has it, and until when both ranks are busy. */
struct tmap_message_end {
	double done_s, sender_s, receiver_s;
};

/** A message of ranks that have one each way, whose first byte comes at @p head; the links that it
 *  crosses let it through until @p links_end. */
static inline struct tmap_message_end tmap_message_arrive(const struct tmap_price *price,
							  double head, double at_from, double at_to,
							  double taken_to, double links_end)
{
	double port = price->copied ? at_to : taken_to;
	double come = tmap_later(head + price->moving_s, port + price->overhead_s + price->port_s);
	double done = tmap_later(come, links_end) + price->adding_s;
	double spent = price->together ? price->held_s : price->out_s;

	return (struct tmap_message_end){ done,
					  tmap_later(at_from + spent, price->awaited ? done : 0),
					  tmap_later(done, at_to + price->in_s) };
}

/** What a sender without other messages spends on one. */
static inline double tmap_message_kept(const struct tmap_price *price)
{
	return price->together ? price->held_s : price->out_s;
}

/** When several messages together have come by themselves and are added; their sender spends @p kept on all
 *  that it sends by then. */
static inline double tmap_messages_come(const struct tmap_price *price, double head, double kept,
					double links_end)
{
	double come = tmap_later(head + price->moving_s, links_end);

	if (price->together && !price->pulled)
		come = tmap_later(come, head - price->overhead_s + kept);
	return come + price->adding_s;
}

/** What their receiver takes them for, one after another. */
static inline double tmap_messages_taking(const struct tmap_price *price)
{
	return price->overhead_s + price->port_s + price->adding_s;
}

/** tmap_message_arrive() for several messages together, where the receiver has none but these. */
static inline struct tmap_message_end tmap_messages_arrive(const struct tmap_price *price,
							   double head, double kept, double at_from,
							   double at_to, double taken_to,
							   double links_end)
{
	double begin = head - price->overhead_s, port = price->copied ? at_to : taken_to;
	double done = tmap_later(tmap_messages_come(price, head, kept, links_end),
				 tmap_later(begin, port) + tmap_messages_taking(price));

	return (struct tmap_message_end){ done,
					  tmap_later(at_from + kept, price->awaited ? done : 0),
					  tmap_later(done, at_to + price->in_s) };
}

#endif
