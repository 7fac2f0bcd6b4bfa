/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes: the scanner and the slot lists say yes or no, and what they say yes to is a list
 * of entries whose lists parse to PUs of the node or are refused with a sentence. */
#include "core/base/mem.h"
#include "formats/launchers/openmpi/rankfile_lex.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void parse_lists(const struct tmap_rankfile_text *text, struct tmap_error *err)
{
	struct tmap_topology topo;

	if (tmap_topology_init(&topo, 8, err) < 0)
		abort();
	for (int i = 0; i < 4; i++)
		tmap_topology_add(&topo, TMAP_CORE, 2 * i, 2 * i + 2, i, 0, err);
	tmap_topology_add(&topo, TMAP_PACKAGE, 0, 4, 0, 0, err);
	tmap_topology_add(&topo, TMAP_PACKAGE, 4, 8, 1, 0, err);
	if (tmap_topology_finish(&topo, err) < 0)
		abort();
	topo.pu[3].allowed = false;
	for (int i = 0; i < text->entries.words.count; i++) {
		struct tmap_idset pus = { 0 };

		if (tmap_slot_list_parse(&pus, text->entries.words.name[i], &topo, &text->rules,
					 err) == 0 &&
		    (!pus.count || tmap_idset_contains(&pus, 3)))
			abort();
		tmap_idset_fini(&pus);
	}
	tmap_topology_fini(&topo);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tmap_rankfile_text parsed;
	struct tmap_error err;
	char *text = tmap_strndup((const char *)data, strnlen((const char *)data, size), &err);
	int line = 0;

	if (!text)
		return 0;
	if (tmap_rankfile_text_init(&parsed, text, &line, &err) == 0) {
		parse_lists(&parsed, &err);
		tmap_rankfile_text_fini(&parsed);
	} else if (line < 1) {
		abort();
	}
	free(text);
	return 0;
}
