/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/base/adapters.h"
#include "cli/base/command.h"
#include "cli/base/other_file.h"
#include "cli/place.h"
#include "cli/place_others.h"
#include "cli/place_topics.h"

#include "core/base/hostlist.h"
#include "core/base/mem.h"
#include "core/machine/most_ranks.h"
#include "core/place/openmpi.h"
#include "core/place/permute.h"
#include "core/place/slurm.h"
#include "formats/base/output.h"
#include "formats/base/progress_line.h"
#include "formats/launchers/common/kept_env.h"
#include "formats/launchers/common/policy.h"
#include "formats/launchers/openmpi/hostfile_slots.h"
#include "formats/machine/json_placement.h"
#include "formats/machine/machine_line.h"
#include "formats/machine/machine_spec.h"
#include "formats/network/network.h"

#include <limits.h>
#include <stdio.h>
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
			     "[COUNT*]FILE.xml, or a line such as 'node:4 package:2 core:8'; "
			     "with --network also a placement, JOB.json"),
	  .required = true },
	TMAP_OPT_END,
};

#define POLICY(member_, name_, metavar_, help_) \
	TMAP_OPT_OF(struct tmap_place_args, member_, const char *, &policy, 0, name_, metavar_, \
		    NULL, help_), \
		.words = &tmap_ompi_words

