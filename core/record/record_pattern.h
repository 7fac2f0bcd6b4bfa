/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record_pattern.h - a record as one matrix of bytes from rank to rank: its messages, and those of all its
 * collectives as they were launched.
 */
#ifndef TMAP_CORE_RECORD_RECORD_PATTERN_H
#define TMAP_CORE_RECORD_RECORD_PATTERN_H

#include "core/record/record_traffic.h"

struct tmap_record_pattern {
	struct tmap_pattern pattern;
	double bytes; /**< of all of it; below 2^63 */
	int left_out; /**< kinds of collective calls that are not in it */
};

/** By the algorithms of library @p library, a row of tmap_libraries. Refuses (TMAP_INPUT) more than
 *  TMAP_RECORD_VISITS_MOST pairs of ranks that send to each other, 2^63 bytes, and a record of which no
 *  rank sent anything to another one. What tmap_record_traffic_init() takes, O(entries) besides. */
int tmap_record_pattern_init(struct tmap_record_pattern *it, const struct tmap_record *record,
			     int library, struct tmap_error *err);
void tmap_record_pattern_fini(struct tmap_record_pattern *it);

/** Bytes of it between ranks of one node, where rank r is on node[r] of @p nodes. O(entries + p + nodes);
 *  -1 with *err set. */
double tmap_record_pattern_within(const struct tmap_record_pattern *it, const int *node, int nodes,
				  struct tmap_error *err);

#endif
