/* Any bytes as traffic among four ranks, in each format and recognised: refused with a sentence,
 * or a pattern of bytes that are finite and not negative. */
#include "formats/traffic/traffic.h"
#include "tests/fuzz/networks.h"

#include <math.h>

static void try_format(const char *text, int format)
{
	struct tm_error err = { 0 };
	struct tm_pattern_builder b;
	struct tm_pattern pattern;

	if (tm_pattern_builder_init(&b, 4, &err) < 0)
		abort();
	if (tm_traffic_parse(&b, text, "fuzz", format, &err) == 0 &&
	    tm_pattern_finish(&pattern, &b, &err) == 0) {
		for (int64_t i = 0; i < pattern.start[4]; i++)
			if (pattern.peer[i] < 0 || pattern.peer[i] > 3 ||
			    !isfinite(pattern.sent[i]) || pattern.sent[i] < 0)
				abort();
		tm_pattern_fini(&pattern);
	} else if (err.kind != TM_INPUT || !*err.text) {
		abort();
	}
	tm_pattern_builder_fini(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);

	try_format(text, TM_NONE);
	for (int i = 0; tm_words_at(&tm_traffic_formats, (size_t)i); i++)
		try_format(text, i);
	free(text);
	return 0;
}
