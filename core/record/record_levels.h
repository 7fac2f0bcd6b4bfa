/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record_levels.h - over which levels of the machine the ranks communicated, as launched.
 *
 *     level[0]         in a core           ranks that share an object of the innermost level
 *     level[1]         in a node           that share one of this level, and none further in
 *     level[count-1]   beyond              that share none
 */
#ifndef TMAP_CORE_RECORD_RECORD_LEVELS_H
#define TMAP_CORE_RECORD_RECORD_LEVELS_H

#include "core/machine/levels.h"
#include "core/record/record.h"

enum {
	TMAP_RECORD_VISITS_MOST = 1 << 25 /**< pairs, and ranks of all kinds of calls, of which the
					     messages of collectives are counted */
};

struct tmap_record_level {
	const char *name; /**< of the level, borrowed; NULL: beyond all */
	double bytes;     /**< sent from a rank to another, without collectives */
	double all_bytes; /**< the same, and of collectives */
};

struct tmap_record_levels {
	int count;
	struct tmap_record_level *level; /**< [count], innermost first */
	bool is_counted; /**< false: there are more than TMAP_RECORD_PAIRS_MOST pairs */
	bool has_calls; /**< all_bytes are there: there are collectives, not too many, of fewer than 2^63 bytes */
	int left_out; /**< kinds of calls among several ranks that all_bytes are without */
};

/** The levels of the record's placement, which must outlive it; @p pairs as tmap_record_totals
 *  has them. Collectives are those of library @p library. O(pairs x levels), and what
 *  tmap_record_traffic_init() and tmap_crossings_count() take. */
int tmap_record_levels_init(struct tmap_record_levels *it, const struct tmap_record *record,
			    const struct tmap_levels *levels, int64_t pairs, int library,
			    struct tmap_error *err);
void tmap_record_levels_fini(struct tmap_record_levels *it);

#endif
