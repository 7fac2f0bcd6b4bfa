/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes as a matrix of three ranks, text or JSON: refused as bad input, or what was read
 * is a distance. XML is hwloc's to read, and is left out. */
#include "formats/machine/matrix_read.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void three_ranks(struct tmap_placement *p)
{
	struct tmap_idset pus = { 0 };
	struct tmap_error err;
	struct tmap_machine *machine = tmap_machine_new(&err);
	struct tmap_topology topo;

	if (!machine || tmap_topology_init(&topo, 1, &err) < 0 ||
	    tmap_topology_finish(&topo, &err) < 0 ||
	    tmap_machine_add_topology_take(machine, &topo, &err) < 0 ||
	    tmap_machine_add_node(machine, "n0", 0, &err) < 0 ||
	    tmap_placement_init(p, machine, 3, &err) < 0 || tmap_idset_add(&pus, 0, &err) < 0 ||
	    tmap_placement_add_place(p, 0, &pus, NULL, true, &err) < 0)
		abort();
	for (int r = 0; r < 3; r++)
		p->node[r] = p->place[r] = 0;
	tmap_idset_fini(&pus);
	tmap_machine_free(machine);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	struct tmap_placement p;
	struct tmap_matrix matrix;
	struct tmap_error err;

	if (!text)
		abort();
	memcpy(text, data, size);
	text[size] = '\0';
	size = strlen(text);
	three_ranks(&p);
	if (text[strspn(text, " \t\r\n")] == '<') {
		/* hwloc's */
	} else if (tmap_matrix_parse(&matrix, text, size, "fuzz", &p, &err) == 0) {
		if (matrix.size != 3 || tmap_matrix_check(&matrix, &err) < 0)
			abort();
		tmap_matrix_fini(&matrix);
	} else if (err.kind != TMAP_INPUT) {
		abort();
	}
	tmap_placement_fini(&p);
	free(text);
	return 0;
}
