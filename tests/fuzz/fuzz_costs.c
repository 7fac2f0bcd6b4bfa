/* SPDX-License-Identifier: BSD-3-Clause */
/* The first byte chooses a form, the others are a file of it: refused as bad input, or what is made of
 * it over a published profile is a profile, is written, and is read again. */
#include "formats/costs/costs.h"
#include "formats/machine/json_profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void write_and_read(const struct tmap_profile *profile)
{
	struct tmap_profile_request again;
	struct tmap_error err;
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);

	if (!out)
		return;
	if (tmap_profile_write_json(profile, out, &err) < 0 || fclose(out) != 0 ||
	    tmap_profile_parse(&again, text, length, "again", NULL, &err) < 0)
		abort();
	if (again.profile.row_count != profile->row_count ||
	    again.profile.point_count != profile->point_count)
		abort();
	tmap_profile_request_fini(&again);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tmap_profile_draft draft;
	struct tmap_error err;
	struct tmap_spec form;
	int forms = 0;
	char *text;

	while (tmap_keywords_at(&tmap_cost_forms, (size_t)forms))
		forms++;
	if (!size || !(text = malloc(size)))
		return 0;
	memcpy(text, data + 1, size - 1);
	text[size - 1] = '\0';
	form = tmap_spec_preset(&tmap_cost_forms, data[0] % forms);
	if (tmap_profile_draft_init(&draft, tmap_profile_at(0), &err) < 0)
		abort();
	if (tmap_costs_parse(&draft, &form, text, &err) < 0) {
		if (err.kind != TMAP_INPUT && err.kind != TMAP_SYSTEM)
			abort();
	} else if (tmap_profile_check(&draft.profile, &err) < 0) {
		abort();
	} else {
		write_and_read(&draft.profile);
	}
	tmap_profile_draft_fini(&draft);
	free(text);
	return 0;
}
