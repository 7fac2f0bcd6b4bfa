/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes, by each row of the table of launchers that reads places: a message, or a placement
 * that holds. The first line is the name of the row, so that a seed keeps its launcher when rows
 * are added. */
#include "formats/launchers/launchers.h"
#include "tests/fuzz/networks.h"

/* Two nodes of 2 packages x 2 cores x 2 threads, of which PU 3 must not be used. */
static struct tmap_machine *two_nodes(void)
{
	struct tmap_error err;
	struct tmap_machine *machine = tmap_machine_new(&err);
	struct tmap_topology topo;

	if (!machine || tmap_topology_init(&topo, 8, &err) < 0)
		abort();
	for (int i = 0; i < 4; i++)
		tmap_topology_add(&topo, TMAP_CORE, 2 * i, 2 * i + 2, i, 0, &err);
	tmap_topology_add(&topo, TMAP_PACKAGE, 0, 4, 0, 0, &err);
	tmap_topology_add(&topo, TMAP_PACKAGE, 4, 8, 1, 0, &err);
	if (tmap_topology_finish(&topo, &err) < 0)
		abort();
	topo.pu[3].allowed = false;
	if (tmap_machine_add_topology_take(machine, &topo, &err) < 0 ||
	    tmap_machine_add_node(machine, "n0", 0, &err) < 0 ||
	    tmap_machine_add_node(machine, "n1", 0, &err) < 0)
		abort();
	return machine;
}

/* The row that the first line of *text names, if it reads places, else NULL; *text = what
 * follows. */
static const struct tmap_launcher *take_launcher(char **text)
{
	char *end = strchr(*text, '\n');
	const struct tmap_launcher *row;

	if (!end)
		return NULL;
	*end = '\0';
	row = tmap_launcher_find(*text);
	*text = end + 1;
	return row && row->parse ? row : NULL;
}

/* Many processes are no finding, only slow. */
static bool is_slow(const struct tmap_launcher *launcher, const char *text)
{
	size_t most = launcher->writes || launcher->is_argument ? 2 : 9;

	for (size_t digits = 0; *text; text++) {
		digits = *text >= '0' && *text <= '9' ? digits + 1 : 0;
		if (digits > most)
			return true;
	}
	return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *input = fuzz_text(data, size), *text = input;
	const struct tmap_launcher *launcher = take_launcher(&text);
	struct tmap_machine *machine = two_nodes();
	struct tmap_launcher_file file = { .launcher = launcher,
					   .path = "-",
					   .text = text,
					   .ranks = TMAP_NONE,
					   .node_count = machine->node_count };
	struct tmap_entries entries = { 0 };
	struct tmap_placement p = { 0 };
	struct tmap_error err = { 0 };
	int line = 0;

	if (launcher && !is_slow(launcher, text)) {
		if (tmap_launcher_parse(&entries, &file, &line, &err) == 0 &&
		    tmap_entries_place(&p, machine, &entries, launcher->resolve, &line, &err) ==
			    0) {
			if (tmap_placement_check(&p, &err) < 0)
				abort();
		} else if (!*err.text || err.kind == TMAP_OK) {
			abort();
		}
	}
	tmap_placement_fini(&p);
	tmap_entries_fini(&entries);
	tmap_machine_free(machine);
	free(input);
	return 0;
}
