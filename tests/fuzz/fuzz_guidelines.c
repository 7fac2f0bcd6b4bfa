/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes as measured times of guidelines: refused as bad input, or every time is positive. */
#include "formats/machine/json_placement.h"
#include "formats/report/guidelines/guidelines_read.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_measured(struct tmap_guidelines *guidelines, const uint8_t *data, size_t size)
{
	struct tmap_error err;
	struct tmap_json doc;
	bool refused;

	if (tmap_json_parse(&doc, (const char *)data, size, "fuzz", &err) < 0)
		return;
	refused = tmap_json_get_measured(&doc, guidelines, &err) < 0;
	if (refused && err.kind != TMAP_INPUT)
		abort();
	for (int i = 0; i < guidelines->count; i++) {
		const struct tmap_guideline *it = &guidelines->guideline[i];

		if (it->is_measured && !(it->measured_native_s > 0 && it->measured_mockup_s > 0))
			abort();
	}
	tmap_json_fini(&doc);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char four_ranks[] =
		"{\"kind\": \"placement\", \"format\": 1, \"size\": 4, \"topologies\": "
		"[{\"pus\": \"0-1\"}], \"nodes\": [{\"names\": \"n[0-1]\", \"topology\": 0}], "
		"\"places\": [{\"topology\": 0, \"pus\": \"0\", \"bound\": true}], "
		"\"ranks\": {\"node\": \"0,0,1,1\", \"place\": \"0*4\"}}";
	const struct tmap_guidelines_request request = { .collective = TMAP_BCAST,
							 .bytes = 8,
							 .profile = tmap_profile_at(0) };
	struct tmap_guidelines guidelines;
	struct tmap_placement p;
	struct tmap_error err;

	if (tmap_placement_parse_json(&p, four_ranks, strlen(four_ranks), "job", &err) < 0 ||
	    tmap_guidelines_init(&guidelines, &p, &request, &err) < 0)
		abort();
	read_measured(&guidelines, data, size);
	tmap_guidelines_fini(&guidelines);
	tmap_placement_fini(&p);
	return 0;
}
