/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/place/openmpi.h"
#include "formats/launchers/openmpi/openmpi.h"

#include <stdlib.h>

static const char *word_or_core(const char *word)
{
	return word ? word : "core";
}

/* One core for each rank; where a node has none, what mpirun does without --bind-to. */
static const char *binding_of(const struct tmap_policy *policy, const struct tmap_machine *machine)
{
	if (policy->bind_to)
		return policy->bind_to;
	for (int t = 0; t < machine->topology_count; t++)
		if (tmap_topology_count(&machine->topology[t], TMAP_CORE) == 0)
			return "default";
	return "core";
}

static int openmpi_place(struct tmap_placement *p, struct tmap_machine *machine,
			 const struct tmap_policy *policy, struct tmap_error *err)
{
	struct tmap_ompi_request rq = TMAP_OMPI_REQUEST_INIT;
	struct tmap_program *programs;
	int status;

	if (tmap_ompi_parse_map_by(&rq, word_or_core(policy->map_by), err) < 0)
		return tmap_policy_refuse_word("--map-by", err);
	if (policy->rank_by && tmap_ompi_parse_rank_by(&rq, policy->rank_by, err) < 0)
		return tmap_policy_refuse_word("--rank-by", err);
	if (tmap_ompi_parse_bind_to(&rq, binding_of(policy, machine), err) < 0)
		return tmap_policy_refuse_word("--bind-to", err);
	if (tmap_policy_programs(&programs, policy, "openmpi4", err) < 0)
		return -1;
	rq.bind_preset = !policy->bind_to;
	rq.ranks = policy->ranks;
	rq.programs = programs;
	rq.program_count = policy->program_count;
	rq.slots = policy->slots;
	rq.node_slots = policy->node_slots;
	rq.node_most = policy->node_most;
	rq.hwthreads = policy->hwthreads;
	status = tmap_ompi_place(p, machine, &rq, err);
	free(programs);
	return status;
}

static void openmpi_print(struct tmap_str *text, const struct tmap_policy *policy,
			  const struct tmap_machine *machine)
{
	tmap_policy_add_option(text, "--map-by", word_or_core(policy->map_by));
	tmap_policy_add_option(text, "--rank-by", policy->rank_by);
	tmap_policy_add_option(text, "--bind-to", binding_of(policy, machine));
	if (policy->slots != TMAP_NONE)
		tmap_str_addf(text, " --slots %d", policy->slots);
	if (policy->hwthreads)
		tmap_str_add(text, " --use-hwthread-cpus");
}

static void openmpi_command(struct tmap_str *line, const struct tmap_policy *policy, int nodes)
{
	(void)nodes;
	tmap_str_addf(line, "mpirun -np %d", policy->ranks);
	tmap_policy_add_option(line, "--map-by", policy->map_by);
	tmap_policy_add_option(line, "--rank-by", policy->rank_by);
	tmap_policy_add_option(line, "--bind-to", policy->bind_to);
	tmap_str_add(line, " PROGRAM");
}

static void openmpi_list_trials(struct tmap_policy_trials *trials, const struct tmap_locals *locals)
{
	static const char *const ranks[] = { NULL,        "slot",        "node",        "core",
					     "socket",    "numa",        "socket:SPAN", "numa:SPAN",
					     "core:SPAN", "socket:FILL", "numa:FILL" };
	static const char *const maps[] = { "core",    "node",    "socket",  "numa",
					    "l3cache", "l2cache", "hwthread" };

	for (size_t r = 0; r < sizeof ranks / sizeof *ranks; r++) {
		struct tmap_policy start = TMAP_POLICY_INIT;

		start.rank_by = ranks[r];
		trials->start[trials->starts++] = start;
	}
	for (size_t m = 0; m < sizeof maps / sizeof *maps; m++)
		trials->map_by[trials->maps++] = maps[m];
	tmap_policy_add_ppr(trials, 0, locals, "node", TMAP_NODE);
	tmap_policy_add_ppr(trials, 1, locals, "socket", TMAP_PACKAGE);
	tmap_policy_add_ppr(trials, 2, locals, "numa", TMAP_NUMA);
	trials->bindings = TMAP_OPENMPI_WORDS;
}

