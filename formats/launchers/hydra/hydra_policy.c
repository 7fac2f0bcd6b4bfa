/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/place/hydra.h"
#include "formats/launchers/hydra/hydra.h"

#include <stdlib.h>

/* Hosts that are named have one slot each, unless they say otherwise; -ppn goes before what they say. */
static int node_slots(const struct tmap_policy *policy)
{
	bool is_named = policy->is_named || policy->hostfile;

	return policy->slots == TMAP_NONE && is_named ? 1 : policy->slots;
}

static int place(struct tmap_placement *p, struct tmap_machine *machine,
		 const struct tmap_policy *policy, uint64_t words, struct tmap_error *err)
{
	struct tmap_hydra_request rq = { .ranks = policy->ranks,
					 .slots = node_slots(policy),
					 .node_slots = policy->slots == TMAP_NONE ?
						 policy->node_slots :
						 NULL };
	struct tmap_program *programs;
	int status;

	if (tmap_hydra_parse(&rq.bind_to, policy->bind_to ? policy->bind_to : "none", words, err) <
	    0)
		return tmap_policy_refuse_word("--bind-to", err);
	rq.map_by = rq.bind_to;
	if (policy->map_by &&
	    tmap_hydra_parse(&rq.map_by, policy->map_by, words & ~TMAP_HYDRA_NO_MAP_WORDS, err) < 0)
		return tmap_policy_refuse_word("--map-by", err);
	if (tmap_policy_programs(&programs, policy, "hydra", err) < 0)
		return -1;
	rq.programs = programs;
	rq.program_count = policy->program_count;
	status = tmap_hydra_place(p, machine, &rq, err);
	free(programs);
	return status;
}

static int hydra_place(struct tmap_placement *p, struct tmap_machine *machine,
		       const struct tmap_policy *policy, struct tmap_error *err)
{
	return place(p, machine, policy, TMAP_HYDRA_BIND_WORDS, err);
}

static int hydra40_place(struct tmap_placement *p, struct tmap_machine *machine,
			 const struct tmap_policy *policy, struct tmap_error *err)
{
	return place(p, machine, policy, TMAP_HYDRA40_BIND_WORDS, err);
}

static void hydra_print(struct tmap_str *text, const struct tmap_policy *policy,
			const struct tmap_machine *machine)
{
	(void)machine;
	tmap_policy_add_option(text, "--map-by", policy->map_by);
	tmap_policy_add_option(text, "--bind-to", policy->bind_to);
	if (node_slots(policy) != TMAP_NONE && (policy->slots != TMAP_NONE || !policy->node_slots))
		tmap_str_addf(text, " --slots %d", node_slots(policy));
}

static void hydra_command(struct tmap_str *line, const struct tmap_policy *policy, int nodes)
{
	(void)nodes;
	tmap_str_addf(line, "mpiexec.hydra -ppn %d -n %d", policy->slots, policy->ranks);
	tmap_policy_add_option(line, "-bind-to", policy->bind_to);
	tmap_policy_add_option(line, "-map-by", policy->map_by);
	tmap_str_add(line, " PROGRAM");
}

static void hydra_list_trials(struct tmap_policy_trials *trials, const struct tmap_locals *locals)
{
	static const char *const maps[] = { NULL,      "hwthread", "core",  "l2cache",
					    "l3cache", "numa",     "socket" };
	const int slots[] = { tmap_policy_first_run(locals->p),
			      tmap_locals_count(locals, locals->longest) };

	for (int s = 0; s < (slots[0] == slots[1] ? 1 : 2); s++) {
		struct tmap_policy start = TMAP_POLICY_INIT;

		start.slots = slots[s];
		trials->start[trials->starts++] = start;
	}
	for (size_t m = 0; m < sizeof maps / sizeof *maps; m++)
		trials->map_by[trials->maps++] = maps[m];
	trials->bindings = TMAP_HYDRA_WORDS;
}

const struct tmap_launcher_policy tmap_hydra_policy = {
	.name = "Hydra's policies",
	.options = TMAP_POLICY_MAP_BY | TMAP_POLICY_BIND_TO | TMAP_POLICY_SLOTS |
		TMAP_POLICY_HOST_SLOTS | TMAP_POLICY_PROGRAMS | TMAP_POLICY_COLONS,
	.given = " --launcher hydra",
	.slots_override = true,
	.place = hydra_place,
	.print = hydra_print,
	.command = hydra_command,
	.list_trials = hydra_list_trials,
};

