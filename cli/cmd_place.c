#include "cli/command.h"

#include "core/hostlist.h"
#include "core/mem.h"
#include "core/policies/openmpi.h"
#include "core/policies/shuffle.h"
#include "core/str.h"
#include "formats/file.h"
#include "formats/json_placement.h"
#include "formats/launchers/rankfile.h"
#include "formats/machine_spec.h"

#include <stdlib.h>
#include <string.h>

/* Open MPI's words, as typed and as understood. */
struct policy {
	struct tm_ompi_request request;
	const char *map_by, *rank_by, *bind_to;
	bool said;               /* by the user, one of the three */
};

struct place_args {
	struct tm_opt_list machines;
	int ranks;
	int slots;
	struct policy policy;
	bool hwthreads;
	const char *rankfile;
	int64_t shuffle;
	const char *hosts;
	const char *output;
};

static int parse_map_by(const struct tm_opt *opt, const char *value, void *member,
			struct tm_error *err)
{
	struct policy *policy = member;

	policy->map_by = value;
	policy->said |= value != opt->initial;
	return tm_ompi_parse_map_by(&policy->request, value, err);
}

static int parse_rank_by(const struct tm_opt *opt, const char *value, void *member,
			 struct tm_error *err)
{
	struct policy *policy = member;

	policy->rank_by = value;
	policy->said |= value != opt->initial;
	return tm_ompi_parse_rank_by(&policy->request, value, err);
}

static int parse_bind_to(const struct tm_opt *opt, const char *value, void *member,
			 struct tm_error *err)
{
	struct policy *policy = member;

	policy->bind_to = value;
	policy->said |= value != opt->initial;
	return tm_ompi_parse_bind_to(&policy->request, value, err);
}

static const struct tm_opt_type map_by = { .hint = TM_HINT_WORDS, .parse = parse_map_by };
static const struct tm_opt_type rank_by = { .hint = TM_HINT_WORDS, .parse = parse_rank_by };
static const struct tm_opt_type bind_to = { .hint = TM_HINT_WORDS, .parse = parse_bind_to };

static const struct tm_opt operands[] = {
	{ TM_OPERAND_FILES(struct place_args, machines, "MACHINE",
			   "[COUNT*]FILE.xml, or a line such as 'node:4 package:2 core:8'"),
	  .required = true },
	TM_OPT_END
};

static const struct tm_opt options[] = {
	{ TM_OPT_INT(struct place_args, ranks, 'n', "ranks", "P", NULL, 1, TM_JSON_MOST_RANKS,
		     "number of ranks; without it, one for each slot") },
	{ TM_OPT_INT(struct place_args, slots, 0, "slots", "S", NULL, 1, TM_JSON_MOST_RANKS,
		     "slots of each node; without it, one for each core, or for each hardware "
		     "thread with --bind-to hwthread") },
	{ TM_OPT_OF(struct place_args, policy, struct policy, &map_by, 0, "map-by",
		    "OBJECT[:MODIFIER,...]", "core", "what the ranks fill first, as Open MPI 4.1 "
		    "does; modifiers are PE=N, SPAN, OVERSUBSCRIBE"),
	  .words = &tm_ompi_words, .among = TM_OMPI_MAP_WORDS },
	{ TM_OPT_OF(struct place_args, policy, struct policy, &rank_by, 0, "rank-by",
		    "OBJECT[:SPAN|:FILL]", NULL, "in which order they are numbered; without it, "
		    "as they are mapped"),
	  .words = &tm_ompi_words, .among = TM_OMPI_RANK_WORDS },
	{ TM_OPT_OF(struct place_args, policy, struct policy, &bind_to, 0, "bind-to",
		    "OBJECT[:overload-allowed]", "core", "what each rank is bound to"),
	  .words = &tm_ompi_words, .among = TM_OMPI_BIND_WORDS },
	{ TM_OPT_FLAG(struct place_args, hwthreads, 0, "use-hwthread-cpus",
		      "count hardware threads as cpus") },
	{ TM_OPT_FILE(struct place_args, rankfile, 0, "rankfile", "FILE", NULL,
		      "place the ranks as Open MPI 4 does under this rankfile") },
	{ TM_OPT_INT64(struct place_args, shuffle, 0, "shuffle", "SEED", NULL, 0, INT64_MAX,
		       "then deal the places to the ranks at random") },
	{ TM_OPT_STRING(struct place_args, hosts, 0, "hosts", "LIST", NULL,
			"names of the nodes, such as node[01-04]") },
	{ TM_OPT_OUTPUT(struct place_args, output) },
	TM_OPT_END
};

static const struct tm_example examples[] = {
	{ "32 ranks, next ranks on next nodes",
	  "topomap place 'node:4 package:2 core:4' -n 32 --map-by node | topomap inspect", NULL },
	{ "two ranks for each package, bound to two cores each",
	  "topomap place 'node:2 package:2 core:4' --map-by ppr:2:package:PE=2", NULL },
	{ "eight nodes like the one in a file of hwloc's", "topomap place '8*node.xml' -o big.json",
	  NULL },
	{ "where a rankfile puts a job on two such nodes",
	  "topomap place '2*node.xml' --hosts 'a,b' --rankfile job.rankfile",
	  "there is no rankfile of such a job" },
	{ NULL, NULL, NULL }
};

static int check_words(const struct place_args *args, struct tm_error *err)
{
	if (args->rankfile && (args->policy.said || args->slots != TM_NONE || args->hwthreads))
		return tm_fail(err, TM_USAGE, "--rankfile says where the ranks run: --map-by, "
			       "--rank-by, --bind-to, --slots and --use-hwthread-cpus cannot be "
			       "combined with it");
	return 0;
}

