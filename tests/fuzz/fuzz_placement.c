/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes as a placement document: it is refused as bad input, or what was read is sound,
 * and written, read and written again it is the same text. */
#include "formats/machine/json_placement.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Numbers of more than four digits, and host lists with brackets that multiply, ask for large
 * jobs: allowed, and only slow. */
static bool is_large(const uint8_t *data, size_t size)
{
	int digits = 0, brackets = 0;
	bool in_string = false;

	for (size_t i = 0; i < size; i++) {
		in_string ^= data[i] == '"';
		digits = isdigit(data[i]) ? digits + 1 : 0;
		brackets = in_string ? brackets + (data[i] == '[') : 0;
		if (digits > 4 || brackets > 1)
			return true;
	}
	return false;
}

static char *write(const struct tmap_placement *p, size_t *length)
{
	struct tmap_error err;
	char *text = NULL;
	FILE *out = open_memstream(&text, length);

	if (!out || tmap_placement_write_json(p, out, NULL, &err) < 0)
		abort();
	fclose(out);
	return text;
}

static void check_round_trip(const struct tmap_placement *p)
{
	struct tmap_placement back;
	struct tmap_error err;
	size_t length, length_again;
	char *text = write(p, &length), *again;

	if (tmap_placement_parse_json(&back, text, length, "written", &err) < 0)
		abort();
	again = write(&back, &length_again);
	if (length != length_again || memcmp(text, again, length) != 0)
		abort();
	free(text);
	free(again);
	tmap_placement_fini(&back);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tmap_placement p;
	struct tmap_error err;

	if (is_large(data, size))
		return 0;
	if (tmap_placement_parse_json(&p, (const char *)data, size, "input", &err) < 0) {
		if (err.kind != TMAP_INPUT || strcmp(err.path, "input") != 0)
			abort();
		return 0;
	}
	if (tmap_placement_check(&p, &err) < 0)
		abort();
	check_round_trip(&p);
	tmap_placement_fini(&p);
	return 0;
}
