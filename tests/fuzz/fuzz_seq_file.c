/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes: entries of ranks in order, or a sentence; the same bytes as the script that binds
 * tasks, and as a comment's list of PUs. */
#include "formats/launchers/common/local_binding.h"
#include "formats/launchers/openmpi/openmpi.h"
#include "formats/launchers/slurm/slurm_script.h"
#include "tests/fuzz/networks.h"

static void read_script(const char *text)
{
	struct tmap_entries entries = { 0 };
	struct tmap_error err = { 0 };
	int line;

	for (int r = 0; r < 4; r++)
		if (tmap_entries_add_text(&entries, r, 1, r % 2 ? "a" : "b", 1, "", 0, &err) < 0)
			abort();
	if (tmap_slurm_script_apply(&entries, text, &line, &err) < 0 && !*err.text)
		abort();
	tmap_entries_fini(&entries);
}

struct list_reader {
	int (*parse)(struct tmap_local_binding *words, const char *list, struct tmap_error *err);
};

static void read_lists(const char *text)
{
	static const struct list_reader readers[] = {
		{ tmap_local_binding_parse_slurm },
		{ tmap_local_binding_parse_flux },
		{ tmap_local_binding_parse_intel },
	};

	for (int i = 0; i < 3; i++) {
		struct tmap_local_binding words = { 0 };
		struct tmap_error err = { 0 };

		if (readers[i].parse(&words, text, &err) < 0 ? !*err.text || words.count :
							       words.count < 1)
			abort();
		tmap_local_binding_fini(&words);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	struct tmap_launcher_file file = { .path = "text", .text = text };
	struct tmap_entries entries = { 0 };
	struct tmap_error err = { 0 };
	int line = 0;

	if (tmap_seq_hostfile_parse(&entries, &file, &line, &err) == 0) {
		for (int i = 0; i < entries.count; i++)
			if (entries.entry[i].rank != i || entries.entry[i].line < 1)
				abort();
	} else if (!*err.text || line < 1) {
		abort();
	}
	tmap_entries_fini(&entries);
	/* long ranges are no finding, only slow */
	for (size_t i = 0, digits = 0; text[i]; i++) {
		digits = text[i] >= '0' && text[i] <= '9' ? digits + 1 : 0;
		if (digits > 3) {
			free(text);
			return 0;
		}
	}
	read_script(text);
	read_lists(text);
	free(text);
	return 0;
}
