/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/place.h"

#include "core/place/permute.h"
#include "core/place/radix.h"
#include "formats/base/input.h"
#include "formats/launchers/common/kept_env.h"
#include "formats/launchers/common/shell.h"

#include <stdlib.h>
#include <string.h>

/* "none", or the objects of a level: by its name, or by a launcher's word for it. */
static int parse_object(int *type, const char *word, struct tmap_error *err)
{
	char *list;

	*type = tmap_type_find(word);
	if (*type == TMAP_NONE)
		*type = tmap_type_word_find(TMAP_ORDER_WORDS, word, strlen(word));
	if (*type == TMAP_NONE && strcmp(word, "none") == 0)
		*type = TMAP_NODE;
	if (*type != TMAP_NONE)
		return 0;
	list = tmap_type_list(", ", err);
	if (list)
		tmap_fail(err, TMAP_USAGE,
			  "--bind-to: unknown object '%s' (with --order one of: none, node, %s)",
			  word, list);
	free(list);
	return -1;
}

/* Cores, or objects of another level, in the order of --order. */
static int place_in_order(struct tmap_placement *p, struct tmap_machine *machine,
			  const struct tmap_place_args *args, int ranks, struct tmap_error *err)
{
	int type = TMAP_NODE;

	if (args->bind_to && parse_object(&type, args->bind_to, err) < 0)
		return -1;
	if (tmap_radix_place(p, machine, args->order, ranks, err) < 0)
		return tmap_wrap(err, "--order");
	if (!args->bind_to || tmap_rebind(p, (enum tmap_type)type, err) == 0)
		return 0;
	tmap_placement_fini(p);
	return tmap_wrap(err, "--bind-to");
}

/* Is a variable given that not every launcher's ranks may have? */
static bool env_chooses(const struct tmap_place_args *args)
{
	for (size_t i = 0; i < args->env.count; i++)
		if (!tmap_kept_env_has(args->env.items[i]))
			return true;
	return false;
}

/* The options of policies that were given. */
static unsigned options_given(const struct tmap_place_args *args)
{
	return (args->map_by ? TMAP_POLICY_MAP_BY : 0u) |
		(args->rank_by ? TMAP_POLICY_RANK_BY : 0u) |
		(args->bind_to ? TMAP_POLICY_BIND_TO : 0u) |
		(args->hwthreads ? TMAP_POLICY_HWTHREADS : 0u) |
		(args->slots != TMAP_NONE ? TMAP_POLICY_SLOTS : 0u) |
		(args->gives_slots ? TMAP_POLICY_HOST_SLOTS : 0u) |
		(args->distribution ? TMAP_POLICY_DISTRIBUTION : 0u) |
		(args->cpu_bind ? TMAP_POLICY_CPU_BIND : 0u) |
		(args->cpus_per_task != TMAP_NONE ? TMAP_POLICY_CPUS_PER_TASK : 0u) |
		(args->cores != TMAP_NONE ? TMAP_POLICY_CORES : 0u) |
		(args->tasks_per_core != TMAP_NONE ? TMAP_POLICY_TASKS_PER_CORE : 0u) |
		(args->exclusive ? TMAP_POLICY_EXCLUSIVE : 0u) |
		(env_chooses(args) ? TMAP_POLICY_ENV : 0u) |
		(args->programs.count ? TMAP_POLICY_PROGRAMS : 0u);
}

/* Without --launcher the first of the table, unless an option is another one's. */
static const struct tmap_launcher *choose_launcher(const struct tmap_place_args *args)
{
	const struct tmap_launcher *first = tmap_launcher_at(0);
	unsigned others = options_given(args) & ~first->policy->options;
	const struct tmap_policy env = { .env = args->env.items,
					 .env_count = (int)args->env.count };

	if (args->launcher != TMAP_NONE)
		return tmap_launcher_at(args->launcher);
	for (int i = 0; others && tmap_keywords_at(&tmap_launchers_placing, (size_t)i); i++)
		if (tmap_launcher_at(i)->places && tmap_launcher_at(i)->policy->options & others &&
		    tmap_policy_has_env(tmap_launcher_at(i)->policy, &env))
			return tmap_launcher_at(i);
	return first;
}

static const struct tmap_launcher_policy *choose_policy(const struct tmap_place_args *args)
{
	return choose_launcher(args)->policy;
}

static struct tmap_policy policy_of(const struct tmap_place_args *args,
				    const struct tmap_launcher_policy *chosen, int ranks)
{
	bool by_host = chosen->options & TMAP_POLICY_HOST_SLOTS;
	struct tmap_policy policy = { .ranks = ranks,
				      .slots = args->slots,
				      .cpus_per_task = args->cpus_per_task,
				      .cores = args->cores,
				      .tasks_per_core = args->tasks_per_core,
				      .node_slots = by_host ? args->node_slots : NULL,
				      .node_most = by_host ? args->node_most : NULL,
				      .is_named = args->hosts,
				      .hostfile = args->hostfile,
				      .hwthreads = args->hwthreads,
				      .exclusive = args->exclusive,
				      .env = args->env.items,
				      .env_count = (int)args->env.count,
				      .map_by = args->map_by,
				      .rank_by = args->rank_by,
				      .bind_to = args->bind_to };

	if (chosen->options & TMAP_POLICY_DISTRIBUTION)
		policy.map_by = args->distribution;
	if (chosen->options & TMAP_POLICY_CPU_BIND)
		policy.bind_to = args->cpu_bind;
	return policy;
}

