/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes as a rankfile: findings by the rules of Open MPI 4 and 5, with and without a machine;
 * what the reader takes has no finding but those of a file that works all the same. */
#include "formats/launchers/launchers.h"
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

static bool judge(const char *text, bool prrte, struct tmap_machine *machine)
{
	struct tmap_launcher_file file = { .launcher = tmap_launcher_find(prrte ? "openmpi5" :
										  "openmpi4"),
					   .path = "-",
					   .text = text,
					   .ranks = TMAP_NONE };
	struct tmap_file_findings findings = { 0 };
	struct tmap_error err = { 0 };
	bool harmless = true;

	if (file.launcher->lint(&findings, &file, machine, &err) < 0)
		abort();
	for (int i = 0; i < findings.count; i++) {
		if (!*findings.finding[i].reason || !*findings.finding[i].fix ||
		    findings.finding[i].line < 0)
			abort();
		harmless &= is_harmless(findings.finding[i].name);
	}
	tmap_file_findings_fini(&findings);
	return harmless;
}

/* Does the reader take it? */
static bool is_read(const char *text, struct tmap_machine *machine)
{
	char path[] = "/tmp/topomap-fuzz-XXXXXX";
	struct tmap_placement p = { 0 };
	struct tmap_error err = { 0 };
	int fd = mkstemp(path);
	bool good;

	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		abort();
	close(fd);
	good = tmap_launcher_read(&p, machine, tmap_launcher_find("openmpi4"), path, TMAP_NONE,
				  &err) == 0;
	unlink(path);
	tmap_placement_fini(&p);
	return good;
}

/* Two nodes of 2 packages x 2 cores x 2 PUs. */
static struct tmap_machine *make_machine(void)
{
	struct tmap_error err;
	struct tmap_machine *machine = tmap_machine_new(&err);
	struct tmap_topology topo;

	if (!machine || tmap_topology_init(&topo, 8, &err) < 0)
		abort();
	for (int i = 0; i < 4; i++)
		tmap_topology_add(&topo, TMAP_CORE, 2 * i, 2 * i + 2, i, 0, &err);
	for (int i = 0; i < 2; i++)
		tmap_topology_add(&topo, TMAP_PACKAGE, 4 * i, 4 * i + 4, i, 0, &err);
	if (tmap_topology_finish(&topo, &err) < 0 ||
	    tmap_machine_add_topology_take(machine, &topo, &err) == TMAP_NONE ||
	    tmap_machine_add_node(machine, "n0", 0, &err) < 0 ||
	    tmap_machine_add_node(machine, "n1", 0, &err) < 0)
		abort();
	return machine;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tmap_machine *machine = make_machine();
	char *text = fuzz_text(data, size);
	bool harmless;

	judge(text, false, NULL);
	judge(text, true, NULL);
	judge(text, true, machine);
	harmless = judge(text, false, machine);
	if (!harmless && is_read(text, machine))
		abort();
	tmap_machine_free(machine);
	free(text);
	return 0;
}
