/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes: entries of ranks in order, or a sentence. */
#include "formats/launchers/slurm/slurm.h"
#include "tests/fuzz/networks.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	struct tmap_launcher_file file = { .path = "-", .text = text, .ranks = TMAP_NONE };
	struct tmap_entries entries = { 0 };
	struct tmap_error err = { 0 };
	int line = 0;

	/* a count of many is no finding, only slow */
	for (size_t i = 0, digits = 0; text[i]; i++) {
		digits = text[i] >= '0' && text[i] <= '9' ? digits + 1 : 0;
		if (digits > 5) {
			free(text);
			return 0;
		}
	}
	if (tmap_slurm_parse(&entries, &file, &line, &err) == 0) {
		for (int i = 0; i < entries.count; i++)
			if (entries.entry[i].rank != i ||
			    !*entries.hosts.name[entries.entry[i].host])
				abort();
	} else if (!*err.text) {
		abort();
	}
	tmap_entries_fini(&entries);
	free(text);
	return 0;
}