const struct tmap_launcher_policy tmap_openmpi_policy = {
	.name = "Open MPI's policies",
	.options = TMAP_POLICY_MAP_BY | TMAP_POLICY_RANK_BY | TMAP_POLICY_BIND_TO |
		TMAP_POLICY_HWTHREADS | TMAP_POLICY_SLOTS | TMAP_POLICY_HOST_SLOTS |
		TMAP_POLICY_PROGRAMS,
	.given = "",
	.place = openmpi_place,
	.print = openmpi_print,
	.command = openmpi_command,
	.list_trials = openmpi_list_trials,
};

const struct tmap_fix_words tmap_openmpi4_fixes = {
	.launcher = "Open MPI",
	.word = { [TMAP_FIX_BIND] = "--bind-to $u",
		  [TMAP_FIX_APART] = "--map-by $m --bind-to $u",
		  [TMAP_FIX_CORES] = "--map-by $m --bind-to $u",
		  [TMAP_FIX_PACKAGES] = "--map-by ppr:$2:socket:PE=$1 --bind-to $u",
		  [TMAP_FIX_PACKAGE] = "--map-by socket --bind-to socket",
		  [TMAP_FIX_NUMA] = "--map-by numa --bind-to numa",
		  [TMAP_FIX_NUMAS] = "--map-by ppr:$2:numa:PE=$1 --bind-to $u",
		  [TMAP_FIX_SPREAD] = "--map-by numa[:PE=$1] --bind-to $u",
		  [TMAP_FIX_SPREAD_THREADS] = "--map-by numa[:PE=$1] --bind-to $u",
		  [TMAP_FIX_CACHES] = "--map-by l3cache[:PE=$1] --bind-to $u",
		  [TMAP_FIX_FEWER] = "-n $1 --map-by ppr:$2:node --bind-to $u",
		  [TMAP_FIX_TURNS] = "--map-by socket[:PE=$1] --bind-to $u",
		  [TMAP_FIX_EVEN] = "-n $4 --map-by ppr:$2:node[:PE=$1 --bind-to $u]",
		  [TMAP_FIX_EVEN_NUMAS] = "-n $4 --map-by ppr:$2:numa[:PE=$1] --bind-to $u",
		  [TMAP_FIX_EVEN_PACKAGES] = "-n $4 --map-by ppr:$2:socket[:PE=$1] --bind-to $u",
		  [TMAP_FIX_EVEN_CACHES] = "-n $4 --map-by ppr:$2:l3cache[:PE=$1] --bind-to $u",
		  [TMAP_FIX_EVEN_SPREAD] = "-n $4 --map-by numa[:PE=$1] --bind-to $u",
		  [TMAP_FIX_EVEN_TURNS] = "-n $4 --map-by socket[:PE=$1] --bind-to $u",
		  [TMAP_FIX_EVEN_CACHE_TURNS] = "-n $4 --map-by l3cache[:PE=$1] --bind-to $u",
		  [TMAP_FIX_BLOCK] = "--map-by ppr:$2:node:PE=$1 --bind-to $u",
		  [TMAP_FIX_PACKED] = "--map-by ppr:$2:node:PE=$1 --bind-to $u",
		  [TMAP_FIX_CYCLIC] = "--map-by node:PE=$1 --bind-to $u",
		  [TMAP_FIX_THREADS] = "--map-by ppr:$2:node[:PE=$1] --bind-to $u",
		  [TMAP_FIX_WIDE_THREADS] = "--map-by ppr:$2:node[:PE=$1] --bind-to $u",
		  [TMAP_FIX_PACKAGE_THREADS] = "--map-by ppr:$2:socket[:PE=$1] --bind-to $u",
		  [TMAP_FIX_NUMA_THREADS] = "--map-by ppr:$2:numa[:PE=$1] --bind-to $u",
		  [TMAP_FIX_EACH_PACKAGE] = "--map-by ppr:$2:socket[:PE=$1] --bind-to $u",
		  [TMAP_FIX_EACH_NUMA] = "--map-by ppr:$2:numa[:PE=$1] --bind-to $u",
		  [TMAP_FIX_EACH_CACHE] = "--map-by ppr:$2:l3cache[:PE=$1] --bind-to $u",
		  [TMAP_FIX_SHARE] = "-n $3 --host $2 --map-by slot[:PE=$1] --bind-to $u",
		  [TMAP_FIX_SHARE_SPREAD] = "-n $3 --host $2 --map-by numa[:PE=$1] --bind-to $u" },
};

