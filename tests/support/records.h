/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * records.h - records for tests, of what ranks send and call, built without any file.
 *
 *     struct sent sent = { .size = 4 };
 *
 *     sent_add(&sent, 0, 1, 2, 400);          2 messages of 400 bytes from rank 0 to rank 1
 *     record_make(&record, &sent);            on two nodes
 *     record_add_communicator(&record, 4, NULL, "");
 */
#ifndef TMAP_TESTS_SUPPORT_RECORDS_H
#define TMAP_TESTS_SUPPORT_RECORDS_H

#include "core/record/record.h"

enum { SENT_RANKS_MOST = 64 };

/** What ranks send, as a matrix. */
struct sent {
	int size;
	int64_t messages[SENT_RANKS_MOST][SENT_RANKS_MOST], bytes[SENT_RANKS_MOST][SENT_RANKS_MOST];
};

/** So many messages more of one size. */
void sent_add(struct sent *sent, int from, int to, int64_t messages, int64_t size);

/** The record of ranks on two nodes, the first half on one, a core for each; of 10 seconds, by Open MPI
 *  4.1. */
void record_make(struct tmap_record *record, const struct sent *sent);

/** One more communicator: of the ranks rank[size], NULL: 0 to size - 1. */
void record_add_communicator(struct tmap_record *record, int size, const int *rank,
			     const char *topology);

/** One more kind of calls. */
void record_add_call(struct tmap_record *record, struct tmap_recorded_call call);

#endif
