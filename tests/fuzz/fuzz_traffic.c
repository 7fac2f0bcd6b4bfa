/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes as traffic among four ranks, in each format and recognised: refused with a sentence,
 * or a pattern of bytes that are finite and not negative. */
#include "formats/traffic/traffic.h"
#include "tests/fuzz/networks.h"

#include <math.h>

static void try_format(const char *text, int format)
{
	struct tmap_error err = { 0 };
	struct tmap_pattern_builder b;
	struct tmap_pattern pattern;

	if (tmap_pattern_builder_init(&b, 4, &err) < 0)
		abort();
	if (tmap_traffic_parse(&b, text, "fuzz", format, &err) == 0 &&
	    tmap_pattern_finish(&pattern, &b, &err) == 0) {
		for (int64_t i = 0; i < pattern.start[4]; i++)
			if (pattern.peer[i] < 0 || pattern.peer[i] > 3 ||
			    !isfinite(pattern.sent[i]) || pattern.sent[i] < 0)
				abort();
		tmap_pattern_fini(&pattern);
	} else if (err.kind != TMAP_INPUT || !*err.text) {
		abort();
	}
	tmap_pattern_builder_fini(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);

	try_format(text, TMAP_NONE);
	for (int i = 0; tmap_keywords_at(&tmap_traffic_formats, (size_t)i); i++)
		try_format(text, i);
	free(text);
	return 0;
}