static const struct tmap_opt options[] = {
	{ TMAP_OPT_INT(struct tmap_place_args, ranks, 'n', "ranks", "P", NULL, 1, TMAP_MOST_RANKS,
		       "number of ranks; one for each slot by default") },
	{ TMAP_OPT_INT(
		struct tmap_place_args, slots, 0, "slots", "S", NULL, 1, TMAP_MOST_RANKS,
		"slots of each node; by default one for each core, or for each hardware "
		"thread with --use-hwthread-cpus (with openmpi4 --bind-to hwthread, too); with "
		"hydra one where hosts are named") },
	{ TMAP_OPT_CHOICE(struct tmap_place_args, launcher, 0, "launcher", "LAUNCHER", NULL,
			  &tmap_launchers_placing, TMAP_KEYWORDS_ALL,
			  "launcher whose options are given (openmpi4 by default)") },
	{ POLICY(map_by, "map-by", "OBJECT[:MODIFIER,...]",
		 "map by this object (core by default); modifiers are PE=N, SPAN, OVERSUBSCRIBE "
		 "and, with openmpi5, others; a package is socket to mpirun of Open MPI 4, and "
		 "package is topomap's word for it"),
	  .among = TMAP_OMPI_MAP_WORDS },
	{ POLICY(rank_by, "rank-by", "OBJECT[:SPAN|:FILL]",
		 "number the ranks by this object (as they are mapped by default); with openmpi5 "
		 "by slot, node, fill or span"),
	  .among = TMAP_OMPI_RANK_WORDS },
	{ POLICY(bind_to, "bind-to", "OBJECT[:overload-allowed]",
		 "bind each rank to this object (core by default, \"default\" as mpirun by itself; "
		 "none where a node has no cores and for hydra, with openmpi5 mostly what it is "
		 "mapped to); with hydra also to a device: gpu, ib, ib0, "
		 "pci:ID and others"),
	  .among = TMAP_OMPI_BIND_WORDS },
	{ TMAP_OPT_FLAG(struct tmap_place_args, hwthreads, 0, "use-hwthread-cpus",
			"count hardware threads (SMT) as cpus") },
	{ TMAP_OPT_STRING(struct tmap_place_args, distribution, 'm', "distribution",
			  "NODES[:SOCKETS]", NULL,
			  "srun's distribution: block, cyclic or plane=SIZE over the nodes; block, "
			  "cyclic or fcyclic over the sockets; with flux its --taskmap: block, "
			  "cyclic, cyclic:N, manual:TASKMAP or hostfile:FILE") },
	{ TMAP_OPT_OF(struct tmap_place_args, cpu_bind, const char *, &policy, 0, "cpu-bind",
		      "WHAT", NULL,
		      "what srun binds each rank to (cores by default), also map_cpu:LIST, "
		      "mask_cpu:LIST, map_ldom:LIST and mask_ldom:LIST; with flux its cpu-affinity "
		      "(on, off, per-task or map:LIST), with cray that of PALS (none, core, depth "
		      "or list:LIST)"),
	  .words = &tmap_slurm_bind_words, .among = TMAP_KEYWORDS_ALL },
	{ TMAP_OPT_INT(struct tmap_place_args, cpus_per_task, 'c', "cpus-per-task", "C", NULL, 1,
		       65535,
		       "srun's number of hardware threads for each rank; with flux of cores, with "
		       "cray --depth") },
	{ TMAP_OPT_INT(struct tmap_place_args, cores, 0, "cores", "N", NULL, 1, INT_MAX,
		       "flux run's --cores: so many of all nodes together") },
	{ TMAP_OPT_INT(struct tmap_place_args, tasks_per_core, 0, "tasks-per-core", "N", NULL, 1,
		       65535, "flux run's --tasks-per-core: ranks for each core of the job") },
	{ TMAP_OPT_FLAG(struct tmap_place_args, exclusive, 'x', "exclusive",
			"flux run's --exclusive: all cores of the nodes are the job's") },
	{ TMAP_OPT_LIST(struct tmap_place_args, env, 0, "env", "NAME=VALUE",
			"a variable that the launcher or its MPI library follows, such as "
			"I_MPI_PIN_DOMAIN with intel, or one of threads, such as "
			"OMP_NUM_THREADS, which inspect reads; again and again") },
	{ TMAP_OPT_LIST(struct tmap_place_args, programs, 0, "app", "'-n N PROGRAM'",
			"a program of a job that has several, as between the colons of mpirun's "
			"line; again and again (Open MPI's and MPICH's launchers); with openmpi5 "
			"also with --host or --hostfile of its own") },
	{ TMAP_OPT_STRING(struct tmap_place_args, order, 0, "order", "LEVEL,...", NULL,
			  "number the cores through these levels, the first one changing fastest") },
	{ TMAP_OPT_PLACE_FILES(struct tmap_place_args, files) },
	{ TMAP_OPT_INT(struct tmap_place_args, job, 0, "job", "N", NULL, 1, INT_MAX,
		       "of a log with several jobs, take this one; the first is 1") },
	{ TMAP_OPT_INT64(struct tmap_place_args, shuffle, 0, "shuffle", "SEED", NULL, 0, INT64_MAX,
			 "then permute the places of the ranks at random") },
	{ TMAP_OPT_STRING(
		struct tmap_place_args, hosts, 0, "hosts", "LIST", NULL,
		"names of the nodes, such as node[01-04]; with their slots: a:4,n[0-3]:8,b, "
		"where b has one") },
	{ TMAP_OPT_FILE(struct tmap_place_args, hostfile, 0, "hostfile", "FILE", NULL,
			"names of the nodes, and where the launcher has them their slots and "
			"max_slots, as mpirun --hostfile reads them; with hydra as mpiexec reads "
			"them, HOST:SLOTS") },
	{ TMAP_OPT_FILE(struct tmap_place_args, network, 0, "network", "FILE", NULL,
			"the switches above the nodes, such as Slurm's topology.conf; those that "
			"a placement has are replaced") },
	{ TMAP_OPT_STRING(struct tmap_place_args, topology, 0, "topology", "NAME", NULL,
			  "which topology of a topology.yaml (by default the cluster's)") },
	{ TMAP_OPT_ADAPTERS(struct tmap_place_args, adapters) },
	{ TMAP_OPT_OUTPUT_JSON(struct tmap_place_args, output) },
	{ .type = NULL, .others = tmap_place_others },
};

