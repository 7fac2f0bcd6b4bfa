/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * profile_trust.h - how far what a profile predicts is to be believed.
 *
 *     rho 0.97, first choice near in 19 of 20, on this placement     good
 *     rho 0.72                                                       poor
 *     rho 0.95, first choice near in 11 of 20                        poor
 *     rho 0.95, first choice near in 13 of 20, in 3 tied             good: 13 of 17
 *     rho 0.95, first choice near in 1 of 20, in 18 tied             too few that tell
 *     rho 0.95, regret 2.1                                           poor
 *     rho 0.72, first choice near in 1 of 2                          too few cases to tell
 *     digest 5c1e... of a job that has another                       of another placement
 *
 * A profile without a calibration promises nothing, and so is neither.
 */
#ifndef TMAP_CORE_COST_PROFILE_TRUST_H
#define TMAP_CORE_COST_PROFILE_TRUST_H

#include "core/cost/profile.h"
#include "core/machine/placement.h"

/** Below this rank correlation of predicted and measured a calibration is poor. */
#define TMAP_PROFILE_GOOD_RHO 0.9

/** And below this share of first choices that are near the best, of those of which that is known. */
#define TMAP_PROFILE_GOOD_CHOICES 0.75

/** And above this mean of what first choices take over what the best do: as much as of first choices
 *  one of four makes that takes twice as long. */
#define TMAP_PROFILE_GOOD_REGRET 1.2

/** With fewer cases none of these is known: of a profile whose first choice is near the best in 95 % of all
 *  cases one of ten would be called poor by two cases, one of seven by three, and one of 70 by four. */
#define TMAP_PROFILE_LEAST_CHOICES 4

/** Were there too few cases to tell how well it predicts? Not where their number is not known. */
bool tmap_calibration_has_few_choices(const struct tmap_calibration *calibration);

/** Cases in which the first choice can be told from the best, if it is not near. */
int tmap_calibration_telling(const struct tmap_calibration *calibration);

/** Were there cases enough, but too few that tell? */
bool tmap_calibration_has_few_telling(const struct tmap_calibration *calibration);

/** Is it open how well it predicts, as nothing was checked, or too few cases were that tell? */
bool tmap_calibration_is_unjudged(const struct tmap_calibration *calibration);

/** Why it is open, behind "its calibration"; NULL: it is not. */
const char *tmap_calibration_doubt(const struct tmap_calibration *calibration);

/** Is its calibration poor, by one of them? */
bool tmap_profile_is_poor_rho(const struct tmap_profile *profile);
bool tmap_profile_is_poor_regret(const struct tmap_profile *profile);
bool tmap_profile_is_poor_choices(const struct tmap_profile *profile);
bool tmap_profile_is_poor(const struct tmap_profile *profile);

/** Has it no costs between nodes? Then those of its largest distance are taken. */
bool tmap_profile_lacks_network(const struct tmap_profile *profile);

/** Was it calibrated while the machine was not quiet? */
bool tmap_profile_is_noisy(const struct tmap_profile *profile);

/** Set knows_placement and is_same_placement: was it calibrated on this placement? That is not
 *  known of a sub-communicator, nor where the calibration does not say on which. O(p). */
int tmap_profile_compare_placement(struct tmap_profile *profile,
				   const struct tmap_placement *placement, struct tmap_error *err);

#endif
