/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes: the nodes of tasks, or a sentence. */
#include "core/machine/most_ranks.h"
#include "formats/launchers/flux/flux.h"
#include "tests/fuzz/networks.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	struct tmap_error err = { 0 };
	int *node = NULL, count = 0;

	/* a map of many tasks is no finding, only slow */
	for (size_t i = 0, digits = 0; text[i]; i++) {
		digits = text[i] >= '0' && text[i] <= '9' ? digits + 1 : 0;
		if (digits > 2) {
			free(text);
			return 0;
		}
	}
	node = tmap_taskmap_parse(&count, text, "text", TMAP_MOST_RANKS, &err);
	for (int r = 0; node && r < count; r++)
		if (node[r] < 0)
			abort();
	if (node ? count < 1 : !*err.text)
		abort();
	free(node);
	free(text);
	return 0;
}
