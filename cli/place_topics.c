/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/place_topics.h"

#include "formats/launchers/launchers.h"

#include <ctype.h>

/* Row @p index of those launchers of which @p is so; NULL past the end. */
static const struct tmap_launcher *find_launcher(size_t index,
						 bool (*is)(const struct tmap_launcher *))
{
	size_t count = 0;

	for (int i = 0; tmap_launcher_at(i)->word.name; i++)
		if (is(tmap_launcher_at(i)) && count++ == index)
			return tmap_launcher_at(i);
	return NULL;
}

/* The options of place that not every launcher takes. */
static const struct {
	unsigned bit;
	const char *name;
} options[] = {
	{ TMAP_POLICY_MAP_BY, "--map-by" },
	{ TMAP_POLICY_RANK_BY, "--rank-by" },
	{ TMAP_POLICY_BIND_TO, "--bind-to" },
	{ TMAP_POLICY_HWTHREADS, "--use-hwthread-cpus" },
	{ TMAP_POLICY_SLOTS, "--slots" },
	{ TMAP_POLICY_HOST_SLOTS, "slots in --hosts" },
	{ TMAP_POLICY_HOST_SLOTS, "slots in --hostfile" },
	{ TMAP_POLICY_DISTRIBUTION, "--distribution" },
	{ TMAP_POLICY_CPU_BIND, "--cpu-bind" },
	{ TMAP_POLICY_CPUS_PER_TASK, "--cpus-per-task" },
	{ TMAP_POLICY_CORES, "--cores" },
	{ TMAP_POLICY_TASKS_PER_CORE, "--tasks-per-core" },
	{ TMAP_POLICY_EXCLUSIVE, "--exclusive" },
	{ TMAP_POLICY_PROGRAMS, "--app" },
	{ TMAP_POLICY_ENV, "--env" },
};

static bool is_imitated(const struct tmap_launcher *launcher)
{
	return launcher->places;
}

/* "Mpirun of Open MPI 4.1. Takes --map-by, ..., --env with I_MPI_PIN, ..." */
static const char *launcher_row(size_t index, struct tmap_str *text)
{
	const struct tmap_launcher *launcher = find_launcher(index, is_imitated);
	const struct tmap_keyword *variable;
	const char *before = " Takes ";

	if (!launcher)
		return NULL;
	tmap_str_addf(text, "%s.", launcher->places);
	for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
		if (launcher->policy->options & options[i].bit) {
			tmap_str_addf(text, "%s%s", before, options[i].name);
			before = ", ";
		}
	before = " with ";
	for (size_t i = 0; launcher->policy->variables &&
	     (variable = tmap_keywords_at(launcher->policy->variables, i));
	     i++, before = ", ")
		tmap_str_addf(text, "%s%s", before, variable->name);
	tmap_str_addc(text, '.');
	return launcher->word.name;
}

static bool is_file(const struct tmap_launcher *launcher)
{
	return launcher->reads && launcher->form;
}

static const char *file_row(size_t index, struct tmap_str *text)
{
	const struct tmap_launcher *launcher = find_launcher(index, is_file);

	if (!launcher)
		return NULL;
	tmap_str_addf(text, "%c%s; its form: %s.", toupper((unsigned char)*launcher->reads),
		      launcher->reads + 1, launcher->form);
	return launcher->word.name;
}

static bool is_log(const struct tmap_launcher *launcher)
{
	return launcher->sample;
}

static const char *log_row(size_t index, struct tmap_str *text)
{
	const struct tmap_launcher *launcher = find_launcher(index, is_log);

	if (!launcher)
		return NULL;
	tmap_str_addf(text, "%c%s%s; as in: %s", toupper((unsigned char)*launcher->reads),
		      launcher->reads + 1, launcher->is_without_hosts ? "; without hosts" : "",
		      launcher->sample);
	return launcher->word.name;
}

const struct tmap_topic tmap_place_topics[] = {
	{ .word = { "launchers", "what each launcher of place --launcher takes" },
	  .text = "Each launcher whose mapping and binding place imitates, and which options it "
		  "takes; others are refused. All of them take --ranks, names in --hosts and "
		  "--hostfile, --network, --adapters and --shuffle. By default --bind-to is core with "
		  "openmpi4, with openmpi5 and prrte mostly what --map-by is, and none with hydra; "
		  "--cpu-bind is cores with slurm, and cray has no default: it needs --cpu-bind "
		  "and, on several nodes, --slots.",
	  .row = launcher_row },
	{ .word = { "hostfile", "the files of hosts and ranks, and their lines" },
	  .text = "place --hostfile FILE takes nodes and slots: a line is HOST [slots=N] "
		  "[max_slots=N], with hydra HOST[:SLOTS] [user=NAME]. The files below give each "
		  "rank its place: place --from NAME:FILE, or --from FILE where only one of them "
		  "can be meant, reads them, suggest-rankfile --lint checks them.",
	  .row = file_row },
	{ .word = { "logs", "the logs of bindings that place --from reads" },
	  .text = "What launchers, MPI libraries and small programs print of where ranks are: "
		  "place --from FILE recognises these and a table with the names of its columns, "
		  "--from NAME:FILE reads it as that one, and --job N takes one of several jobs. "
		  "Where lines are without hosts, ranks are on one node, or on nodes that are all "
		  "the same.",
	  .row = log_row },
	{ .word = { NULL, NULL } },
};
