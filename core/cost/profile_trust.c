/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/cost/profile_trust.h"

#include "core/machine/placement_digest.h"

#include <string.h>

bool tmap_calibration_has_few_choices(const struct tmap_calibration *calibration)
{
	return calibration->choices > 0 && calibration->choices < TMAP_PROFILE_LEAST_CHOICES;
}

int tmap_calibration_telling(const struct tmap_calibration *calibration)
{
	return calibration->choices - calibration->choices_tied;
}

bool tmap_calibration_has_few_telling(const struct tmap_calibration *calibration)
{
	return calibration->choices >= TMAP_PROFILE_LEAST_CHOICES &&
		tmap_calibration_telling(calibration) < TMAP_PROFILE_LEAST_CHOICES;
}

bool tmap_calibration_is_unjudged(const struct tmap_calibration *calibration)
{
	return (!calibration->has_rho && !calibration->choices) ||
		tmap_calibration_has_few_choices(calibration) ||
		tmap_calibration_has_few_telling(calibration);
}

const char *tmap_calibration_doubt(const struct tmap_calibration *calibration)
{
	if (!tmap_calibration_is_unjudged(calibration))
		return NULL;
	return calibration->collectives || calibration->choices ?
		"had too few cases to tell how well it does" :
		"measured no collective in full: how well it predicts is not known";
}

bool tmap_profile_is_poor_rho(const struct tmap_profile *profile)
{
	const struct tmap_calibration *it = profile->calibration;

	return it && it->has_rho && !tmap_calibration_has_few_choices(it) &&
		it->rho < TMAP_PROFILE_GOOD_RHO;
}

bool tmap_profile_is_poor_regret(const struct tmap_profile *profile)
{
	const struct tmap_calibration *it = profile->calibration;

	return it && !tmap_calibration_has_few_choices(it) && it->regret > TMAP_PROFILE_GOOD_REGRET;
}

bool tmap_profile_is_poor_choices(const struct tmap_profile *profile)
{
	const struct tmap_calibration *it = profile->calibration;

	return it && !tmap_calibration_has_few_choices(it) &&
		!tmap_calibration_has_few_telling(it) &&
		it->choices_near < TMAP_PROFILE_GOOD_CHOICES * tmap_calibration_telling(it);
}

bool tmap_profile_is_poor(const struct tmap_profile *profile)
{
	return tmap_profile_is_poor_rho(profile) || tmap_profile_is_poor_choices(profile) ||
		tmap_profile_is_poor_regret(profile);
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
