/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cost.h - how long a schedule takes on a placement, by a cost profile.
 *
 * Each rank has a clock of its own (as in LogGP, and in max-plus algebra): nobody waits for a round
 * but for what he gets in it. Besides its clock it has a port for the bytes that leave and one for
 * those that come. A message of n bytes has the row of the profile for its distance and size, with
 * latency L (which has the overhead of both ranks in it), seconds a byte G and overhead o. Its bytes
 * keep a port for n P: where an adapter takes them, P is G of the largest messages, if that is less;
 * else it is G. In a round, with all clocks as they were when it began:
 *
 *     own       o of each of the two ranks; where one of them copies, n G more of its own; the
 *               receiver's n x seconds to reduce a byte, too
 *     ready     clock of the sender + its own for what it has sent before in this round; where an
 *               adapter takes the bytes, not before the port has sent what left by it before
 *     start     ready (eager); else the later of that and the receiver's clock
 *     head      start + L + what a message waits for others on the receiver's core: the first byte
 *               is there
 *     link      the later of its first head and the time when it was free
 *               + max(bytes x seconds a byte, messages x seconds a message) of all messages
 *               of the round that cross it: that is when all of these are through, and when it is
 *               free again. A node's adapters, a package, a switch, each way; what is read
 *               and written of a memory controller together
 *     done      the latest of head + n G, port + o + n P and the links it crosses, where port is
 *               when the receiver had taken what came before; + n x seconds to reduce a byte
 *     sender    its clock goes on after its own; for what begins when both are ready, after o + n P;
 *               and after a rendezvous that it awaits, when its receiver has all of the round
 *     receiver  its clock goes on after its own, and when it has all of the round: of several
 *               messages, not before the first head - o (or port) + the sum of o + n P
 *     both      who sends or receives several in a round goes on after its own for all of them
 *
 * Eager messages of one sender leave one after another; those of a round that both ranks must be
 * ready for share the sender's port, also with what leaves it eagerly, and are done together. Who
 * copies is a member of the row: a receiver that pulls, or that copies out of shared memory, does so
 * when its own clock lets it, not its port's. A row that does not say who copies does so as through
 * shared memory within a node, else as by an adapter; one that does not say its protocol begins when
 * both ranks are ready, and its sender waits from 64 KiB on. The schedule ends with the last clock.
 *
 * So latency is paid once for eager messages that a rank sends one after another, whether in one
 * round or in several; a rendezvous in a round of its own is waited for, as a rank does that completes
 * each round. A ring between nodes takes the mean of its edges a round where messages are eager, and
 * the slowest edge where they are rendezvous.
 *
 * That is exact, message by message, a node at a time (core/cost/clock_shift.h), or by one node for all
 * that are like it (core/cost/clock_fold.h), for schedules of at most most_exact messages, all of whose
 * rounds are timed, and for all that are not repeated. Beyond that repetitions that are emitted as one are estimated (core/cost/clock_repeat.c):
 *
 *     trees     first piece + (pieces - 1) x the longest time between two pieces on its path
 *     rings     the sum of as many edges as there are rounds, or rounds x the busiest rank or link
 *     others    as the first thousands of messages went on
 *     all pairs everyone waits for the last one, then: in several rounds, each takes the latency
 *               of the farthest pair, and all of them the bytes at its rate, where a rank has one
 *               partner a round, else those of the busiest rank; or those of the busiest link
 *
 * What a rank copies besides (Bruck's rotation) comes on top. Contention inside the network
 * above the nodes is known only where the profile has a link for a switch level.
 */
#ifndef TMAP_CORE_COST_COST_H
#define TMAP_CORE_COST_COST_H

#include "core/cost/pair_kinds.h"
#include "core/cost/profile.h"
#include "core/schedule/schedule.h"

struct tmap_cost_link;
struct tmap_cost_room;

/** That takes milliseconds. */
enum { TMAP_COST_MOST_EXACT = 1 << 16 };

/** A placement with its profile, ready for schedules. */
struct tmap_cost_model {
	const struct tmap_profile *profile;  /**< borrowed */
	struct tmap_pair_kinds kinds;        /**< where ranks are */
	const struct tmap_profile_row **row; /**< [steps]: first row of each step's distance */
	double *wait_s, *wait_of_s; /**< [size]: what a message waits for others on the core
					  of its receiver, by rank, and by rank of the placement;
					  NULL: nothing */
	int link_count;
	struct tmap_cost_link *link;
	struct tmap_cost_room *room; /**< the clocks of the ranks; NULL before the first call */
	uint32_t stamp;              /**< of the round at hand; grows from call to call */
	int64_t most_exact;          /**< schedules of so many messages are timed round by round:
					  TMAP_COST_MOST_EXACT; whoever wants otherwise sets it */
};

/** A model of a placement; all four must outlive it. A level that the profile has a link for and
 *  the placement has not is passed over. Time and memory of tmap_pair_kinds_init(), and O(objects). */
int tmap_cost_model_init(struct tmap_cost_model *model, const struct tmap_placement *placement,
			 const struct tmap_metric *process, const struct tmap_levels *levels,
			 const struct tmap_profile *profile, struct tmap_error *err);
void tmap_cost_model_fini(struct tmap_cost_model *model);

/** From now on rank r is where rank place_of[r] of the placement is; NULL: where it is by the
 *  placement. Far cheaper than another model: O(p), nothing is allocated. A call that follows
 *  distances follows those of its own metric, not of the places here. */
void tmap_cost_model_place(struct tmap_cost_model *model, const int *place_of);

/** Release what is there for calls alone: clocks, lists of messages, and what ranks have that have several
 *  in a round. It is taken again where it is needed. For who asks for few calls of many ranks. */
void tmap_cost_model_rest(struct tmap_cost_model *model);

/** The same, but that it keeps the clocks that nearly every schedule needs, of 24 bytes a rank. */
int tmap_cost_model_doze(struct tmap_cost_model *model, struct tmap_error *err);

/** *seconds = how long a call of as many ranks takes. O(messages of the folded schedule x
 *  links) time; memory beyond the model's is 32 bytes a rank, 4 more where ranks of a round may have
 *  several messages in it and 64 for each rank that has, and 8 for each message of a round, and of
 *  rounds that overlap, that does not come in shifts, 16 where their bytes differ; and 24 a load
 *  of a link, 32 a gate of a node (clock_even.h). */
int tmap_cost(double *seconds, struct tmap_cost_model *model, const struct tmap_call *call,
	      struct tmap_error *err);

/** The same, round by round whatever their number: nothing is estimated. O(all messages x links)
 *  time. */
int tmap_cost_by_rounds(double *seconds, struct tmap_cost_model *model,
			const struct tmap_call *call, struct tmap_error *err);

/** What a schedule moves. */
struct tmap_moved {
	int64_t rounds;
	int64_t *messages, *bytes; /**< by kind of pair, as model.kinds has them; without all
					pairs */
	int pairs_count;
	struct tmap_all_pairs *pairs; /**< [pairs_count]: those emitted as one */
	size_t pairs_capacity;
};

/** The same, and what it moves, in one go over the schedule. Refuses sums above 2^63 - 1
 *  (TMAP_INPUT). */
int tmap_cost_and_moved(double *seconds, struct tmap_moved *moved, struct tmap_cost_model *model,
			const struct tmap_call *call, struct tmap_error *err);
void tmap_moved_fini(struct tmap_moved *moved);

#endif
