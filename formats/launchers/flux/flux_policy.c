/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/place/flux.h"
#include "formats/launchers/common/local_binding.h"
#include "formats/launchers/flux/flux.h"

#include "core/base/hostlist.h"
#include "core/base/mem.h"
#include "core/base/names.h"
#include "core/machine/most_ranks.h"
#include "formats/base/input.h"
#include "formats/base/lines.h"

#include <stdlib.h>
#include <string.h>

static const struct tmap_keyword affinity_rows[] = {
	[TMAP_FLUX_ON] = { "on", "all cores of the node that are the job's" },
	[TMAP_FLUX_OFF] = { "off", "no binding" },
	[TMAP_FLUX_PER_TASK] = { "per-task", "equal parts of these cores" },
	[TMAP_FLUX_MAP] = { "map:LIST", "the sets of PUs of the tasks of each node" },
	{ NULL, NULL },
};
static const struct tmap_keywords affinities = TMAP_KEYWORDS("cpu-affinity", affinity_rows);

static struct tmap_idset *map_parse(int *count, const char *text, struct tmap_error *err)
{
	struct tmap_local_binding binding = { 0 };
	struct tmap_idset *map = NULL;

	if (tmap_local_binding_parse_flux(&binding, text, err) == 0)
		map = tmap_local_binding_sets(&binding, err);
	*count = binding.count;
	tmap_local_binding_fini(&binding);
	return map;
}

static int parse_affinity(struct tmap_flux_request *rq, struct tmap_idset **map, const char *text,
			  struct tmap_error *err)
{
	int found;

	if (strncmp(text, "map:", 4) == 0) {
		rq->affinity = TMAP_FLUX_MAP;
		*map = map_parse(&rq->map_count, text, err);
		rq->map = *map;
		return *map ? 0 : -1;
	}
	found = tmap_keywords_find(&affinities, text, err);
	rq->affinity = (enum tmap_flux_affinity)found;
	return found == TMAP_NONE ? -1 : 0;
}

/* The node of each host of the lines, which are hostlists. */
static int parse_hosts(struct tmap_hostlist *hosts, const char *text, struct tmap_error *err)
{
	struct tmap_line line = { 0 };

	while (tmap_line_next(&line, &text)) {
		struct tmap_hostlist more = TMAP_HOSTLIST_INIT;
		char *list = line.length ? tmap_strndup(line.text, line.length, err) : NULL;
		int status = list ? tmap_hostlist_parse(&more, list, err) : -(line.length > 0);

		for (size_t i = 0; i < more.count && status == 0; i++)
			status = tmap_hostlist_add(hosts, tmap_hostlist_name(&more, i), err);
		tmap_hostlist_fini(&more);
		free(list);
		if (status < 0)
			return tmap_at(err, NULL, line.number);
	}
	return hosts->count ? 0 : tmap_fail(err, TMAP_INPUT, "it has no hosts");
}

static int find_nodes(int *node, const struct tmap_hostlist *hosts,
		      const struct tmap_machine *machine, struct tmap_error *err)
{
	struct tmap_names names = { 0 };
	int status = 0;

	for (int n = 0; n < machine->node_count && status == 0; n++)
		if (tmap_names_intern(&names, machine->node_name[n], strlen(machine->node_name[n]),
				      err) == TMAP_NONE)
			status = -1;
	for (size_t i = 0; i < hosts->count && status == 0; i++) {
		const char *name = tmap_hostlist_name(hosts, i);

		node[i] = tmap_names_find(&names, name, strlen(name));
	}
	tmap_names_fini(&names);
	return status;
}

/* rq->host_node and host_count: the hosts take the tasks in their order, again and again. */
static int read_hostfile(struct tmap_flux_request *rq, int **node, const char *path,
			 const struct tmap_machine *machine, struct tmap_error *err)
{
	struct tmap_hostlist hosts = TMAP_HOSTLIST_INIT;
	int *made = NULL, status = -1;
	char *text = NULL;

	if (!*path)
		return tmap_fail(err, TMAP_INPUT, "hostfile: has no file");
	if (tmap_input_read_text(path, TMAP_INPUT_MOST_LIST, &text, err) < 0)
		return -1;
	if (parse_hosts(&hosts, text, err) == 0 &&
	    (made = tmap_alloc(hosts.count, sizeof *made, err)))
		status = find_nodes(made, &hosts, machine, err);
	if (status < 0) {
		free(made);
		tmap_at(err, tmap_input_name(path), 0);
	} else {
		*node = made;
		rq->task_node = made;
		rq->task_count = (int)hosts.count;
		rq->is_repeated = true;
	}
	tmap_hostlist_fini(&hosts);
	free(text);
	return status;
}

/* *node: of a manual map or a hostfile, the caller's to free. */
static int parse_taskmap(struct tmap_flux_request *rq, int **node, const char *text,
			 const struct tmap_machine *machine, struct tmap_error *err)
{
	if (strncmp(text, "hostfile:", 9) == 0)
		return read_hostfile(rq, node, text + 9, machine, err);
	if (strncmp(text, "manual:", 7) != 0)
		return tmap_flux_parse_taskmap(rq, text, err);
	*node = tmap_taskmap_parse(&rq->task_count, text + 7, "manual", tmap_most_ranks(machine),
				   err);
	rq->task_node = *node;
	return *node ? 0 : -1;
}