static const struct tmap_example examples[] = {
	{ "32 ranks in cyclic order over the nodes",
	  "topomap place 'node:4 package:2 core:4' -n 32 --map-by node | topomap inspect", NULL },
	{ "two ranks for each package, bound to two cores each",
	  "topomap place 'node:2 package:2 core:4' --map-by ppr:2:socket:PE=2", NULL },
	{ "two programs in one job, 4 ranks and 8",
	  "topomap place 'node:2 core:8' --launcher openmpi5 --app '-n 4 ocean' --app '-n 8 air'",
	  NULL },
	{ "four ranks of eight threads each, bound to four cores: is it well?",
	  "topomap place 'node:1 package:2 core:8' --map-by ppr:2:socket:PE=4 "
	  "--env OMP_NUM_THREADS=8 | topomap inspect",
	  NULL },
	{ "consecutive ranks on consecutive packages, node after node",
	  "topomap place 'node:2 package:2 core:4' --order package,core,node", NULL },
	{ "the placement of srun -n 8 -m cyclic:block",
	  "topomap place '2*node.xml' -n 8 -m cyclic:block", NULL },
	{ "the placement of flux run -N 2 -n 6 -c 2 -o cpu-affinity=per-task",
	  "topomap place 'node:2 core:8' --launcher flux -n 6 -c 2 --cpu-bind per-task", NULL },
	{ "the placement of mpiexec --ppn 4 --depth 2 --cpu-bind depth (Cray PALS)",
	  "topomap place 'node:2 core:8' --launcher cray --slots 4 -c 2 --cpu-bind depth", NULL },
	{ "the placement of mpirun -n 4 -genv I_MPI_PIN_DOMAIN core -genv I_MPI_PIN_ORDER scatter",
	  "topomap place 'node:1 package:2 core:4' --launcher intel -n 4 --env I_MPI_PIN_DOMAIN=core "
	  "--env I_MPI_PIN_ORDER=scatter",
	  NULL },
	{ "eight nodes like the one in an XML file of hwloc",
	  "topomap place '8*node.xml' -o big.json", NULL },
	{ "four nodes under the switches of Slurm's topology.conf",
	  "topomap place '4*node.xml' --network topology.conf | topomap inspect",
	  "there is no description of such a network" },
	{ "a job that was probed, under the switches of Slurm's topology.conf",
	  "topomap place job.json --network topology.conf -o job2.json",
	  "there is no description of such a network" },
	{ "the placement of a rankfile on two nodes",
	  "topomap place '2*node.xml' --hosts 'a,b' --from openmpi4:job.rankfile",
	  "there is no rankfile of such a job" },
	{ "the placement in what mpirun --report-bindings has printed",
	  "topomap place '2*node.xml' --from report-bindings:job.err | topomap inspect",
	  "there is no output of such a job" },
	{ NULL, NULL, NULL },
};

/* The nodes take these names. */
static int rename_nodes(struct tmap_machine *machine, const struct tmap_hostlist *hosts,
			struct tmap_error *err)
{
	char **name = tmap_alloc(hosts->count, sizeof *name, err);
	int rc;

	if (!name)
		return -1;
	for (size_t i = 0; i < hosts->count; i++)
		name[i] = hosts->text + hosts->starts[i];
	rc = tmap_machine_rename(machine, name, (int)hosts->count, err);
	free(name);
	return rc;
}

/* The names of --hosts, and their slots where it has any. */
static int name_hosts(struct tmap_machine *machine, int **slots, const char *text,
		      struct tmap_error *err)
{
	struct tmap_hostlist hosts = TMAP_HOSTLIST_INIT;
	int rc = -1;

	if (tmap_hostlist_parse_slots(&hosts, slots, text, TMAP_MOST_RANKS, err) < 0)
		err->kind = err->kind == TMAP_INPUT ? TMAP_USAGE : err->kind;
	else
		rc = rename_nodes(machine, &hosts, err);
	/* as many names as nodes: what is wrong is wrong on every machine */
	if (rc < 0 && err->kind == TMAP_INPUT && hosts.count == (size_t)machine->node_count)
		err->kind = TMAP_USAGE;
	tmap_hostlist_fini(&hosts);
	return rc < 0 ? tmap_wrap(err, "--hosts") : 0;
}

