/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/cost/profile_trust.h"

#include "core/machine/placement_digest.h"

#include <string.h>

bool tmap_calibration_knows_rho(const struct tmap_calibration *calibration)
{
	/* older documents have one without the number of collectives */
	return calibration->collectives > 0 || calibration->rho != 0;
}

bool tmap_calibration_has_few_choices(const struct tmap_calibration *calibration)
{
	return calibration->choices > 0 && calibration->choices < TMAP_PROFILE_LEAST_CHOICES;
}

bool tmap_profile_is_poor_rho(const struct tmap_profile *profile)
{
	const struct tmap_calibration *it = profile->calibration;

	return it && tmap_calibration_knows_rho(it) && !tmap_calibration_has_few_choices(it) &&
		it->rho < TMAP_PROFILE_GOOD_RHO;
}

bool tmap_profile_is_poor_choices(const struct tmap_profile *profile)
{
	const struct tmap_calibration *it = profile->calibration;

	return it && !tmap_calibration_has_few_choices(it) &&
		it->choices_near + it->choices_tied < TMAP_PROFILE_GOOD_CHOICES * it->choices;
}

bool tmap_profile_is_poor(const struct tmap_profile *profile)
{
	return tmap_profile_is_poor_rho(profile) || tmap_profile_is_poor_choices(profile);
}

bool tmap_profile_is_noisy(const struct tmap_profile *profile)
{
	return profile->calibration && profile->calibration->knows_quiet &&
		!profile->calibration->is_quiet;
}

int tmap_profile_compare_placement(struct tmap_profile *profile,
				   const struct tmap_placement *placement, struct tmap_error *err)
{
	char digest[TMAP_PLACEMENT_DIGEST_ROOM];

	profile->knows_placement = profile->calibration && profile->calibration->placement &&
		!placement->world;
	if (!profile->knows_placement)
		return 0;
	if (tmap_placement_digest(placement, digest, err) < 0)
		return -1;
	profile->is_same_placement = strcmp(digest, profile->calibration->placement) == 0;
	return 0;
}

bool tmap_profile_lacks_network(const struct tmap_profile *profile)
{
	return profile->row[profile->row_count - 1].distance < TMAP_PROFILE_OTHER_NODE;
}
