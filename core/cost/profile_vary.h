/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * profile_vary.h - a profile with one kind of its costs changed: machines that may be, around one that is.
 *
 *     0   as it is                        latencies and rates are half and twice theirs, within
 *     1   between nodes, latency x 1/2    nodes, between packages and between nodes;
 *     ...                                 a network that is tapered; and one whose messages
 *         eager                           below 64 KiB leave whether or not anybody waits for them
 *
 * What holds for all of these does not hang on the digits of any.
 */
#ifndef TMAP_CORE_COST_PROFILE_VARY_H
#define TMAP_CORE_COST_PROFILE_VARY_H

#include "core/cost/profile.h"

struct tmap_profile_varied {
	struct tmap_profile
		profile; /**< borrows from the one that it is made of, and from the rest */
	struct tmap_profile_row *row;
	struct tmap_profile_link *link, *adapter;
};

/** How many variations there are, number 0 among them. */
int tmap_profile_variations(void);

/** What a variation changes, in a few words: "latency between nodes x 1/2"; "" of number 0. */
const char *tmap_profile_variation(int number);

/** Is there such a machine? Not where a message within a node, of 8 bytes or of 1 MiB, would take longer
 *  than one between nodes, and more so than by the profile itself. O(rows). */
bool tmap_profile_varied_is_plausible(const struct tmap_profile_varied *varied,
				      const struct tmap_profile *profile);

/** Variation @p number of a profile, which must outlive it. Release in any case. O(rows + links). */
int tmap_profile_vary(struct tmap_profile_varied *varied, const struct tmap_profile *profile,
		      int number, struct tmap_error *err);
void tmap_profile_varied_fini(struct tmap_profile_varied *varied);

#endif
