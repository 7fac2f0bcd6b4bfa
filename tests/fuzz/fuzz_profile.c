/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes as a cost profile: refused as bad input, or what was read is one, and has a row
 * for every message. */
#include "formats/machine/json_profile.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const int64_t bytes[] = { 0, 1, 8192, INT64_MAX };
	struct tmap_profile_request choice;
	struct tmap_error err;

	if (tmap_profile_parse(&choice, (const char *)data, size, "fuzz", NULL, &err) < 0) {
		if (err.kind != TMAP_INPUT)
			abort();
		return 0;
	}
	if (tmap_profile_check(&choice.profile, &err) < 0)
		abort();
	for (int distance = 1; distance < 12; distance++)
		for (int b = 0; b < 4; b++) {
			const struct tmap_profile_row *row =
				tmap_profile_find(&choice.profile, distance, bytes[b]);

			if (!(row->latency_s >= 0) || !(row->byte_s >= 0))
				abort();
		}
	tmap_profile_request_fini(&choice);
	return 0;
}
