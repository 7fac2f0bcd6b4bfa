/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/place/slurm.h"

#include "core/base/units.h"
#include "formats/launchers/common/local_binding.h"
#include "formats/launchers/slurm/slurm.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* "verbose,cores": srun says what it does, too. */
static const char *skip_loudness(const char *text)
{
	static const char *const words[] = { "verbose", "v", "quiet", "q" };

	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		size_t length = strlen(words[i]);

		if (strncasecmp(text, words[i], length) == 0 && text[length] == ',')
			return text + length + 1;
	}
	return text;
}

/* What srun takes besides, and topomap does not. */
static int check_imitated(const char *text, struct tmap_error *err)
{
	static const char *const words[] = { "rank", "rank_ldom" };
	size_t length = strcspn(text, ":");

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strlen(words[i]) == length && strncasecmp(text, words[i], length) == 0)
			return tmap_fail(err, TMAP_INPUT, "'%s' is known to srun, but not imitated",
					 words[i]);
	return 0;
}

/* "map_cpu:0,4": rq->list borrows *list, which is the caller's to free. */
static int list_read(struct tmap_slurm_request *rq, struct tmap_idset **list, const char *text,
		     struct tmap_error *err)
{
	struct tmap_local_binding words = { 0 };
	int status = tmap_local_binding_parse_slurm_list(&words, &rq->is_of_ldoms, text, err);

	if (status == 0) {
		rq->list = *list = tmap_local_binding_sets(&words, err);
		rq->listed = words.count;
		status = *list ? 0 : -1;
	}
	tmap_local_binding_fini(&words);
	return status;
}

/* What is bound to; *list is NULL where it has no list. */
static int bind_read(struct tmap_slurm_request *rq, struct tmap_idset **list, const char *text,
		     struct tmap_error *err)
{
	const char *word = skip_loudness(text);
	int bind;

	if (tmap_local_binding_is_slurm_list(word))
		return list_read(rq, list, word, err);
	bind = check_imitated(word, err) < 0 ?
		TMAP_NONE :
		tmap_keywords_find(&tmap_slurm_bind_words, word, err);
	if (bind != TMAP_NONE)
		rq->bind = tmap_slurm_bind_at(bind);
	return bind == TMAP_NONE ? -1 : 0;
}

/* -c, or the variable that srun takes for it. */
static int cpus_read(struct tmap_slurm_request *rq, const struct tmap_policy *policy,
		     struct tmap_error *err)
{
	static const char name[] = "SRUN_CPUS_PER_TASK";
	const char *text = tmap_policy_env(policy, name);
	int64_t number = policy->cpus_per_task;

	if (number == TMAP_NONE && text && tmap_units_parse_int(text, 1, INT_MAX, &number, err) < 0)
		return tmap_wrap(err, "%s", name);
	rq->exact = number != TMAP_NONE;
	rq->cpus_per_task = rq->exact ? (int)number : 1;
	return 0;
}

static int release_place(struct tmap_placement *p, struct tmap_machine *machine,
			 const struct tmap_policy *policy, enum tmap_slurm_release release,
			 struct tmap_error *err)
{
	struct tmap_slurm_request rq = TMAP_SLURM_REQUEST_INIT;
	struct tmap_idset *list = NULL;
	int status;

	if (cpus_read(&rq, policy, err) < 0)
		return tmap_policy_refuse_word("--env", err);
	if (policy->map_by && tmap_slurm_parse_distribution(&rq, policy->map_by, err) < 0)
		return tmap_policy_refuse_word("--distribution", err);
	if (policy->bind_to && bind_read(&rq, &list, policy->bind_to, err) < 0)
		return tmap_policy_refuse_word("--cpu-bind", err);
	rq.release = release;
	rq.ranks = policy->ranks;
	status = tmap_slurm_place(p, machine, &rq, err);
	tmap_idset_free_list(list, rq.listed);
	return status;
}

static int slurm_22_05_place(struct tmap_placement *p, struct tmap_machine *machine,
			     const struct tmap_policy *policy, struct tmap_error *err)
{
	return release_place(p, machine, policy, TMAP_SLURM_22_05, err);
}

static int slurm_23_11_place(struct tmap_placement *p, struct tmap_machine *machine,
			     const struct tmap_policy *policy, struct tmap_error *err)
{
	return release_place(p, machine, policy, TMAP_SLURM_23_11, err);
}

static void slurm_print(struct tmap_str *text, const struct tmap_policy *policy,
			const struct tmap_machine *machine)
{
	(void)machine;
	tmap_policy_add_option(text, "--distribution", policy->map_by ? policy->map_by : "block");
	tmap_policy_add_option(text, "--cpu-bind",
			       policy->bind_to ? policy->bind_to :
						 tmap_type_word(TMAP_SLURM_WORDS, TMAP_CORE));
	if (policy->cpus_per_task != TMAP_NONE)
		tmap_str_addf(text, " --cpus-per-task %d", policy->cpus_per_task);
}

static void slurm_command(struct tmap_str *line, const struct tmap_policy *policy, int nodes)
{
	tmap_str_addf(line, "srun -N %d -n %d", nodes, policy->ranks);
	if (policy->cpus_per_task != TMAP_NONE)
		tmap_str_addf(line, " -c %d", policy->cpus_per_task);
	tmap_str_addf(line, " --distribution=%s --cpu-bind=%s PROGRAM", policy->map_by,
		      policy->bind_to);
}