const struct tmap_launcher_policy tmap_hydra40_policy = {
	.name = "Hydra's policies",
	.options = TMAP_POLICY_MAP_BY | TMAP_POLICY_BIND_TO | TMAP_POLICY_SLOTS |
		TMAP_POLICY_HOST_SLOTS | TMAP_POLICY_PROGRAMS | TMAP_POLICY_COLONS,
	.given = " --launcher hydra40",
	.slots_override = true,
	.place = hydra40_place,
	.print = hydra_print,
	.command = hydra_command,
	.list_trials = hydra_list_trials,
};

const struct tmap_fix_words tmap_hydra_fixes = {
	.launcher = "Hydra",
	.word = { [TMAP_FIX_BIND] = "-bind-to $u",
		  [TMAP_FIX_APART] = "-bind-to $u -map-by $m",
		  [TMAP_FIX_CORES] = "-bind-to $u -map-by $m",
		  [TMAP_FIX_PACKAGES] = "-bind-to socket -map-by socket",
		  [TMAP_FIX_PACKAGE] = "-bind-to socket -map-by socket",
		  [TMAP_FIX_NUMAS] = "-bind-to numa -map-by numa",
		  [TMAP_FIX_NUMA] = "-bind-to numa -map-by numa",
		  [TMAP_FIX_SPREAD] = "-bind-to $u[:$1] -map-by numa",
		  [TMAP_FIX_SPREAD_THREADS] = "-bind-to $u[:$1] -map-by numa",
		  [TMAP_FIX_CACHES] = "-bind-to $u[:$1] -map-by l3cache",
		  [TMAP_FIX_FEWER] = "-n $1 -ppn $2 -bind-to $u",
		  [TMAP_FIX_TURNS] = "-bind-to $u[:$1] -map-by socket",
		  [TMAP_FIX_EVEN] = "-n $4 -ppn $2[ -bind-to $u:$1]",
		  [TMAP_FIX_EVEN_NUMAS] = "-n $4 -ppn $6 -bind-to $u[:$1] -map-by numa",
		  [TMAP_FIX_EVEN_PACKAGES] = "-n $4 -ppn $6 -bind-to $u[:$1] -map-by socket",
		  [TMAP_FIX_EVEN_SPREAD] = "-n $4 -ppn $6 -bind-to $u[:$1] -map-by numa",
		  [TMAP_FIX_EVEN_TURNS] = "-n $4 -ppn $6 -bind-to $u[:$1] -map-by socket",
		  [TMAP_FIX_EVEN_CACHES] = "-n $4 -ppn $6 -bind-to $u[:$1] -map-by l3cache",
		  [TMAP_FIX_EVEN_CACHE_TURNS] = "-n $4 -ppn $6 -bind-to $u[:$1] -map-by l3cache",
		  [TMAP_FIX_BLOCK] = "-ppn $2 -bind-to $u[:$1]",
		  [TMAP_FIX_PACKED] = "-ppn $2 -bind-to $u[:$1]",
		  [TMAP_FIX_CYCLIC] = "-ppn 1 -bind-to $u[:$1]",
		  [TMAP_FIX_THREADS] = "-ppn $2 -bind-to $u[:$1]",
		  [TMAP_FIX_WIDE_THREADS] = "-ppn $2 -bind-to $u[:$1]",
		  [TMAP_FIX_PACKAGE_THREADS] = "-ppn $4 -bind-to $u[:$1] -map-by socket",
		  [TMAP_FIX_NUMA_THREADS] = "-ppn $4 -bind-to $u[:$1] -map-by numa",
		  [TMAP_FIX_EACH_PACKAGE] = "-ppn $4 -bind-to $u[:$1] -map-by socket",
		  [TMAP_FIX_EACH_NUMA] = "-ppn $4 -bind-to $u[:$1] -map-by numa",
		  [TMAP_FIX_EACH_CACHE] = "-ppn $4 -bind-to $u[:$1] -map-by l3cache",
		  [TMAP_FIX_SHARE] = "-n $3 -hosts $2 -bind-to $u[:$1]",
		  [TMAP_FIX_SHARE_SPREAD] = "-n $3 -hosts $2 -bind-to $u[:$1] -map-by numa" },
};
