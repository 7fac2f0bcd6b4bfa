#include "cli/base/command.h"
#include "cli/place.h"

#include "core/base/hostlist.h"
#include "core/base/mem.h"
#include "core/place/openmpi.h"
#include "core/place/shuffle.h"
#include "core/place/slurm.h"
#include "formats/base/file.h"
#include "formats/machine/json_placement.h"
#include "formats/machine/machine_spec.h"
#include "formats/network/network.h"

#include <stdlib.h>
#include <string.h>

/* Words are understood once the launcher is known; the table of Open MPI's helps shells. */
static int keep_words(const struct tmap_opt *opt, const char *value, void *member,
		      struct tmap_error *err)
{
	(void)opt;
	(void)err;
	*(const char **)member = value;
	return 0;
}

static const struct tmap_opt_type policy = { .hint = TMAP_HINT_WORDS, .parse = keep_words };

static const struct tmap_opt operands[] = {
	{ TMAP_OPERAND_FILES(struct tmap_place_args, machines, "MACHINE",
			     "[COUNT*]FILE.xml, or a line such as 'node:4 package:2 core:8'"),
	  .required = true },
	TMAP_OPT_END,
};

#define POLICY(member_, name_, metavar_, help_) \
	TMAP_OPT_OF(struct tmap_place_args, member_, const char *, &policy, 0, name_, metavar_, \
		    NULL, help_), \
		.words = &tmap_ompi_words

static const struct tmap_opt options[] = {
	{ TMAP_OPT_INT(struct tmap_place_args, ranks, 'n', "ranks", "P", NULL, 1,
		       TMAP_JSON_MOST_RANKS, "number of ranks; without it, one for each slot") },
	{ TMAP_OPT_INT(struct tmap_place_args, slots, 0, "slots", "S", NULL, 1,
		       TMAP_JSON_MOST_RANKS,
		       "slots of each node; without it, one for each core, or for each hardware "
		       "thread with --bind-to hwthread") },
	{ TMAP_OPT_CHOICE(struct tmap_place_args, launcher, 0, "launcher", "LAUNCHER", NULL,
			  &tmap_launchers_placing, TMAP_KEYWORDS_ALL,
			  "launcher whose options follow (default: openmpi4)") },
	{ POLICY(map_by, "map-by", "OBJECT[:MODIFIER,...]",
		 "what the ranks fill first (core if "
		 "left out; modifiers are PE=N, SPAN, OVERSUBSCRIBE)"),
	  .among = TMAP_OMPI_MAP_WORDS },
	{ POLICY(rank_by, "rank-by", "OBJECT[:SPAN|:FILL]",
		 "in which order they are numbered "
		 "(as they are mapped, if left out)"),
	  .among = TMAP_OMPI_RANK_WORDS },
	{ POLICY(bind_to, "bind-to", "OBJECT[:overload-allowed]",
		 "what each rank is bound to "
		 "(core if left out; nothing for Hydra)"),
	  .among = TMAP_OMPI_BIND_WORDS },
	{ TMAP_OPT_FLAG(struct tmap_place_args, hwthreads, 0, "use-hwthread-cpus",
			"count hardware threads as cpus") },
	{ TMAP_OPT_STRING(struct tmap_place_args, distribution, 'm', "distribution",
			  "NODES[:SOCKETS]", NULL,
			  "Slurm's: block, cyclic or plane=SIZE over the nodes; block, cyclic "
			  "or fcyclic over the sockets") },
	{ TMAP_OPT_CHOICE(struct tmap_place_args, cpu_bind, 0, "cpu-bind", "WHAT", NULL,
			  &tmap_slurm_bind_words, TMAP_KEYWORDS_ALL,
			  "Slurm's: what each rank is bound to (cores if left out)") },
	{ TMAP_OPT_INT(struct tmap_place_args, cpus_per_task, 'c', "cpus-per-task", "C", NULL, 1,
		       65535, "Slurm's: hardware threads for each rank") },
	{ TMAP_OPT_STRING(struct tmap_place_args, order, 0, "order", "LEVEL,...", NULL,
			  "count through the levels of the machine, the first one fastest") },
	{ TMAP_OPT_PLACE_FILES(struct tmap_place_args, files) },
	{ TMAP_OPT_INT64(struct tmap_place_args, shuffle, 0, "shuffle", "SEED", NULL, 0, INT64_MAX,
			 "then give the places to the ranks in a random order") },
	{ TMAP_OPT_STRING(
		struct tmap_place_args, hosts, 0, "hosts", "LIST", NULL,
		"names of the nodes, such as node[01-04]; with their slots: a:4,n[0-3]:8") },
	{ TMAP_OPT_FILE(struct tmap_place_args, network, 0, "network", "FILE", NULL,
			"the switches above the nodes, such as Slurm's topology.conf") },
	{ TMAP_OPT_OUTPUT(struct tmap_place_args, output) },
	TMAP_OPT_END,
};