/* What is wrong with a hostfile is no mistake of the command line. */
static bool is_of_file(const char *map, const struct tmap_error *err)
{
	return strncmp(map, "hostfile:", 9) == 0 && *err->path;
}

static int flux_place(struct tmap_placement *p, struct tmap_machine *machine,
		      const struct tmap_policy *policy, struct tmap_error *err)
{
	struct tmap_flux_request rq = TMAP_FLUX_REQUEST_INIT;
	struct tmap_idset *map = NULL;
	int *node = NULL, status = 0;

	rq.ranks = policy->ranks;
	rq.tasks_per_node = policy->slots == TMAP_NONE ? 0 : policy->slots;
	rq.cores_per_task = policy->cpus_per_task == TMAP_NONE ? 0 : policy->cpus_per_task;
	rq.cores = policy->cores == TMAP_NONE ? 0 : policy->cores;
	rq.tasks_per_core = policy->tasks_per_core == TMAP_NONE ? 0 : policy->tasks_per_core;
	rq.exclusive = policy->exclusive;
	if (policy->map_by && parse_taskmap(&rq, &node, policy->map_by, machine, err) < 0)
		status = is_of_file(policy->map_by, err) ?
			-1 :
			tmap_policy_refuse_word("--distribution", err);
	if (status == 0 && policy->bind_to && parse_affinity(&rq, &map, policy->bind_to, err) < 0)
		status = tmap_policy_refuse_word("--cpu-bind", err);
	if (status == 0)
		status = tmap_flux_place(p, machine, &rq, err);
	tmap_idset_free_list(map, rq.map_count);
	free(node);
	return status;
}

static void flux_print(struct tmap_str *text, const struct tmap_policy *policy,
		       const struct tmap_machine *machine)
{
	(void)machine;
	if (policy->slots != TMAP_NONE)
		tmap_str_addf(text, " --slots %d", policy->slots);
	if (policy->cpus_per_task != TMAP_NONE)
		tmap_str_addf(text, " --cpus-per-task %d", policy->cpus_per_task);
	if (policy->cores != TMAP_NONE)
		tmap_str_addf(text, " --cores %d", policy->cores);
	if (policy->tasks_per_core != TMAP_NONE)
		tmap_str_addf(text, " --tasks-per-core %d", policy->tasks_per_core);
	if (policy->exclusive)
		tmap_str_add(text, " --exclusive");
	tmap_policy_add_option(text, "--distribution", policy->map_by ? policy->map_by : "block");
	tmap_policy_add_option(text, "--cpu-bind", policy->bind_to ? policy->bind_to : "on");
}

static void flux_command(struct tmap_str *line, const struct tmap_policy *policy, int nodes)
{
	tmap_str_addf(line, "flux run -N %d", nodes);
	if (policy->exclusive)
		tmap_str_add(line, " --exclusive");
	tmap_str_addf(line, " -n %d", policy->ranks);
	if (policy->cpus_per_task != TMAP_NONE)
		tmap_str_addf(line, " -c %d", policy->cpus_per_task);
	if (policy->map_by)
		tmap_str_addf(line, " --taskmap=%s", policy->map_by);
	if (policy->bind_to)
		tmap_str_addf(line, " -o cpu-affinity=%s", policy->bind_to);
	tmap_str_add(line, " PROGRAM");
}

static void flux_list_trials(struct tmap_policy_trials *trials, const struct tmap_locals *locals)
{
	static const char *const bindings[] = { "per-task", "on", "off" };
	struct tmap_policy start = TMAP_POLICY_INIT;

	trials->start[trials->starts++] = start;
	start.exclusive = true;
	trials->start[trials->starts++] = start;
	trials->map_by[trials->maps++] = NULL;
	trials->map_by[trials->maps++] = "cyclic";
	snprintf(trials->word[0], sizeof trials->word[0], "cyclic:%d",
		 tmap_policy_first_run(locals->p));
	trials->map_by[trials->maps++] = trials->word[0];
	for (size_t b = 0; b < sizeof bindings / sizeof *bindings; b++)
		trials->bind_to[trials->binds++] = bindings[b];
}

const struct tmap_launcher_policy tmap_flux_policy = {
	.name = "Flux's task maps",
	.options = TMAP_POLICY_SLOTS | TMAP_POLICY_DISTRIBUTION | TMAP_POLICY_CPU_BIND |
		TMAP_POLICY_CPUS_PER_TASK | TMAP_POLICY_EXCLUSIVE | TMAP_POLICY_CORES |
		TMAP_POLICY_TASKS_PER_CORE,
	.given = " --launcher flux",
	.host_slots = "Flux has one --tasks-per-node (--slots) for all",
	.place = flux_place,
	.print = flux_print,
	.command = flux_command,
	.list_trials = flux_list_trials,
};