const struct tmap_fix_words tmap_openmpi5_fixes = {
	.launcher = "Open MPI 5",
	.word = { [TMAP_FIX_BIND] = "--bind-to $u",
		  [TMAP_FIX_APART] = "--map-by $m --bind-to $u",
		  [TMAP_FIX_CORES] = "--map-by $m --bind-to $u",
		  [TMAP_FIX_PACKAGES] = "--map-by ppr:$2:package:PE=$1 --bind-to $u",
		  [TMAP_FIX_PACKAGE] = "--map-by package --bind-to package",
		  [TMAP_FIX_NUMA] = "--map-by numa --bind-to numa",
		  [TMAP_FIX_NUMAS] = "--map-by ppr:$2:numa:PE=$1 --bind-to $u",
		  [TMAP_FIX_SPREAD] = "--map-by numa[:PE=$1] --rank-by slot --bind-to $u",
		  [TMAP_FIX_SPREAD_THREADS] = "--map-by numa[:PE=$1] --rank-by slot --bind-to $u",
		  [TMAP_FIX_CACHES] = "--map-by l3cache[:PE=$1] --rank-by slot --bind-to $u",
		  [TMAP_FIX_FEWER] = "-n $1 --map-by ppr:$2:node --bind-to $u",
		  [TMAP_FIX_TURNS] = "--map-by package[:PE=$1] --rank-by slot --bind-to $u",
		  [TMAP_FIX_EVEN] = "-n $4 --map-by ppr:$2:node[:PE=$1 --bind-to $u]",
		  [TMAP_FIX_EVEN_NUMAS] = "-n $4 --map-by ppr:$2:numa[:PE=$1] --bind-to $u",
		  [TMAP_FIX_EVEN_PACKAGES] = "-n $4 --map-by ppr:$2:package[:PE=$1] --bind-to $u",
		  [TMAP_FIX_EVEN_CACHES] = "-n $4 --map-by ppr:$2:l3cache[:PE=$1] --bind-to $u",
		  [TMAP_FIX_EVEN_SPREAD] =
			  "-n $4 --map-by numa[:PE=$1] --rank-by slot --bind-to $u",
		  [TMAP_FIX_EVEN_TURNS] =
			  "-n $4 --map-by package[:PE=$1] --rank-by slot --bind-to $u",
		  [TMAP_FIX_EVEN_CACHE_TURNS] =
			  "-n $4 --map-by l3cache[:PE=$1] --rank-by slot --bind-to $u",
		  [TMAP_FIX_BLOCK] = "--map-by ppr:$2:node:PE=$1 --bind-to $u",
		  [TMAP_FIX_PACKED] = "--map-by ppr:$2:node:PE=$1 --bind-to $u",
		  [TMAP_FIX_CYCLIC] = "--map-by node:PE=$1 --bind-to $u",
		  [TMAP_FIX_THREADS] = "--map-by ppr:$2:node[:PE=$1] --bind-to $u",
		  [TMAP_FIX_PACKAGE_THREADS] = "--map-by ppr:$2:package[:PE=$1] --bind-to $u",
		  [TMAP_FIX_NUMA_THREADS] = "--map-by ppr:$2:numa[:PE=$1] --bind-to $u",
		  [TMAP_FIX_EACH_PACKAGE] = "--map-by ppr:$2:package[:PE=$1] --bind-to $u",
		  [TMAP_FIX_EACH_NUMA] = "--map-by ppr:$2:numa[:PE=$1] --bind-to $u",
		  [TMAP_FIX_EACH_CACHE] = "--map-by ppr:$2:l3cache[:PE=$1] --bind-to $u",
		  [TMAP_FIX_SHARE] = "-n $3 --host $2 --map-by slot[:PE=$1] --bind-to $u",
		  [TMAP_FIX_SHARE_SPREAD] =
			  "-n $3 --host $2 --map-by numa[:PE=$1] --rank-by slot --bind-to $u" },
	/* without it there is nothing to map to where a node has no cores */
	.pu = "hwthread --use-hwthread-cpus",
};