/* Those of a hostfile; TMAP_NONE where a host has no slots: these are the launcher's to choose. */
static int read_hostfile(struct tmap_machine *machine, struct tmap_openmpi_hostfile *file,
			 const struct tmap_place_args *args, struct tmap_error *err)
{
	if (args->hosts)
		return tmap_fail(err, TMAP_USAGE, "--hostfile cannot be combined with --hosts");
	if (args->network && strcmp(args->network, "-") == 0 && strcmp(args->hostfile, "-") == 0)
		return tmap_fail(err, TMAP_USAGE,
				 "only one of --network and --hostfile can be standard input");
	if (tmap_place_files_has_stdin(&args->files) && strcmp(args->hostfile, "-") == 0)
		return tmap_fail(err, TMAP_USAGE,
				 "only one of --hostfile and the file of ranks can be standard "
				 "input");
	if (tmap_openmpi_hostfile_read(file, args->hostfile, tmap_place_reads_colons(args), err) <
	    0) {
		tmap_refuse_other_file(TMAP_FILE_HOSTS, err);
		return -1;
	}
	return rename_nodes(machine, &file->hosts, err) < 0 ? tmap_wrap(err, "--hostfile") : 0;
}

static void describe_network(struct tmap_str *text, const struct tmap_place_args *args)
{
	tmap_str_addf(text, " --network %s", args->network);
	if (args->topology)
		tmap_str_addf(text, " --topology %s", args->topology);
}

/* The words of the request, for people: tmap_origin.request. */
static char *describe(const struct tmap_place_args *args, const struct tmap_machine *machine,
		      struct tmap_error *err)
{
	struct tmap_str text = TMAP_STR_INIT;

	for (size_t i = 0; i < args->machines.count; i++)
		tmap_str_addf(&text, "%s%s", i ? ", " : "", args->machines.items[i]);
	if (args->ranks != TMAP_NONE)
		tmap_str_addf(&text, " --ranks %d", args->ranks);
	tmap_place_describe(&text, args, machine);
	if (args->node_slots && args->hosts)
		tmap_str_addf(&text, " --hosts %s", args->hosts);
	if (args->hostfile)
		tmap_str_addf(&text, " --hostfile %s", args->hostfile);
	if (args->network)
		describe_network(&text, args);
	if (args->shuffle != TMAP_NONE)
		tmap_str_addf(&text, " --shuffle %lld", (long long)args->shuffle);
	return tmap_str_take(&text, err);
}

static int read_network(struct tmap_machine *machine, const struct tmap_place_args *args,
			bool keep_names, struct tmap_str *note, struct tmap_error *err)
{
	const struct tmap_network_file file = { args->network, args->topology, keep_names };
	int status = tmap_network_read(machine, &file, note, err);

	if (status == 0 && note->failed)
		status = tmap_fail(err, TMAP_SYSTEM, "out of memory");
	if (status < 0 && err->kind == TMAP_INPUT && !note->failed)
		tmap_network_print_note(stderr, args->network, note);
	return status < 0 ? tmap_refuse_other_file(TMAP_FILE_NETWORK, err) : 0;
}

/* Standard input can be read once. */
static int check_network(const struct tmap_place_args *args, const char *other, bool is_stdin,
			 struct tmap_error *err)
{
	if (args->topology && !args->network)
		return tmap_fail(err, TMAP_USAGE, "--topology chooses one of --network's");
	if (is_stdin && args->network && strcmp(args->network, "-") == 0)
		return tmap_fail(err, TMAP_USAGE,
				 "only one of --network and %s can be standard input", other);
	return 0;
}

static int write_placement(const struct tmap_placement *p, const char *path, struct tmap_error *err)
{
	struct tmap_output out = { 0 };
	int status = tmap_output_init(&out, path, err);

	if (status == 0)
		status = tmap_placement_write_json(p, out.file, NULL, err);
	return tmap_output_end(&out, status, err);
}

/* Is the one operand no machine but a placement? */
static bool is_placement(const struct tmap_place_args *args)
{
	const char *path = args->machines.items[0];
	size_t length = strlen(path);

	return args->machines.count == 1 &&
		(strcmp(path, "-") == 0 ||
		 (length > 5 && strcmp(path + length - 5, ".json") == 0 &&
		  !tmap_machine_line_is(path)));
}