static void slurm_list_trials(struct tmap_policy_trials *trials, const struct tmap_locals *locals)
{
	static const char *const maps[] = { "block:block",  "block:cyclic",  "block:fcyclic",
					    "cyclic:block", "cyclic:cyclic", "cyclic:fcyclic" };
	const struct tmap_placement *p = locals->p;
	struct tmap_policy start = TMAP_POLICY_INIT;

	trials->start[trials->starts++] = start;
	start.cpus_per_task = (int)tmap_idset_size(&p->places[p->place[0]].pus);
	trials->start[trials->starts++] = start;
	for (size_t m = 0; m < sizeof maps / sizeof *maps; m++)
		trials->map_by[trials->maps++] = maps[m];
	snprintf(trials->word[0], sizeof trials->word[0], "plane=%d", tmap_policy_first_run(p));
	trials->map_by[trials->maps++] = trials->word[0];
	trials->map_by[trials->maps++] = "block:block,Pack";
	trials->map_by[trials->maps++] = "block:cyclic,Pack";
	trials->bindings = TMAP_SLURM_WORDS;
}

static const char srun_slots[] =
	"srun's hosts have none, and --from slurm:FILE reads SLURM_HOSTFILE";

const struct tmap_launcher_policy tmap_slurm_23_11_policy = {
	.name = "Slurm's distributions",
	.options = TMAP_POLICY_DISTRIBUTION | TMAP_POLICY_CPU_BIND | TMAP_POLICY_CPUS_PER_TASK,
	.given = " --launcher slurm23.11",
	.host_slots = srun_slots,
	.place = slurm_23_11_place,
	.print = slurm_print,
	.command = slurm_command,
	.list_trials = slurm_list_trials,
};

const struct tmap_launcher_policy tmap_slurm_policy = {
	.name = "Slurm's distributions",
	.options = TMAP_POLICY_DISTRIBUTION | TMAP_POLICY_CPU_BIND | TMAP_POLICY_CPUS_PER_TASK,
	.given = "",
	.host_slots = srun_slots,
	.later = &tmap_slurm_23_11_policy,
	.place = slurm_22_05_place,
	.print = slurm_print,
	.command = slurm_command,
	.list_trials = slurm_list_trials,
};

/* It has no word for NUMA nodes. */
#define EVEN_BY_SOCKETS \
	"-N $3 -n $4 --ntasks-per-node=$6 --distribution=block:cyclic --cpus-per-task=$5 " \
	"--cpu-bind=cores"
#define BY_SOCKETS "--distribution=block:cyclic --cpus-per-task=$3 --cpu-bind=cores"

#define STRETCHED "--distribution=block:block --cpus-per-task=$6 --cpu-bind=cores"

const struct tmap_fix_words tmap_slurm_fixes = {
	.launcher = "Slurm",
	.word = { [TMAP_FIX_BIND] = "--cpu-bind=cores",
		  [TMAP_FIX_APART] = "--cpu-bind=cores",
		  [TMAP_FIX_CORES] = "--hint=nomultithread",
		  [TMAP_FIX_PACKAGES] = "--distribution=block:cyclic --cpu-bind=sockets",
		  [TMAP_FIX_PACKAGE] = "--distribution=block:cyclic --cpu-bind=sockets",
		  [TMAP_FIX_NUMAS] = "--distribution=block:cyclic --cpu-bind=ldoms",
		  [TMAP_FIX_NUMA] = "--distribution=block:cyclic --cpu-bind=ldoms",
		  [TMAP_FIX_MEMORY] = "--mem-bind=local",
		  [TMAP_FIX_FEWER] = "-N $3 -n $1 --ntasks-per-node=$2 --cpu-bind=cores",
		  [TMAP_FIX_TURNS] = BY_SOCKETS,
		  [TMAP_FIX_GPUS] = "--cpu-bind=map_ldom:$1",
		  [TMAP_FIX_NEAR] = "--cpu-bind=map_ldom:$2",
		  [TMAP_FIX_EVEN] = "-N $3 -n $4 --ntasks-per-node=$2[ --cpus-per-task=$5]",
		  [TMAP_FIX_EVEN_PACKAGES] = EVEN_BY_SOCKETS,
		  [TMAP_FIX_EVEN_TURNS] = EVEN_BY_SOCKETS,
		  [TMAP_FIX_BLOCK] = "--distribution=block --cpus-per-task=$3",
		  [TMAP_FIX_PACKED] = "--distribution=block:block --cpus-per-task=$3",
		  [TMAP_FIX_CYCLIC] = "--distribution=cyclic --cpus-per-task=$3",
		  [TMAP_FIX_THREADS] =
			  "--distribution=block:block --cpus-per-task=$3 --cpu-bind=cores",
		  [TMAP_FIX_WIDE_THREADS] =
			  "--distribution=block:block --cpus-per-task=$3 --cpu-bind=cores",
		  [TMAP_FIX_PACKAGE_THREADS] = BY_SOCKETS,
		  [TMAP_FIX_NUMA_THREADS] = BY_SOCKETS,
		  [TMAP_FIX_SPREAD_THREADS] = BY_SOCKETS,
		  [TMAP_FIX_EACH_PACKAGE] = BY_SOCKETS,
		  [TMAP_FIX_EACH_NUMA] = STRETCHED,
		  [TMAP_FIX_EACH_CACHE] = STRETCHED,
		  [TMAP_FIX_SPREAD] = STRETCHED,
		  [TMAP_FIX_CACHES] = STRETCHED,
		  [TMAP_FIX_SETS] = "-N $6 -n $4 --ntasks-per-node=$5 --cpu-bind=mask_cpu:$1",
		  /* a node gets no more tasks than it has room for, but any that has room may get more */
		  [TMAP_FIX_SHARE] = "-N $6 -n $5 --distribution=block:block --cpus-per-task=$4 "
				     "--cpu-bind=cores" },
};
