/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * profile.h - what a message costs: latency and bandwidth by process distance and size.
 *
 *     seconds = latency_s + bytes x byte_s
 *
 * of the row for the largest distance that is not above the message's, and there of the
 * first size that it is below (libraries send short, eager and rendezvous messages in
 * different ways). Distances beyond the last row cost as that one does.
 *
 * A memory controller moves a byte in memory_byte_s, a node's network adapter in
 * adapter_byte_s; 0 where nothing is known, and nothing is charged. So it is for what else
 * ranks share, by level: what leaves a package, or a switch.
 */
#ifndef TMAP_CORE_COST_PROFILE_H
#define TMAP_CORE_COST_PROFILE_H

#include "core/base/keyword.h"

#include <stdint.h>

struct tmap_profile_row {
	int distance;        /**< from this process distance on */
	int64_t below_bytes; /**< messages of fewer bytes; INT64_MAX: of any size */
	double latency_s;
	double byte_s;
};

/** What lies around each object of a level: bytes leave and enter it in byte_s each. */
struct tmap_profile_link {
	const char *level; /**< "package", "switch1" */
	double byte_s;
};

struct tmap_profile {
	struct tmap_keyword word;
	const char *source; /**< where the numbers come from, as a sentence */
	int row_count;
	const struct tmap_profile_row *row; /**< rising by distance, then by size */
	double memory_byte_s;
	double adapter_byte_s;
	double overhead_s;    /**< a rank's own part in each message but the first of a round */
	double copy_byte_s;   /**< a rank copies within its memory */
	double reduce_byte_s; /**< a rank combines what came with what it has */
	int link_count;
	const struct tmap_profile_link *link;
};

/** Published profiles by name; the rows are struct tmap_profile, the first one is the default. */
extern const struct tmap_keywords tmap_profiles;

/** Profile @p index of that table. */
const struct tmap_profile *tmap_profile_at(int index);

/** The row for a message; a checked profile always has one. O(rows). */
const struct tmap_profile_row *tmap_profile_find(const struct tmap_profile *profile,
						 double distance, int64_t bytes);

/** Refuses rows that are out of order or leave sizes out, and numbers that are negative or not
 *  finite, naming the row. */
int tmap_profile_check(const struct tmap_profile *profile, struct tmap_error *err);

#endif
