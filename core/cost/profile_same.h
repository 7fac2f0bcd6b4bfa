/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * profile_same.h - profiles with the same costs, and those with others.
 *
 *     topomap profile summit -o ours.json     summit: the same name and costs
 *     "name" becomes "ours"                   the costs of summit, but another profile
 *     "latency_s" becomes 2e-06               nothing published
 *
 * So what is asked how far an answer hangs on its costs is not asked of the same costs again.
 */
#ifndef TMAP_CORE_COST_PROFILE_SAME_H
#define TMAP_CORE_COST_PROFILE_SAME_H

#include "core/cost/profile.h"

/** Do all messages cost the same, but for what is lost when rates are written and read? Names,
 *  sources and calibrations do not matter. O(rows + links). */
bool tmap_profile_is_same(const struct tmap_profile *a, const struct tmap_profile *b);

/** The published profile of the same name and costs, or NULL. */
const struct tmap_profile *tmap_profile_find_published(const struct tmap_profile *profile);

/** The next published profile, from number *index on, whose costs are others; NULL: there are no
 *  more. Begin with 0. */
const struct tmap_profile *tmap_profile_next_other(const struct tmap_profile *profile, int *index);

#endif
