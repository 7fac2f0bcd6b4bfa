/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes as a campaign: refused as bad input, or it has experiments, each of a collective, with a
 * word for its algorithm and numbers that can be. */
#include "core/base/mem.h"
#include "formats/report/times/campaign.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tmap_campaign campaign;
	struct tmap_error err;
	char *text = malloc(size + 1);

	memcpy(text, data, size);
	text[size] = '\0';
	if (tmap_campaign_parse(&campaign, text, &err) < 0) {
		if (err.kind != TMAP_INPUT)
			abort();
		free(text);
		return 0;
	}
	if (campaign.count < 1)
		abort();
	for (int i = 0; i < campaign.count; i++) {
		const struct tmap_experiment *it = &campaign.line[i].call;

		if ((int)it->collective >= TMAP_COLLECTIVE_COUNT || it->mode >= TMAP_MODES ||
		    !it->algorithm[0] || it->bytes < 0 || it->root < 0 || it->repetitions < 0 ||
		    campaign.line[i].number < 2)
			abort();
	}
	tmap_campaign_fini(&campaign);
	free(text);
	return 0;
}
