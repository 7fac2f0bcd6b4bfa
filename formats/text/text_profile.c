/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/text/text_profile.h"

void tmap_text_write_profile(FILE *out, const struct tmap_profile *profile)
{
	const struct tmap_calibration *calibration = profile->calibration;
	char reason[TMAP_PROFILE_ROOM];

	fprintf(out, "costs of %s, %s: %s\n", profile->word.name, tmap_profile_kind(profile),
		tmap_profile_print_reason(profile, reason));
	if (calibration && calibration->rho < TMAP_PROFILE_GOOD_RHO)
		fprintf(out,
			"a poor calibration: predicted and measured times have a rank correlation of "
			"%.2f\n",
			calibration->rho);
}

void tmap_json_put_profile_choice(struct tmap_json_writer *w, const struct tmap_profile *profile)
{
	char reason[TMAP_PROFILE_ROOM];

	tmap_json_put_string(w, "profile", profile->word.name);
	tmap_json_put_string(w, "profile_kind", tmap_profile_kind(profile));
	tmap_json_put_string(w, "profile_reason", tmap_profile_print_reason(profile, reason));
}
