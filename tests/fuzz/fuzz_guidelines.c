/* Any bytes as measured times of guidelines: refused as bad input, or every time is positive. */
#include "formats/report/guidelines/json_guidelines.h"
#include "formats/machine/json_placement.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_measured(struct tm_guidelines *guidelines, const uint8_t *data, size_t size)
{
	struct tm_error err;
	struct tm_json doc;
	bool refused;

	if (tm_json_parse(&doc, (const char *)data, size, "fuzz", &err) < 0)
		return;
	refused = tm_json_get_measured(&doc, guidelines, &err) < 0;
	if (refused && err.kind != TM_INPUT)
		abort();
	for (int i = 0; i < guidelines->count; i++) {
		const struct tm_guideline *it = &guidelines->guideline[i];

		if (it->is_measured && !(it->measured_native_s > 0 && it->measured_mockup_s > 0))
			abort();
	}
	tm_json_fini(&doc);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char four_ranks[] =
		"{\"kind\": \"placement\", \"format\": 1, \"size\": 4, \"topologies\": "
		"[{\"pus\": \"0-1\"}], \"nodes\": [{\"names\": \"n[0-1]\", \"topology\": 0}], "
		"\"places\": [{\"topology\": 0, \"pus\": \"0\", \"bound\": true}], "
		"\"ranks\": {\"node\": \"0,0,1,1\", \"place\": \"0*4\"}}";
	const struct tm_guidelines_request request = { .collective = TM_BCAST, .bytes = 8,
						       .profile = tm_profile_at(0) };
	struct tm_guidelines guidelines;
	struct tm_placement p;
	struct tm_error err;

	if (tm_placement_parse_json(&p, four_ranks, strlen(four_ranks), "job", &err) < 0 ||
	    tm_guidelines_init(&guidelines, &p, &request, &err) < 0)
		abort();
	read_measured(&guidelines, data, size);
	tm_guidelines_fini(&guidelines);
	tm_placement_fini(&p);
	return 0;
}
