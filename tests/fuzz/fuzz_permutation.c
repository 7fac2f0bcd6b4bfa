/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes: a permutation, or a message. */
#include "formats/launchers/permutation/permutation.h"
#include "tests/fuzz/networks.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	struct tmap_launcher_file file = { .path = "text", .text = text };
	struct tmap_rank_list list = { 0 };
	struct tmap_error err = { 0 };
	int64_t sum = 0;
	int line = 0;

	/* a range of many ranks is no finding, only slow */
	for (size_t i = 0, digits = 0; text[i]; i++) {
		digits = text[i] >= '0' && text[i] <= '9' ? digits + 1 : 0;
		if (digits > 4) {
			free(text);
			return 0;
		}
	}
	if (tmap_permutation_parse_list(&list, &file, &line, &err) == 0) {
		for (int r = 0; r < list.count; r++) {
			if (list.rank[r] < 0 || list.rank[r] >= list.count)
				abort();
			sum += list.rank[r];
		}
		if (sum != (int64_t)list.count * (list.count - 1) / 2)
			abort();
	} else if (!*err.text) {
		abort();
	}
	tmap_rank_list_fini(&list);
	free(text);
	return 0;
}
