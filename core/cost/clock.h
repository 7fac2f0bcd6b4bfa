/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clock.h - the clocks of all ranks, while a schedule is emitted.
 *
 * Messages that begin in one round are kept until the next round begins, and are then timed
 * together (clock_round.c, clock_sides.c): those of whole nodes at once where ranks follow each other
 * regularly (clock_shift.h), those that stay on their nodes node by node (clock_inside.h), those of one node
 * for all of them where nodes are alike (clock_fold.h), or for all of its class (clock_class.c). Rounds that
 * are emitted as one are timed once; what their repetitions take is added when all of those that overlap have
 * been seen (clock_repeat.c).
 */
#ifndef TMAP_CORE_COST_CLOCK_H
#define TMAP_CORE_COST_CLOCK_H

#include "core/cost/cost_model.h"

/** How messages that are emitted together are spread over their rounds. */
struct tmap_spread {
	double active; /**< rounds with messages */
	double share;  /**< of a message of one rank in one of these */
	double times;
	int64_t period; /**< in every how many rounds there is one */
	bool combine, single;
	bool alone; /**< ranks have no other message that way, but this one may be several, one after another */
};

/** Messages of one round that have their spread in common. */
struct tmap_clock_batch {
	struct tmap_spread spread;
	bool is_shift;
	bool is_folded; /**< a shift, of which the first node's messages stand for all */
	struct tmap_shift_pattern shift; /**< where it is one */
	int64_t span;                    /**< rounds from the first of its messages to the last */
	size_t begin, count;             /**< else: in the clock's lists */
};

/** A round whose messages come again while it lasts; all are kept until none is under way. */
struct tmap_repeated {
	int64_t round;
	size_t begin, end; /**< stretches */
};

struct tmap_clock {
	struct tmap_cost_model *model;
	uint32_t *place; /**< of each rank: where its clocks are (clock_order.h); NULL: they are by rank */
	int extent; /**< ranks that have clocks: those of one node, while all nodes are
				   alike (clock_fold.h); none, before the first round and while
				   classes have them; then all */
	struct tmap_clock_classes *classes; /**< of nodes (clock_class.h), while these have the
						 clocks; else NULL */
	double *at, *next;                  /**< the model's, by rank: now, and after this round */
	double *taken,
		*left; /**< until when the rank's port takes what came, and sends what left */
	int64_t round; /**< the one at hand */
	bool is_open;
	size_t stretch_count, first; /**< those of the round at hand begin at first */
	size_t message_count;
	int busy_count;        /**< loads of links that have something of the round at hand */
	int64_t overlap_end;   /**< first round after those that overlap */
	size_t repeated_count; /**< rounds that overlap */
	bool counts;           /**< messages that come are counted as moved, too */
	bool is_even;          /**< all messages of the round at hand add the same (clock_even.h) */
	size_t side_count;     /**< ranks with several messages each way in the round at hand */
	double *own_s; /**< the room's, in a round of messages that are alone (clock_sides.h); else NULL */
	struct tmap_moved moved;
};

/** Where a rank's clocks are, and its position in the pair kinds. */
static inline int tmap_clock_place(const struct tmap_clock *clock, int rank)
{
	return clock->place ? (int)clock->place[rank] : rank;
}

int tmap_clock_init(struct tmap_clock *clock, struct tmap_cost_model *model,
		    struct tmap_error *err);
void tmap_clock_fini(struct tmap_clock *clock);

/** Some messages, by ranks and bytes (over all times). Rounds do not fall. */
int tmap_clock_take(struct tmap_clock *clock, const struct tmap_round_info *info, const int *from,
		    const int *to, const int64_t *bytes, int count, struct tmap_error *err);
int tmap_clock_shift(struct tmap_clock *clock, const struct tmap_shift_pattern *shift,
		     struct tmap_error *err);

/** All ranks together: from the last of them on, they need so long. */
int tmap_clock_together(struct tmap_clock *clock, double seconds, struct tmap_error *err);

/** So many messages of a kind are moved, each @p times times with @p bytes over all of these. Refuses sums
 *  above 2^63 - 1 (TMAP_INPUT). */
int tmap_clock_count_moved(struct tmap_clock *clock, int kind, int64_t messages, int64_t times,
			   int64_t bytes, struct tmap_error *err);

/** Time what is open. */
int tmap_clock_end(struct tmap_clock *clock, struct tmap_error *err);

/** When the last rank is through, and which it is, the first of several; after the end. */
double tmap_clock_last(const struct tmap_clock *clock, int *rank);

#endif