static int name_hosts(struct tm_machine *machine, const char *text, struct tm_error *err)
{
	struct tm_hostlist hosts = TM_HOSTLIST_INIT;
	char **name = NULL;
	int rc = -1;

	if (tm_hostlist_parse(&hosts, text, err) < 0)
		goto out;
	name = tm_alloc(hosts.count, sizeof *name, err);
	if (!name)
		goto out;
	for (size_t i = 0; i < hosts.count; i++)
		name[i] = hosts.text + hosts.starts[i];
	rc = tm_machine_rename(machine, name, (int)hosts.count, err);
out:
	free(name);
	tm_hostlist_fini(&hosts);
	return rc < 0 ? tm_wrap(err, "--hosts") : 0;
}

static int place_by_policy(struct tm_placement *p, struct tm_machine *machine,
			   const struct place_args *args, struct tm_error *err)
{
	struct tm_ompi_request request = args->policy.request;

	request.ranks = args->ranks;
	request.slots = args->slots;
	request.hwthreads = args->hwthreads;
	return tm_ompi_place(p, machine, &request, err);
}

static int place(struct tm_placement *p, struct tm_machine *machine,
		 const struct place_args *args, struct tm_error *err)
{
	if (!args->rankfile)
		return place_by_policy(p, machine, args, err);
	if (tm_rankfile_read(p, machine, args->rankfile, err) < 0)
		return -1;
	if (args->ranks == TM_NONE || args->ranks == p->size)
		return 0;
	tm_fail(err, TM_INPUT, "%s: it places %d ranks, but --ranks says %d", args->rankfile,
		p->size, args->ranks);
	tm_placement_fini(p);
	return -1;
}

static void describe_policy(struct tm_str *text, const struct place_args *args)
{
	tm_str_addf(text, " --map-by %s", args->policy.map_by);
	if (args->policy.rank_by)
		tm_str_addf(text, " --rank-by %s", args->policy.rank_by);
	tm_str_addf(text, " --bind-to %s", args->policy.bind_to);
	if (args->slots != TM_NONE)
		tm_str_addf(text, " --slots %d", args->slots);
	if (args->hwthreads)
		tm_str_add(text, " --use-hwthread-cpus");
}

/* The words of the request, for people: tm_origin.request. */
static char *describe(const struct place_args *args, struct tm_error *err)
{
	struct tm_str text = TM_STR_INIT;

	for (size_t i = 0; i < args->machines.count; i++)
		tm_str_addf(&text, "%s%s", i ? ", " : "", args->machines.items[i]);
	if (args->ranks != TM_NONE)
		tm_str_addf(&text, " --ranks %d", args->ranks);
	if (args->rankfile)
		tm_str_addf(&text, " --rankfile %s", args->rankfile);
	else
		describe_policy(&text, args);
	if (args->shuffle != TM_NONE)
		tm_str_addf(&text, " --shuffle %lld", (long long)args->shuffle);
	return tm_str_take(&text, err);
}

static int run(const void *data, struct tm_error *err)
{
	const struct place_args *args = data;
	struct tm_placement p = { 0 };
	struct tm_output out = { 0 };
	struct tm_machine *machine = NULL;
	int status = -1;

	if (check_words(args, err) < 0)
		return -1;
	machine = tm_machine_read_specs(args->machines.items, args->machines.count, err);
	if (!machine || (args->hosts && name_hosts(machine, args->hosts, err) < 0) ||
	    place(&p, machine, args, err) < 0)
		goto out;
	if (args->shuffle != TM_NONE && tm_shuffle_place(&p, (uint64_t)args->shuffle, err) < 0)
		goto out;
	p.origin.by = tm_strdup("topomap place", err);
	p.origin.request = describe(args, err);
	if (!p.origin.by || !p.origin.request || tm_output_init(&out, args->output, err) < 0)
		goto out;
	status = tm_placement_write_json(&p, out.file, NULL, err);
	if (status == 0)
		status = tm_output_commit(&out, err);
out:
	tm_output_fini(&out);
	tm_placement_fini(&p);
	tm_machine_free(machine);
	return status;
}

const struct tm_command tm_cmd_place = {
	.name = "place",
	.summary = "place the ranks of a job that does not run",
	.description =
		"Writes the placement that a job would have on the nodes that the operands "
		"describe. A MACHINE is hwloc's XML file of a node, with a count in front where "
		"there are several ('4*node.xml'), or one line: 'node:N', then hwloc's synthetic "
		"description of one of the N nodes, from the outside to the inside. If it does not "
		"end in PUs, 'pu:1' is added. Several MACHINEs make one job of several kinds of "
		"nodes.\n\n"
		"Nodes are called n0, n1, ... across all of them; a file that stands for one node "
		"gives it the host name that it records. --hosts gives other names. A rankfile whose "
		"names are all unknown names the nodes in order of first appearance.\n\n"
		"Without options, every core that may be used gets one rank, core after core and "
		"node after node. --map-by, --rank-by and --bind-to take Open MPI's words and do "
		"what Open MPI 4.1 does with them, to each rank's PU; what mpirun would refuse is "
		"refused. 'default' stands for leaving the option out there: up to two ranks are "
		"then mapped and bound by core, more by NUMA node.",
	.operands = operands,
	.options = options,
	.args_size = sizeof(struct place_args),
	.examples = examples,
	.see_also = "topomap-inspect(1), topomap(7), topomap-json(5), hwloc(7)",
	.run = run,
};
