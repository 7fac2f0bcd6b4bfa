/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * messages.h - a transport between executions of one process, for tests: as unfriendly as MPI may
 * be.
 *
 * Messages of different pairs overtake each other, and wait for no reason. Some are taken from the
 * sender's memory at once, the others when they are delivered, and their sends end only then. What
 * is about to be received into is spoilt as soon as the receive begins. Who is ready to go on and
 * who is not is drawn by lot; a seed makes the same run again.
 */
#ifndef TMAP_TESTS_SUPPORT_MESSAGES_H
#define TMAP_TESTS_SUPPORT_MESSAGES_H

#include "mpi_run/executor/execution.h"
#include "tests/support/machines.h"

struct messages;

/** Between so many ranks. All elements are those of @p element; @p op: target = source op target,
 *  of size bytes each. */
struct messages *messages_new(int ranks, const struct tmap_data_element *element,
			      void (*op)(const char *source, char *target), bool is_commutative,
			      struct dice dice);
void messages_free(struct messages *messages);

/** Of one rank. */
const struct tmap_transport *messages_transport(struct messages *messages, int rank);

/** Have all that were sent been received, and nothing is left? */
bool messages_is_empty(const struct messages *messages);

/** Deliver any that can be delivered; false where there are none: who waits then waits for ever. */
bool messages_deliver(struct messages *messages);

/** What ranks do that wait where they are, as in tmap_execution_run(): a thread for each, of which one
 *  works at a time, and gives way where it waits. They go on by lot, as messages are delivered. false:
 *  those that are left wait for ever, and so do their threads. */
bool messages_run_ranks(struct messages *messages, void (*work)(void *data, int rank), void *data);

#endif
