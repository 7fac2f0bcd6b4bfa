/* Any bytes as a rankfile: findings by the rules of Open MPI 4 and 5, with and without a machine;
 * what the reader takes has no finding but those of a file that works all the same. */
#include "formats/launchers/openmpi/rankfile.h"
#include "formats/launchers/openmpi/rankfile_lint.h"
#include "tests/fuzz/networks.h"

#include <unistd.h>

static bool is_harmless(const char *name)
{
	static const char *const names[] = { "full-name", "relative-host", "overlap", "whole-node",
					     "unknown-host" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

static bool judge(const char *text, bool prrte, struct tm_machine *machine)
{
	struct tm_file_lint lint = { 0 };
	struct tm_error err = { 0 };
	bool harmless = true;

	if (tm_rankfile_lint(&lint, text, prrte, machine, TM_NONE, &err) < 0)
		abort();
	for (int i = 0; i < lint.count; i++) {
		if (!*lint.finding[i].reason || !*lint.finding[i].mend || lint.finding[i].line < 0)
			abort();
		harmless &= is_harmless(lint.finding[i].name);
	}
	tm_file_lint_fini(&lint);
	return harmless;
}

/* Does the reader take it? */
static bool is_read(const char *text, struct tm_machine *machine)
{
	char path[] = "/tmp/topomap-fuzz-XXXXXX";
	struct tm_placement p = { 0 };
	struct tm_error err = { 0 };
	int fd = mkstemp(path);
	bool good;

	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		abort();
	close(fd);
	good = tm_rankfile_read(&p, machine, path, TM_NONE, &err) == 0;
	unlink(path);
	tm_placement_fini(&p);
	return good;
}

/* Two nodes of 2 packages x 2 cores x 2 PUs. */
static struct tm_machine *make_machine(void)
{
	struct tm_error err;
	struct tm_machine *machine = tm_machine_new(&err);
	struct tm_topology topo;

	if (!machine || tm_topology_init(&topo, 8, &err) < 0)
		abort();
	for (int i = 0; i < 4; i++)
		tm_topology_add(&topo, TM_CORE, 2 * i, 2 * i + 2, i, 0, &err);
	for (int i = 0; i < 2; i++)
		tm_topology_add(&topo, TM_PACKAGE, 4 * i, 4 * i + 4, i, 0, &err);
	if (tm_topology_finish(&topo, &err) < 0 ||
	    tm_machine_add_topology_take(machine, &topo, &err) == TM_NONE ||
	    tm_machine_add_node(machine, "n0", 0, &err) < 0 ||
	    tm_machine_add_node(machine, "n1", 0, &err) < 0)
		abort();
	return machine;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tm_machine *machine = make_machine();
	char *text = fuzz_text(data, size);
	bool harmless;

	judge(text, false, NULL);
	judge(text, true, NULL);
	judge(text, true, machine);
	harmless = judge(text, false, machine);
	if (!harmless && is_read(text, machine))
		abort();
	tm_machine_free(machine);
	free(text);
	return 0;
}
