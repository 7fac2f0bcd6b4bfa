/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/text/text_sharing.h"

void tmap_text_write_sharing(FILE *out, int sharing)
{
	if (sharing)
		fprintf(out,
			"%d ranks share a core with others; times count each as alone (topomap "
			"inspect --lint)\n",
			sharing);
}