/* Every option that was given must belong to what places the ranks: a file, to which none does,
 * --order, or a launcher's policies. */
static int check_options(const struct tmap_place_args *args, const struct tmap_place_file *file,
			 struct tmap_error *err)
{
	const unsigned bind_to = TMAP_POLICY_BIND_TO;
	const struct tmap_launcher_policy *policy = file || args->order ? NULL :
									  choose_policy(args);
	unsigned taken = policy ? policy->options : args->order && !file ? bind_to : 0;
	const char *one_number = policy ? policy->host_slots : NULL;
	const struct {
		const char *name;
		bool given, is_taken;
		const char *reason; /* NULL: none */
	} options[] = {
		{ "--launcher", args->launcher != TMAP_NONE, !file && !args->order, NULL },
		{ "--map-by", args->map_by, taken & TMAP_POLICY_MAP_BY, NULL },
		{ "--rank-by", args->rank_by, taken & TMAP_POLICY_RANK_BY, NULL },
		{ "--bind-to", args->bind_to, taken & bind_to, NULL },
		{ "--use-hwthread-cpus", args->hwthreads, taken & TMAP_POLICY_HWTHREADS, NULL },
		{ "--slots", args->slots != TMAP_NONE, taken & TMAP_POLICY_SLOTS, NULL },
		{ "a number of slots in --hosts", args->gives_slots && args->hosts,
		  taken & TMAP_POLICY_HOST_SLOTS, one_number },
		{ "a number of slots in --hostfile", args->gives_slots && args->hostfile,
		  taken & TMAP_POLICY_HOST_SLOTS, one_number },
		{ "--distribution", args->distribution, taken & TMAP_POLICY_DISTRIBUTION, NULL },
		{ "--cpu-bind", args->cpu_bind, taken & TMAP_POLICY_CPU_BIND, NULL },
		{ "--cpus-per-task", args->cpus_per_task != TMAP_NONE,
		  taken & TMAP_POLICY_CPUS_PER_TASK, NULL },
		{ "--cores", args->cores != TMAP_NONE, taken & TMAP_POLICY_CORES, NULL },
		{ "--tasks-per-core", args->tasks_per_core != TMAP_NONE,
		  taken & TMAP_POLICY_TASKS_PER_CORE, NULL },
		{ "--exclusive", args->exclusive, taken & TMAP_POLICY_EXCLUSIVE, NULL },
		{ "--app", args->programs.count > 0, taken & TMAP_POLICY_PROGRAMS, NULL },
		{ "--order", args->order, !file, NULL },
		{ "--job", args->job != TMAP_NONE, file && file->launcher->is_log,
		  "it chooses one of the jobs of a log, which --from LOG reads" },
	};
	struct tmap_str name = TMAP_STR_INIT;

	for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
		if (!options[i].given || options[i].is_taken)
			continue;
		if (file)
			tmap_place_file_name(&name, file);
		else
			tmap_str_add(&name, policy ? policy->name : "--order");
		if (options[i].reason)
			tmap_str_addf(&name, ": %s", options[i].reason);
		tmap_fail(err, TMAP_USAGE, "%s does not go with %s", options[i].name,
			  name.text ? name.text : "");
		tmap_str_fini(&name);
		return -1;
	}
	return tmap_policy_check_env(args->env.items, args->env.count,
				     policy       ? policy->name :
					     file ? "files of ranks" :
						    "orders of levels",
				     policy ? policy->variables : NULL, err);
}

static int place_programs(struct tmap_placement *p, struct tmap_machine *machine,
			  const struct tmap_place_args *args, struct tmap_policy policy,
			  struct tmap_error *err)
{
	struct tmap_program_line *lines;
	int count = (int)args->programs.count, status;

	if (args->ranks != TMAP_NONE)
		return tmap_fail(
			err, TMAP_USAGE,
			"--ranks cannot be combined with --app, which has each program's -n");
	if (tmap_program_lines_parse(&lines, args->programs.items, count, err) < 0)
		return tmap_wrap(err, "--app");
	policy.programs = lines;
	policy.program_count = count;
	status = choose_policy(args)->place(p, machine, &policy, err);
	if (status == 0 && tmap_program_lines_name(p, lines, count, err) < 0) {
		tmap_placement_fini(p);
		status = -1;
	}
	tmap_program_lines_free(lines, count);
	return status;
}

