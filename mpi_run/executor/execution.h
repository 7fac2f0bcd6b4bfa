/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * execution.h - steps at work: started, tested until it has ended, started again.
 *
 *     tmap_execution_init(&it, &steps, area, &transport, err)
 *     tmap_execution_start(&it, err)
 *     while (!ended)
 *             tmap_execution_test(&it, false, &ended, err)        other work in between
 *     tmap_execution_fini(&it)
 *
 * Who does nothing else in between has all of that, and cheaper, in tmap_execution_run().
 */
#ifndef TMAP_MPI_RUN_EXECUTOR_EXECUTION_H
#define TMAP_MPI_RUN_EXECUTOR_EXECUTION_H

#include "mpi_run/executor/transport.h"

/** Bytes that are moved as they are. */
struct tmap_plain_copy {
	char *target;
	const char *source;
	size_t bytes;
};

struct tmap_execution {
	/* from the first to the end, as is best for these steps */
	int (*run)(struct tmap_execution *execution, struct tmap_error *err);
	const struct tmap_steps *steps;
	const struct tmap_transport *transport;
	char *area[TMAP_AREAS];
	int *waits; /* [steps]: for how many others each still waits */
	/* those that may begin, the first first: receives, so that no message comes before its
	   receive, and behind them the others */
	struct tmap_ready {
		size_t *step, first, end; /* [steps] */
	} receives, others;
	size_t left;                /* steps that have not ended, */
	size_t message_count;       /* of all: */
	size_t to_begin, under_way; /* those that have not begun, and have not ended */
	bool is_started;
	struct tmap_line_part *line; /* [part_count]; NULL: they are no line */
	size_t part_count;
	/* of a line of messages, what is copied before and behind it, if all of it is bytes as they are */
	struct tmap_plain_copy *copy, *copy_middle, *copy_end;
};

/** @p steps and @p transport must last as long; scratch is the caller's, too: steps->scratch_bytes.
 *  O(steps) memory. */
int tmap_execution_init(struct tmap_execution *execution, const struct tmap_steps *steps,
			char *const area[TMAP_AREAS], const struct tmap_transport *transport,
			struct tmap_error *err);
void tmap_execution_fini(struct tmap_execution *execution);

/** Begin anew; not while it is under way. */
int tmap_execution_start(struct tmap_execution *execution, struct tmap_error *err);

/** Go on as far as one can, or, if @p waits, to the end; *ended: has it ended? After an error it
 *  cannot be used any more, but for fini. */
int tmap_execution_test(struct tmap_execution *execution, bool waits, bool *ended,
			struct tmap_error *err);

/** Start, and go on to the end. Messages that nothing could overtake are waited for as they are begun:
 *  the only one under way while no other may begin, and the last one; so that a rank that has but
 *  one message, or one after the other, makes the calls that one would write by hand, also where it
 *  sends one and receives one at once. */
int tmap_execution_run(struct tmap_execution *execution, struct tmap_error *err);

#endif
