/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes: node numbers, or a sentence. */
#include "core/machine/most_ranks.h"
#include "formats/launchers/common/rankmap.h"
#include "tests/fuzz/networks.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	struct tmap_rankmap map = { 0 };
	struct tmap_error err = { 0 };

	/* a map of many ranks is no finding, only slow */
	for (size_t i = 0, digits = 0; text[i]; i++) {
		digits = text[i] >= '0' && text[i] <= '9' ? digits + 1 : 0;
		if (digits > 2) {
			free(text);
			return 0;
		}
	}
	if (tmap_rankmap_parse(&map, text, TMAP_MOST_RANKS, &err) == 0) {
		for (int r = 0; r < map.count; r++)
			if (map.node[r] < 0 || map.node[r] > 198)
				abort();
		if (map.count < 1)
			abort();
	} else if (!*err.text) {
		abort();
	}
	tmap_rankmap_fini(&map);
	free(text);
	return 0;
}
