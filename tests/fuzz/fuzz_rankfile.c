/* Any bytes: the scanner and the slot lists say yes or no, and what they say yes to is a list
 * of entries whose lists parse to PUs of the node or are refused with a sentence. */
#include "core/base/mem.h"
#include "formats/launchers/openmpi/rankfile_lex.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void parse_lists(const struct tm_rankfile_text *text, struct tm_error *err)
{
	struct tm_topology topo;

	if (tm_topology_init(&topo, 8, err) < 0)
		abort();
	for (int i = 0; i < 4; i++)
		tm_topology_add(&topo, TM_CORE, 2 * i, 2 * i + 2, i, 0, err);
	tm_topology_add(&topo, TM_PACKAGE, 0, 4, 0, 0, err);
	tm_topology_add(&topo, TM_PACKAGE, 4, 8, 1, 0, err);
	if (tm_topology_finish(&topo, err) < 0)
		abort();
	topo.pu[3].allowed = false;
	for (int i = 0; i < text->entries.words.count; i++) {
		struct tm_idset pus = { 0 };

		if (tm_slot_list_parse(&pus, text->entries.words.name[i], &topo, &text->rules, err) == 0 &&
		    (!pus.count || tm_idset_contains(&pus, 3)))
			abort();
		tm_idset_fini(&pus);
	}
	tm_topology_fini(&topo);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tm_rankfile_text parsed;
	struct tm_error err;
	char *text = tm_strndup((const char *)data, strnlen((const char *)data, size), &err);
	int line = 0;

	if (!text)
		return 0;
	if (tm_rankfile_text_init(&parsed, text, &line, &err) == 0) {
		parse_lists(&parsed, &err);
		tm_rankfile_text_fini(&parsed);
	} else if (line < 1) {
		abort();
	}
	free(text);
	return 0;
}
