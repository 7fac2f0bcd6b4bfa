/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes: a machine line is a topology within the limits, or refused with a caret that
 * stands below the line. */
#include "core/base/mem.h"
#include "formats/machine/machine_line.h"
#include "formats/machine/machine_spec.h"
#include "tests/support/printed.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* "not a machine:", the line, and the caret's line. */
static void check_caret(const struct tmap_error *err)
{
	const char *line = strchr(printed(err), '\n');
	const char *below = line ? strchr(line + 1, '\n') : NULL;

	if (!below || !strchr(below, '^') || strchr(below, '^') - below > below - line)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tmap_topology topo;
	struct tmap_error err;
	char *text = tmap_strndup((const char *)data, strnlen((const char *)data, size), &err);
	int nodes;

	/* hwloc takes long over large nodes */
	if (!text || strlen(text) > 100) {
		free(text);
		return 0;
	}
	if (tmap_machine_line_parse(&topo, &nodes, text, &err) == 0) {
		if (nodes < 1 || nodes > TMAP_MOST_NODES || topo.pu_count > TMAP_MOST_PUS ||
		    topo.object[0].type != TMAP_NODE)
			abort();
		tmap_topology_fini(&topo);
	} else if (err.kind == TMAP_INPUT) {
		check_caret(&err);
	}
	free(text);
	return 0;
}
