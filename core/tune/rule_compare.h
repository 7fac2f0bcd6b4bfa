/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rule_compare.h - what two rule files of Open MPI make the library do, and how long that takes.
 *
 *     bcast, 16 ranks     1 to 4095 bytes       knomial              knomial    the same: not a row
 *                         4096 to 65535         own (binomial_near)  binary     80 us    60 us
 *                         65536 to 4194304      pipeline             binary     900 us   1.1 ms
 */
#ifndef TMAP_CORE_TUNE_RULE_COMPARE_H
#define TMAP_CORE_TUNE_RULE_COMPARE_H

#include "core/tune/rule_file.h"
#include "core/tune/tune_places.h"

struct tmap_rule_deed {
	char *name; /**< an algorithm for tmap_call_parse(), owned; NULL: it is not known */
	const struct tmap_rule *rule; /**< of the file, borrowed; NULL: it is its own */
	bool is_own;    /**< there is no rule, or one for algorithm 0: the fixed rules took it */
	double seconds; /**< INFINITY: that is not known */
};

/** Sizes of calls at which both do the same all the way. */
struct tmap_rule_range {
	int number;                   /**< of the collective */
	int first_place, place_count; /**< communicators of one size, of the places */
	int64_t from, to;             /**< bytes, as MPI counts them; 0 of a barrier */
	int64_t shown;                /**< the size at which the times differ most, and are these */
	bool is_measured;             /**< these are measured, else predicted */
	struct tmap_rule_deed a, b;
};

struct tmap_rule_comparison {
	const struct tmap_tune_places *places; /**< borrowed */
	int library;
	int64_t most;
	int same;    /**< ranges in which both do the same */
	int unknown; /**< collectives that a file has and whose algorithms are not known */
	int count;
	size_t capacity;
	struct tmap_rule_range *range; /**< [count]: by collective, ranks and bytes, where they
					    differ */
};

/** Of those of @p collectives (bit i: that of enum tmap_collective; 0: all) that either has rules for, on
 *  all communicators, at sizes up to @p most. Where one
 *  does something else between two of the sizes 1, 2, 4, ... elements and of those of the rules alone,
 *  that is not seen. Measured times (tmap_tune_places_measure()) are taken where both are known.
 *  Of files of coll/han, both or beside a zeroed one, what that does by itself is the library's own; coll/tuned
 *  has a call by its fixed rules, as a file of its own is not known.
 *  O(sizes) times of two schedules for each communicator. */
int tmap_rule_comparison_init(struct tmap_rule_comparison *comparison,
			      const struct tmap_rule_file *a, const struct tmap_rule_file *b,
			      uint64_t collectives, int library,
			      const struct tmap_tune_places *places, int64_t most,
			      struct tmap_error *err);
void tmap_rule_comparison_fini(struct tmap_rule_comparison *comparison);

#endif
