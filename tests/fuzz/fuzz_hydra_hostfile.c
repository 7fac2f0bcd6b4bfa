/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes: entries of ranks in order, with words that are read again; or a sentence. */
#include "core/machine/most_ranks.h"
#include "formats/launchers/common/hostfile.h"
#include "formats/launchers/common/pu_list.h"
#include "tests/fuzz/networks.h"

static void check(const struct tmap_entries *entries, int rank, struct tmap_error *err)
{
	const struct tmap_entry *entry = &entries->entry[rank];
	const char *words = entry->words == TMAP_NONE ? "" : entries->words.name[entry->words];
	struct tmap_pu_item pus;

	if (entry->rank != rank || entry->line < 1 || !*entries->hosts.name[entry->host])
		abort();
	if (*words && !strchr(words, '@') &&
	    (tmap_pu_list_next(&pus, NULL, &words, err) < 0 || *words || pus.repeat != 1))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	struct tmap_entries entries = { 0 };
	struct tmap_error err = { 0 };
	int line = 0;

	/* many processes are no finding, only slow */
	for (size_t i = 0, digits = 0; text[i]; i++) {
		digits = text[i] >= '0' && text[i] <= '9' ? digits + 1 : 0;
		if (digits > 4) {
			free(text);
			return 0;
		}
	}
	if (tmap_hostfile_parse(&entries, text, TMAP_NONE, TMAP_MOST_RANKS, &line, &err) == 0) {
		for (int i = 0; i < entries.count; i++)
			check(&entries, i, &err);
	} else if (!*err.text) {
		abort();
	}
	tmap_entries_fini(&entries);
	free(text);
	return 0;
}
