/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tune_gain.h - what the recorded calls of a program take by the rules, and by the library itself.
 *
 *     bcast     communicator 0    64 KiB    1000 calls    own 0.30 s    by the rules 0.20 s
 *     scan      communicator 2     8 B        10 calls    own 1 ms                   1 ms
 *                                                         0.301 s                    0.201 s
 */
#ifndef TMAP_CORE_TUNE_TUNE_GAIN_H
#define TMAP_CORE_TUNE_TUNE_GAIN_H

#include "core/tune/han_tuning.h"

/** Calls that are alike, and what a rule makes of one of them. */
struct tmap_tune_gain_call {
	const char *name; /**< what is chosen, borrowed from the tuning; NULL: there are none */
	int number;       /**< of the collective */
	int ranks;
	int64_t bytes, calls;
	bool is_measured;
	double own_s, seconds; /**< of one, by the library itself and by the rule */
};

struct tmap_tune_gain {
	int64_t calls;    /**< whose times are known, each once for its communicator */
	int64_t measured; /**< those of them whose times are measured */
	/** Calls that rules choose for, and whose times are not known, or that are on communicators that
	 *  were not timed. */
	int64_t left_out;
	int64_t others; /**< blocking calls of collectives that the search is not about */
	double own_s;   /**< by the library itself */
	/** By these rules: where there are some, the fixed ones take what they leave, as coll/han is set
	 *  aside. */
	double seconds;
	struct tmap_tune_gain_call most; /**< in which most time is gained, all together */
};

/** Of the places' communicators, which are those of the record: blocking calls of collectives with
 *  rules, as they were called. With @p han (NULL: it is set aside) coll/han has those that it keeps. */
int tmap_tune_gain_find(struct tmap_tune_gain *gain, const struct tmap_tuning *tuning,
			const struct tmap_han_tuning *han, const struct tmap_record *record,
			struct tmap_error *err);

#endif
