/* Any bytes, by each reader of what launchers print of bindings: it says no with a sentence, or
 * gives a placement that holds. The first byte says which reader. */
#include "formats/logs/binding_words.h"
#include "formats/logs/cpu_bind.h"
#include "formats/logs/hydra_debug.h"
#include "formats/logs/report_bindings.h"
#include "tests/fuzz/networks.h"

/* Two nodes of 2 packages x 2 cores x 2 threads, of which PU 3 must not be used. */
static struct tm_machine *two_nodes(void)
{
	struct tm_error err;
	struct tm_machine *machine = tm_machine_new(&err);
	struct tm_topology topo;

	if (!machine || tm_topology_init(&topo, 8, &err) < 0)
		abort();
	for (int i = 0; i < 4; i++)
		tm_topology_add(&topo, TM_CORE, 2 * i, 2 * i + 2, i, 0, &err);
	tm_topology_add(&topo, TM_PACKAGE, 0, 4, 0, 0, &err);
	tm_topology_add(&topo, TM_PACKAGE, 4, 8, 1, 0, &err);
	if (tm_topology_finish(&topo, &err) < 0)
		abort();
	topo.pu[3].allowed = false;
	if (tm_machine_add_topology_take(machine, &topo, &err) < 0 ||
	    tm_machine_add_node(machine, "n0", 0, &err) < 0 ||
	    tm_machine_add_node(machine, "n1", 0, &err) < 0)
		abort();
	return machine;
}

static int parse_hydra(struct tm_entries *entries, const char *text, int *line,
		       struct tm_error *err)
{
	struct tm_entries lines = { 0 };
	int status = -1;

	if (tm_hydra_debug_parse(&lines, text, line, err) == 0)
		status = tm_hydra_debug_spread(entries, &lines, TM_NONE, 2, line, err);
	tm_entries_fini(&lines);
	return status;
}

static const struct tm_entries_reader readers[] = {
	{ tm_report_bindings_parse, tm_binding_words_resolve },
	{ tm_cpu_bind_parse, tm_cpu_mask_resolve },
	{ parse_hydra, tm_hydra_bits_resolve },
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t which = size ? *data % (sizeof readers / sizeof *readers) : 0;
	struct tm_machine *machine = two_nodes();
	char *text = fuzz_text(data + (size > 0), size - (size > 0));
	struct tm_entries entries = { 0 };
	struct tm_placement p = { 0 };
	struct tm_error err = { 0 };
	int line = 0;

	if (readers[which].parse(&entries, text, &line, &err) == 0 &&
	    tm_entries_place(&p, machine, &entries, readers[which].resolve, NULL, &line, &err) == 0) {
		if (tm_placement_check(&p, &err) < 0)
			abort();
	} else if (!*err.text || err.kind == TM_OK) {
		abort();
	}
	tm_placement_fini(&p);
	tm_entries_fini(&entries);
	tm_machine_free(machine);
	free(text);
	return 0;
}
