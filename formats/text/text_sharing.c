/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/text/text_sharing.h"

#include "core/machine/overlap.h"
#include "formats/base/amount.h"

void tmap_text_write_sharing(FILE *out, int sharing, const struct tmap_placement *placement,
			     const struct tmap_profile *profile)
{
	char wait[TMAP_SECONDS_ROOM];

	if (!sharing)
		return;
	fprintf(out, "%d ranks share a %s with others", sharing,
		tmap_overlap_unit(placement->machine));
	if (profile && profile->shared_core_s > 0)
		fprintf(out, ": a message waits %s for each of these\n",
			tmap_seconds_print(profile->shared_core_s, wait));
	else
		fputs("; times count each as alone (topomap inspect --lint)\n", out);
}

int tmap_text_write_sharing_of(FILE *out, const struct tmap_placement *placement,
			       const struct tmap_profile *profile, struct tmap_error *err)
{
	int sharing;

	if (tmap_overlap_count(&sharing, placement, err) < 0)
		return -1;
	tmap_text_write_sharing(out, sharing, placement, profile);
	return 0;
}
