/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes: a permutation, or a sentence. */
#include "core/machine/most_ranks.h"
#include "formats/launchers/common/rank_list.h"
#include "tests/fuzz/networks.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	struct tmap_rank_list order = { 0 };
	struct tmap_error err = { 0 };
	int line;

	/* a range of many ranks is no finding, only slow */
	for (size_t i = 0, digits = 0; text[i]; i++) {
		digits = text[i] >= '0' && text[i] <= '9' ? digits + 1 : 0;
		if (digits > 5) {
			free(text);
			return 0;
		}
	}
	if (tmap_rank_list_parse(&order, text, TMAP_MOST_RANKS, &line, &err) == 0) {
		int64_t sum = 0;

		for (int k = 0; k < order.count; k++)
			sum += order.rank[k];
		if (sum != (int64_t)order.count * (order.count - 1) / 2)
			abort();
	} else if (!*err.text) {
		abort();
	}
	tmap_rank_list_fini(&order);
	free(text);
	return 0;
}
