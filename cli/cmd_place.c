#include "cli/command.h"

#include "core/hostlist.h"
#include "core/mem.h"
#include "core/policy.h"
#include "core/str.h"
#include "formats/file.h"
#include "formats/json_placement.h"
#include "formats/launchers/rankfile.h"
#include "formats/machine_spec.h"

#include <stdlib.h>
#include <string.h>

struct place_args {
	struct tm_opt_list machines;
	int ranks;
	int map_by;
	int bind_to;
	const char *rankfile;
	int64_t shuffle;
	const char *hosts;
	const char *output;
};

static const struct tm_opt operands[] = {
	{ TM_OPERAND_FILES(struct place_args, machines, "MACHINE",
			   "[COUNT*]FILE.xml, or a line such as 'node:4 package:2 core:8'"),
	  .required = true },
	TM_OPT_END
};

static const struct bind_row {
	struct tm_word word;
} bind_rows[] = {
	{ { "core", "one core each, with all its PUs" } },
	{ { NULL, NULL } },
};

static const struct tm_words bind_words = TM_WORDS("binding", bind_rows);

static const struct tm_opt options[] = {
	{ TM_OPT_INT(struct place_args, ranks, 'n', "ranks", "P", NULL, 1, TM_JSON_MOST_RANKS,
		     "number of ranks; without it, as many as there are cores") },
	{ TM_OPT_CHOICE(struct place_args, map_by, 0, "map-by", "POLICY", NULL, &tm_map_by_words,
			TM_WORDS_ALL, "what the ranks fill first; core if nothing is said") },
	{ TM_OPT_CHOICE(struct place_args, bind_to, 0, "bind-to", "OBJECT", NULL, &bind_words,
			TM_WORDS_ALL, "what each rank is bound to; core if nothing is said") },
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
	{ "eight nodes like the one in a file of hwloc's", "topomap place '8*node.xml' -o big.json",
	  NULL },
	{ "where a rankfile puts a job on two such nodes",
	  "topomap place '2*node.xml' --hosts 'a,b' --rankfile job.rankfile",
	  "there is no rankfile of such a job" },
	{ NULL, NULL, NULL }
};

static int check_words(const struct place_args *args, struct tm_error *err)
{
	if (!args->rankfile)
		return 0;
	if (args->map_by != TM_NONE || args->bind_to != TM_NONE)
		return tm_fail(err, TM_USAGE, "--rankfile already says where ranks run: --%s "
			       "cannot be combined with it",
			       args->map_by != TM_NONE ? "map-by" : "bind-to");
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

static int place(struct tm_placement *p, struct tm_machine *machine,
		 const struct place_args *args, struct tm_error *err)
{
	if (!args->rankfile)
		return tm_policy_place(p, machine, args->ranks, args->map_by == TM_NONE ?
				       TM_MAP_BY_CORE : (enum tm_map_by)args->map_by, err);
	if (tm_rankfile_read(p, machine, args->rankfile, err) < 0)
		return -1;
	if (args->ranks == TM_NONE || args->ranks == p->size)
		return 0;
	tm_fail(err, TM_INPUT, "%s: it places %d ranks, but --ranks says %d", args->rankfile,
		p->size, args->ranks);
	tm_placement_fini(p);
	return -1;
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
		tm_str_addf(&text, " --map-by %s --bind-to core",
			    tm_words_at(&tm_map_by_words, args->map_by == TM_NONE ? 0 :
					(size_t)args->map_by)->name);
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
	if (args->shuffle != TM_NONE && tm_policy_shuffle(&p, (uint64_t)args->shuffle, err) < 0)
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
		"node after node.",
	.operands = operands,
	.options = options,
	.args_size = sizeof(struct place_args),
	.examples = examples,
	.see_also = "topomap-inspect(1), topomap(7), topomap-json(5), hwloc(7)",
	.run = run,
};