static int place_by_options(struct tmap_placement *p, struct tmap_machine *machine,
			    const struct tmap_place_args *args, const struct tmap_place_file *file,
			    int ranks, const char **note, struct tmap_error *err)
{
	const struct tmap_launcher_policy *chosen = choose_policy(args);
	struct tmap_policy policy = policy_of(args, chosen, ranks);

	if (file)
		return tmap_place_file_read(p, machine, file, args->job, ranks, note, err);
	if (args->order)
		return place_in_order(p, machine, args, ranks, err);
	return args->programs.count ? place_programs(p, machine, args, policy, err) :
				      chosen->place(p, machine, &policy, err);
}

/* Without --ranks, as many as the list has. */
static int place_reordered(struct tmap_placement *p, struct tmap_machine *machine,
			   const struct tmap_place_args *args, const struct tmap_place_file *file,
			   const struct tmap_place_file *reordering, const char **note,
			   struct tmap_error *err)
{
	const struct tmap_launcher *launcher = reordering->launcher;
	struct tmap_rank_list list = { 0 };
	int status;

	if (tmap_launcher_read_list(&list, launcher, reordering->path, machine, err) < 0)
		return -1;
	status = place_by_options(p, machine, args, file,
				  args->ranks == TMAP_NONE ? list.count : args->ranks, note, err);
	if (status == 0 && launcher->reorder(p, list.rank, list.count, err) < 0) {
		status = tmap_at(err, tmap_input_name(reordering->path), 0);
		tmap_placement_fini(p);
	}
	tmap_rank_list_fini(&list);
	return status;
}

int tmap_place(struct tmap_placement *p, struct tmap_machine *machine,
	       const struct tmap_place_args *args, const char **note, struct tmap_error *err)
{
	const struct tmap_place_file *file, *list;

	*note = NULL;
	if (tmap_place_files_find(&args->files, &file, &list, err) < 0 ||
	    check_options(args, file, err) < 0)
		return -1;
	if (args->slots != TMAP_NONE && args->node_slots &&
	    choose_policy(args)->options & TMAP_POLICY_HOST_SLOTS &&
	    !choose_policy(args)->slots_override)
		return tmap_fail(err, TMAP_USAGE, "--slots cannot be combined with %s",
				 args->hostfile ? "--hostfile" : "slots in --hosts");
	if ((list ? place_reordered(p, machine, args, file, list, note, err) :
		    place_by_options(p, machine, args, file, args->ranks, note, err)) < 0)
		return -1;
	if (tmap_kept_env_set(p, args->env.items, args->env.count, err) == 0)
		return 0;
	tmap_placement_fini(p);
	return -1;
}

bool tmap_place_reads_colons(const struct tmap_place_args *args)
{
	return choose_policy(args)->options & TMAP_POLICY_COLONS;
}

void tmap_place_describe(struct tmap_str *text, const struct tmap_place_args *args,
			 const struct tmap_machine *machine)
{
	const struct tmap_launcher_policy *chosen = choose_policy(args);
	struct tmap_policy policy = policy_of(args, chosen, args->ranks);
	const struct tmap_place_file *file, *list;
	struct tmap_error ignored;

	if (tmap_place_files_find(&args->files, &file, &list, &ignored) < 0)
		return;
	if (file) {
		tmap_place_file_describe(text, file);
		if (args->job != TMAP_NONE)
			tmap_str_addf(text, " --job %d", args->job);
	} else if (args->order) {
		tmap_policy_add_option(text, "--order", args->order);
		tmap_policy_add_option(text, "--bind-to", args->bind_to);
	} else {
		tmap_str_add(text, chosen->given);
		chosen->print(text, &policy, machine);
		for (size_t i = 0; i < args->programs.count; i++) {
			tmap_str_add(text, " --app ");
			tmap_shell_add(text, args->programs.items[i]);
		}
	}
	if (list)
		tmap_place_file_describe(text, list);
	if (file || args->order || !(chosen->options & TMAP_POLICY_ENV))
		tmap_place_describe_env(text, args);
}

void tmap_place_describe_env(struct tmap_str *text, const struct tmap_place_args *args)
{
	for (size_t i = 0; i < args->env.count; i++) {
		tmap_str_add(text, " --env ");
		tmap_shell_add(text, args->env.items[i]);
	}
}

const char *tmap_place_launcher(const struct tmap_place_args *args)
{
	const struct tmap_place_file *file, *list;
	const struct tmap_launcher *chosen = choose_launcher(args);
	struct tmap_error ignored;

	if (tmap_place_files_find(&args->files, &file, &list, &ignored) < 0 || args->order)
		return NULL;
	if (file)
		chosen = file->launcher;
	else if (args->launcher == TMAP_NONE && chosen == tmap_launcher_at(0))
		return NULL;
	if (chosen->writer)
		return chosen->writer;
	return chosen->mark[0].launcher ? chosen->word.name : NULL;
}
