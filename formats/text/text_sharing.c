/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/text/text_sharing.h"

#include "core/machine/overlap.h"

void tmap_text_write_sharing(FILE *out, int sharing)
{
	if (sharing)
		fprintf(out,
			"%d ranks share a core with others; times count each as alone (topomap "
			"inspect --lint)\n",
			sharing);
}

int tmap_text_write_sharing_of(FILE *out, const struct tmap_placement *placement,
			       struct tmap_error *err)
{
	int sharing;

	if (tmap_overlap_count(&sharing, placement, err) < 0)
		return -1;
	tmap_text_write_sharing(out, sharing);
	return 0;
}