/* Of the options that say where ranks go one that is given, or NULL. */
static const char *placing_option(const struct tmap_place_args *args)
{
	const struct {
		const char *name;
		bool is_given;
	} placing[] = {
		{ "--ranks", args->ranks != TMAP_NONE },
		{ "--slots", args->slots != TMAP_NONE },
		{ "--launcher", args->launcher != TMAP_NONE },
		{ "--map-by", args->map_by },
		{ "--rank-by", args->rank_by },
		{ "--bind-to", args->bind_to },
		{ "--use-hwthread-cpus", args->hwthreads },
		{ "--distribution", args->distribution },
		{ "--cpu-bind", args->cpu_bind },
		{ "--cpus-per-task", args->cpus_per_task != TMAP_NONE },
		{ "--cores", args->cores != TMAP_NONE },
		{ "--tasks-per-core", args->tasks_per_core != TMAP_NONE },
		{ "--exclusive", args->exclusive },
		{ "--app", args->programs.count > 0 },
		{ "--order", args->order },
		{ "--from", args->files.count > 0 },
		{ "--job", args->job != TMAP_NONE },
		{ "--shuffle", args->shuffle != TMAP_NONE },
		{ "--hosts", args->hosts },
		{ "--hostfile", args->hostfile },
	};

	for (size_t i = 0; i < sizeof placing / sizeof placing[0]; i++)
		if (placing[i].is_given)
			return placing[i].name;
	return NULL;
}

/* A placement as it is, under other switches. */
static int connect_placement(const struct tmap_place_args *args, struct tmap_error *err)
{
	const char *path = args->machines.items[0], *option = placing_option(args);
	struct tmap_str request = TMAP_STR_INIT, note = TMAP_STR_INIT;
	struct tmap_placement p = { 0 };
	struct tmap_progress_line line = { 0 };
	int status = -1;

	if ((!args->network && !args->adapters && !args->env.count) || option)
		return tmap_fail(err, TMAP_USAGE,
				 "the ranks of a placement, '%.200s', have their places: "
				 "%s",
				 path,
				 option ? "only --network, --topology, --adapters, --env and "
					  "--output go with it" :
					  "--network, --adapters or --env is missing");
	if (tmap_policy_check_env(args->env.items, args->env.count, "placements", NULL, err) < 0 ||
	    check_network(args, "the placement", strcmp(path, "-") == 0, err) < 0)
		return -1;
	tmap_progress_line_start(&line, "topomap place");
	if (tmap_placement_operand(&p, path, err) < 0)
		goto out;
	if (args->network)
		tmap_machine_clear_tiers(p.machine);
	if ((args->network && read_network(p.machine, args, true, &note, err) < 0) ||
	    tmap_adapters_option(&p, args->adapters, err) < 0 ||
	    tmap_kept_env_set(&p, args->env.items, args->env.count, err) < 0)
		goto out;
	if (p.origin.request)
		tmap_str_add(&request, p.origin.request);
	if (args->network)
		describe_network(&request, args);
	tmap_place_describe_env(&request, args);
	free(p.origin.request);
	p.origin.request = tmap_str_take(&request, err);
	tmap_progress_line_fini(&line);
	if (p.origin.request)
		status = write_placement(&p, args->output, err);
	if (status == 0 && args->network)
		tmap_network_print_note(stderr, args->network, &note);
out:
	tmap_progress_line_fini(&line);
	tmap_str_fini(&request);
	tmap_str_fini(&note);
	tmap_placement_fini(&p);
	return status;
}

/* Does the launcher, or that of a file, bind to devices? */
static bool wants_io(const struct tmap_place_args *args)
{
	bool wants = args->launcher != TMAP_NONE && tmap_launcher_at(args->launcher)->wants_io;

	for (int i = 0; i < args->files.count; i++)
		wants |= args->files.file[i].launcher && args->files.file[i].launcher->wants_io;
	return wants;
}

/* A file of other hosts renames the nodes, but for those that @p option has named. */
static int check_hosts(const struct tmap_placement *p, const char *given, const char *option,
		       struct tmap_error *err)
{
	const char *name = p->machine->node_name[0];

