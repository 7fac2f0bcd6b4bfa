/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/text/text_profile.h"

/* Which distances of the job the profile does not know. Switches are not missed: rows need not tell
 * them apart. */
static void write_span(FILE *out, const struct tmap_profile *profile)
{
	int first = profile->row[0].distance, last = profile->row[profile->row_count - 1].distance;
	int most = profile->job_most < TMAP_PROFILE_OTHER_NODE ? profile->job_most :
								 TMAP_PROFILE_OTHER_NODE;

	if (profile->job_most && profile->job_least < first)
		fprintf(out, "costs of %s know no distance below %d: as at %d\n",
			profile->word.name, first, first);
	if (last < most)
		fprintf(out, "costs of %s know no distance %d and more: as at %d\n",
			profile->word.name, most, last);
}

void tmap_text_write_profile(FILE *out, const struct tmap_profile *profile)
{
	const struct tmap_calibration *calibration = profile->calibration;
	char reason[TMAP_PROFILE_ROOM];

	fprintf(out, "costs of %s, %s: %s\n", profile->word.name, tmap_profile_kind(profile),
		tmap_profile_print_reason(profile, reason));
	write_span(out, profile);
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