static const struct tmap_example examples[] = {
	{ "32 ranks, next ranks on next nodes",
	  "topomap place 'node:4 package:2 core:4' -n 32 --map-by node | topomap inspect", NULL },
	{ "two ranks for each package, bound to two cores each",
	  "topomap place 'node:2 package:2 core:4' --map-by ppr:2:package:PE=2", NULL },
	{ "next ranks on next packages, node after node",
	  "topomap place 'node:2 package:2 core:4' --order package,core,node", NULL },
	{ "as srun -n 8 -m cyclic:block does", "topomap place '2*node.xml' -n 8 -m cyclic:block",
	  NULL },
	{ "eight nodes like the one in a file of hwloc's", "topomap place '8*node.xml' -o big.json",
	  NULL },
	{ "four nodes under the switches that Slurm knows",
	  "topomap place '4*node.xml' --network topology.conf | topomap inspect",
	  "there is no description of such a network" },
	{ "where a rankfile puts a job on two such nodes",
	  "topomap place '2*node.xml' --hosts 'a,b' --from openmpi4:job.rankfile",
	  "there is no rankfile of such a job" },
	{ "where mpirun reports that the ranks of a job are",
	  "topomap place '2*node.xml' --from report-bindings:job.err | topomap inspect",
	  "there is no output of such a job" },
	{ NULL, NULL, NULL },
};

/* The names of --hosts, and their slots where it has any. */
static int name_hosts(struct tmap_machine *machine, int **slots, const char *text,
		      struct tmap_error *err)
{
	struct tmap_hostlist hosts = TMAP_HOSTLIST_INIT;
	char **name = NULL;
	int rc = -1;

	if (tmap_hostlist_parse_slots(&hosts, slots, text, err) < 0) {
		err->kind = err->kind == TMAP_INPUT ? TMAP_USAGE : err->kind;
		goto out;
	}
	name = tmap_alloc(hosts.count, sizeof *name, err);
	if (!name)
		goto out;
	for (size_t i = 0; i < hosts.count; i++)
		name[i] = hosts.text + hosts.starts[i];
	rc = tmap_machine_rename(machine, name, (int)hosts.count, err);
out:
	free(name);
	tmap_hostlist_fini(&hosts);
	return rc < 0 ? tmap_wrap(err, "--hosts") : 0;
}

/* The words of the request, for people: tmap_origin.request. */
static char *describe(const struct tmap_place_args *args, struct tmap_error *err)
{
	struct tmap_str text = TMAP_STR_INIT;

	for (size_t i = 0; i < args->machines.count; i++)
		tmap_str_addf(&text, "%s%s", i ? ", " : "", args->machines.items[i]);
	if (args->ranks != TMAP_NONE)
		tmap_str_addf(&text, " --ranks %d", args->ranks);
	tmap_place_describe(&text, args);
	if (args->node_slots)
		tmap_str_addf(&text, " --hosts %s", args->hosts);
	if (args->network)
		tmap_str_addf(&text, " --network %s", args->network);
	if (args->shuffle != TMAP_NONE)
		tmap_str_addf(&text, " --shuffle %lld", (long long)args->shuffle);
	return tmap_str_take(&text, err);
}

/* Standard input can be read once. */
static int read_network(struct tmap_machine *machine, const struct tmap_place_args *args,
			struct tmap_error *err)
{
	if (tmap_place_files_has_stdin(&args->files) && strcmp(args->network, "-") == 0)
		return tmap_fail(err, TMAP_USAGE,
				 "only one of --network and the file of ranks can be "
				 "standard input");
	return tmap_network_read(machine, args->network, err);
}

static int run(const void *data, struct tmap_error *err)
{
	const struct tmap_place_args *args = data;
	struct tmap_place_args sized = *args;
	int *slots = NULL;
	struct tmap_placement p = { 0 };
	struct tmap_output out = { 0 };
	struct tmap_machine *machine = NULL;
	int status = -1;

	machine = tmap_machine_read_specs(args->machines.items, args->machines.count, err);
	if (!machine || (args->hosts && name_hosts(machine, &slots, args->hosts, err) < 0) ||
	    (args->network && read_network(machine, args, err) < 0))
		goto out;
	sized.node_slots = slots;
	if (tmap_place(&p, machine, &sized, err) < 0)
		goto out;
	if (args->shuffle != TMAP_NONE && tmap_shuffle_place(&p, (uint64_t)args->shuffle, err) < 0)
		goto out;
	p.origin.by = tmap_strdup("topomap place", err);
	p.origin.request = describe(&sized, err);
	if (!p.origin.by || !p.origin.request || tmap_output_init(&out, args->output, err) < 0)
		goto out;
	status = tmap_placement_write_json(&p, out.file, NULL, err);
	if (status == 0)
		status = tmap_output_commit(&out, err);
out:
	tmap_output_fini(&out);
	tmap_placement_fini(&p);
	tmap_machine_free(machine);
	free(slots);
	return status;
}

const struct tmap_command tmap_cmd_place = {
	.name = "place",
	.summary = "show where a launcher would put the ranks of a job",
	.description =
		"Computes the mapping and binding of a job from a description of its nodes and "
		"the options of Open MPI's, MPICH's or Slurm's launcher, or from a file that a "
		"launcher reads or prints, and writes the placement that all other commands "
		"read. No job is started. Without options, every core gets one rank, bound to "
		"it, core after core and node after node. A MACHINE is hwloc's XML file of a "
		"node, or a line that begins with the number of nodes and goes on with hwloc's "
		"synthetic description of one.",
	.operands = operands,
	.options = options,
	.args_size = sizeof(struct tmap_place_args),
	.examples = examples,
	.run = run,
};