	if (strcmp(name, given) == 0)
		return 0;
	return tmap_fail(err, TMAP_INPUT,
			 "%s: the ranks' file names none of these nodes, but host '%.200s'; "
			 "without %s its names are taken",
			 option, name, option);
}

static int run(const void *data, struct tmap_error *err)
{
	const struct tmap_place_args *args = data;
	struct tmap_place_args sized = *args;
	struct tmap_str network_note = TMAP_STR_INIT;
	struct tmap_openmpi_hostfile hostfile = { 0 };
	int *slots = NULL;
	const char *note = NULL;
	const char *names = args->hosts ? "--hosts" : args->hostfile ? "--hostfile" : NULL;
	char *host = NULL;
	struct tmap_placement p = { 0 };
	struct tmap_machine *machine = NULL;
	struct tmap_progress_line line;
	int status = -1;

	if (is_placement(args))
		return connect_placement(args, err);
	if (check_network(args, "the file of ranks", tmap_place_files_has_stdin(&args->files),
			  err) < 0)
		return -1;
	tmap_progress_line_start(&line, "topomap place");
	machine = (wants_io(args) ? tmap_machine_read_specs_io : tmap_machine_read_specs)(
		args->machines.items, args->machines.count, err);
	if (!machine)
		tmap_refuse_other_file(TMAP_FILE_MACHINE, err);
	if (!machine || (args->hostfile && read_hostfile(machine, &hostfile, args, err) < 0) ||
	    (args->hosts && name_hosts(machine, &slots, args->hosts, err) < 0) ||
	    (args->network && read_network(machine, args, false, &network_note, err) < 0))
		goto out;
	sized.node_slots = args->hostfile ? hostfile.slots : slots;
	sized.gives_slots = slots || hostfile.gives_slots;
	sized.node_most = hostfile.most;
	if (names && !(host = tmap_strdup(machine->node_name[0], err)))
		goto out;
	if (tmap_place_files_recognise(&sized.files, machine, err) < 0 ||
	    tmap_place(&p, machine, &sized, &note, err) < 0 ||
	    (host && check_hosts(&p, host, names, err) < 0) ||
	    tmap_adapters_option(&p, args->adapters, err) < 0)
		goto out;
	if (args->shuffle != TMAP_NONE && tmap_shuffle_place(&p, (uint64_t)args->shuffle, err) < 0)
		goto out;
	p.origin.by = tmap_strdup("topomap place", err);
	p.origin.request = describe(&sized, p.machine, err);
	if (tmap_place_launcher(&sized) &&
	    !(p.origin.launcher = tmap_strdup(tmap_place_launcher(&sized), err)))
		goto out;
	tmap_progress_line_fini(&line);
	if (p.origin.by && p.origin.request)
		status = write_placement(&p, args->output, err);
	if (status == 0 && note)
		fprintf(stderr, "Note: %s.\n", note);
	if (status == 0 && args->network)
		tmap_network_print_note(stderr, args->network, &network_note);
out:
	tmap_progress_line_fini(&line);
	tmap_str_fini(&network_note);
	tmap_placement_fini(&p);
	tmap_machine_free(machine);
	tmap_openmpi_hostfile_fini(&hostfile);
	free(slots);
	free(host);
	return status;
}

const struct tmap_command tmap_cmd_place = {
	.name = "place",
	.summary = "show the mapping and binding that a launcher would choose",
	.description =
		"Computes the mapping and binding of a job from a description of its nodes and "
		"the options of Open MPI's, MPICH's, Slurm's, Flux's, Cray's or Intel's launcher, "
		"or from a file that a launcher reads or prints, and writes the placement that all "
		"other commands read. No job is started. Without options, every core gets one rank, "
		"bound to it, core after core and node after node. A MACHINE is hwloc's XML file of a "
		"node, or a line that begins with the number of nodes and goes on with hwloc's "
		"synthetic description of one.",
	.operands = operands,
	.options = options,
	.args_size = sizeof(struct tmap_place_args),
	.examples = examples,
	.topics = tmap_place_topics,
	.run = run,
};
