/* Any bytes, by each reader of what launchers print of bindings: it says no with a sentence, or
 * gives a placement that holds. The first byte says which reader. */
#include "formats/logs/binding_words.h"
#include "formats/logs/cpu_bind.h"
#include "formats/logs/hydra_debug.h"
#include "formats/logs/report_bindings.h"
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

static int parse_hydra(struct tmap_entries *entries, const char *text, int *line,
		       struct tmap_error *err)
{
	struct tmap_entries lines = { 0 };
	int status = -1;

	if (tmap_hydra_debug_parse(&lines, text, line, err) == 0)
		status = tmap_hydra_debug_spread(entries, &lines, TMAP_NONE, 2, line, err);
	tmap_entries_fini(&lines);
	return status;
}

static const struct tmap_entries_reader readers[] = {
	{ tmap_report_bindings_parse, tmap_binding_words_resolve },
	{ tmap_cpu_bind_parse, tmap_cpu_mask_resolve },
	{ parse_hydra, tmap_hydra_bits_resolve },
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t which = size ? *data % (sizeof readers / sizeof *readers) : 0;
	struct tmap_machine *machine = two_nodes();
	char *text = fuzz_text(data + (size > 0), size - (size > 0));
	struct tmap_entries entries = { 0 };
	struct tmap_placement p = { 0 };
	struct tmap_error err = { 0 };
	int line = 0;

	if (readers[which].parse(&entries, text, &line, &err) == 0 &&
	    tmap_entries_place(&p, machine, &entries, readers[which].resolve, NULL, &line, &err) ==
		    0) {
		if (tmap_placement_check(&p, &err) < 0)
			abort();
	} else if (!*err.text || err.kind == TMAP_OK) {
		abort();
	}
	tmap_placement_fini(&p);
	tmap_entries_fini(&entries);
	tmap_machine_free(machine);
	free(text);
	return 0;
}
