/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/place/prrte.h"
#include "formats/launchers/openmpi/openmpi.h"
#include "formats/launchers/openmpi/program_hosts.h"

static int prrte_place(struct tmap_placement *p, struct tmap_machine *machine,
		       const struct tmap_policy *policy, struct tmap_error *err)
{
	struct tmap_prrte_request rq = TMAP_PRRTE_REQUEST_INIT;
	struct tmap_program_hosts hosts;
	int status;

	if (policy->map_by && tmap_prrte_parse_map_by(&rq, policy->map_by, err) < 0)
		return tmap_policy_refuse_word("--map-by", err);
	if (policy->rank_by && tmap_prrte_parse_rank_by(&rq, policy->rank_by, err) < 0)
		return tmap_policy_refuse_word("--rank-by", err);
	if (policy->bind_to && tmap_prrte_parse_bind_to(&rq, policy->bind_to, err) < 0)
		return tmap_policy_refuse_word("--bind-to", err);
	rq.slots = policy->slots;
	rq.hwthread_slots = policy->hwthreads;
	if (tmap_program_hosts_init(&hosts, &rq, policy, machine, err) < 0)
		return -1;
	status = tmap_prrte_place(p, machine, &rq, err);
	tmap_program_hosts_fini(&hosts);
	return status;
}

static void prrte_print(struct tmap_str *text, const struct tmap_policy *policy,
			const struct tmap_machine *machine)
{
	(void)machine;
	tmap_policy_add_option(text, "--map-by", policy->map_by);
	tmap_policy_add_option(text, "--rank-by", policy->rank_by);
	tmap_policy_add_option(text, "--bind-to", policy->bind_to);
	if (policy->slots != TMAP_NONE)
		tmap_str_addf(text, " --slots %d", policy->slots);
	if (policy->hwthreads)
		tmap_str_add(text, " --use-hwthread-cpus");
}

static void command(struct tmap_str *line, const char *program, const struct tmap_policy *policy)
{
	tmap_str_addf(line, "%s -n %d", program, policy->ranks);
	tmap_policy_add_option(line, "--map-by", policy->map_by);
	tmap_policy_add_option(line, "--rank-by", policy->rank_by);
	tmap_policy_add_option(line, "--bind-to", policy->bind_to);
	tmap_str_add(line, " PROGRAM");
}

static void openmpi5_command(struct tmap_str *line, const struct tmap_policy *policy, int nodes)
{
	(void)nodes;
	command(line, "mpirun", policy);
}

static void prrte_command(struct tmap_str *line, const struct tmap_policy *policy, int nodes)
{
	(void)nodes;
	command(line, "prterun", policy);
}

static void prrte_list_trials(struct tmap_policy_trials *trials, const struct tmap_locals *locals)
{
	static const char *const ranks[] = { NULL, "slot", "node", "fill", "span" };
	static const char *const maps[] = { "core",         "node",      "package",
					    "numa",         "l3cache",   "slot",
					    "package:SPAN", "numa:SPAN", "hwthread" };

	for (size_t r = 0; r < sizeof ranks / sizeof *ranks; r++) {
		struct tmap_policy start = TMAP_POLICY_INIT;

		start.rank_by = ranks[r];
		trials->start[trials->starts++] = start;
	}
	for (size_t m = 0; m < sizeof maps / sizeof *maps; m++)
		trials->map_by[trials->maps++] = maps[m];
	tmap_policy_add_ppr(trials, 0, locals, "node", TMAP_NODE);
	tmap_policy_add_ppr(trials, 1, locals, "package", TMAP_PACKAGE);
	tmap_policy_add_ppr(trials, 2, locals, "numa", TMAP_NUMA);
	trials->bindings = TMAP_PRRTE_WORDS;
}

enum {
	PRRTE_OPTIONS = TMAP_POLICY_MAP_BY | TMAP_POLICY_RANK_BY | TMAP_POLICY_BIND_TO |
		TMAP_POLICY_HWTHREADS | TMAP_POLICY_SLOTS | TMAP_POLICY_HOST_SLOTS |
		TMAP_POLICY_PROGRAMS
};

const struct tmap_launcher_policy tmap_openmpi5_policy = {
	.name = "Open MPI 5's policies",
	.options = PRRTE_OPTIONS,
	.given = " --launcher openmpi5",
	.place = prrte_place,
	.print = prrte_print,
	.command = openmpi5_command,
	.list_trials = prrte_list_trials,
};

const struct tmap_launcher_policy tmap_prrte_policy = {
	.name = "PRRTE's policies",
	.options = PRRTE_OPTIONS,
	.given = " --launcher prrte",
	.place = prrte_place,
	.print = prrte_print,
	.command = prrte_command,
	.list_trials = prrte_list_trials,
};
