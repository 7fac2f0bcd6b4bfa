/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes as a cost profile: refused as bad input, or what was read is one, has a row for every
 * message, and is read again where it can be written. */
#include "formats/machine/json_profile.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What is written is read again, unless a distance has more rows than pieces. */
static void write_and_read(const struct tmap_profile *profile)
{
	struct tmap_profile_request again;
	struct tmap_error err;
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);
	int status;

	if (!out)
		return;
	status = tmap_profile_write_json(profile, out, &err);
	fclose(out);
	if (status == 0) {
		if (tmap_profile_parse(&again, text, length, "again", NULL, &err) < 0 ||
		    again.profile.row_count != profile->row_count ||
		    again.profile.point_count != profile->point_count ||
		    !again.profile.calibration != !profile->calibration)
			abort();
		tmap_profile_request_fini(&again);
	}
	free(text);
}

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
	write_and_read(&choice.profile);
	tmap_profile_request_fini(&choice);
	return 0;
}
