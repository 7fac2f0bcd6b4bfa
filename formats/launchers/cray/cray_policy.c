/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/place/cray.h"

#include "core/base/mem.h"
#include "formats/launchers/cray/cray.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const struct tmap_keyword bind_rows[] = {
	[TMAP_CRAY_NONE] = { "none", "no binding" },
	[TMAP_CRAY_DEPTH] = { "depth", "as many CPUs as --depth has" },
	[TMAP_CRAY_CORE] = { "core", "as many cores as --depth has" },
	[TMAP_CRAY_LIST] = { "list:LIST", "the sets of CPUs of the ranks of each node" },
	{ NULL, NULL },
};
static const struct tmap_keywords binds = TMAP_KEYWORDS("binding of PALS", bind_rows);

static const char method[] = "MPICH_RANK_REORDER_METHOD";
static const struct tmap_keyword variable_rows[] = {
	{ method, "0: round-robin, 1: as started, 2: folded" },
	{ NULL, NULL },
};
static const struct tmap_keywords variables = TMAP_KEYWORDS("variable", variable_rows);

/* 0,32:1,33 */
static struct tmap_idset *list_parse(int *count, const char *text, struct tmap_error *err)
{
	struct tmap_idset *list;
	int sets = 1, status = 0;

	for (const char *at = text; *at; at++)
		sets += *at == ':';
	list = tmap_alloc((size_t)sets, sizeof *list, err);
	*count = sets;
	for (int i = 0; list && i < sets && status == 0; i++) {
		size_t length = strcspn(text, ":");
		char *set = tmap_strndup(text, length, err);

		status = set ? tmap_idset_parse(&list[i], set, INT_MAX, err) : -1;
		if (status == 0 && !list[i].count)
			status = tmap_fail(err, TMAP_INPUT, "set %d of the list is empty", i);
		free(set);
		text += length + (text[length] == ':');
	}
	if (status == 0)
		return list;
	tmap_idset_free_list(list, sets);
	return NULL;
}

/* Its manual names these too. */
static const char *const secret[] = { "numa", "socket", "thread" };

static int parse_bind(struct tmap_cray_request *rq, struct tmap_idset **list, const char *text,
		      struct tmap_error *err)
{
	int found;

	if (strncmp(text, "verbose,", 8) == 0)
		text += 8;
	if (strncmp(text, "list:", 5) == 0) {
		rq->bind = TMAP_CRAY_LIST;
		*list = list_parse(&rq->list_count, text + 5, err);
		rq->list = *list;
		return *list ? 0 : -1;
	}
	for (size_t i = 0; i < sizeof secret / sizeof *secret; i++)
		if (strcmp(text, secret[i]) == 0)
			return tmap_fail(err, TMAP_INPUT,
					 "which CPUs '%s' gives to each rank is not public; none, "
					 "depth, core and list: are known here",
					 text);
	found = tmap_keywords_find(&binds, text, err);
	rq->bind = (enum tmap_cray_bind)found;
	return found == TMAP_NONE ? -1 : 0;
}

static int parse_method(struct tmap_cray_request *rq, const char *text, struct tmap_error *err)
{
	if (strcmp(text, "3") == 0)
		return tmap_fail(err, TMAP_USAGE,
				 "--env %s=3 goes by a file: --from cray:FILE reads it", method);
	if (strlen(text) != 1 || *text < '0' || *text > '2')
		return tmap_fail(err, TMAP_USAGE, "--env %s: '%.40s' is none of 0, 1, 2 and 3",
				 method, text);
	rq->method = (enum tmap_cray_method)(*text - '0');
	return 0;
}

static int cray_place(struct tmap_placement *p, struct tmap_machine *machine,
		      const struct tmap_policy *policy, struct tmap_error *err)
{
	struct tmap_cray_request rq = TMAP_CRAY_REQUEST_INIT;
	const char *reordering = tmap_policy_env(policy, method);
	struct tmap_idset *list = NULL;
	int status;

	if (!policy->bind_to)
		return tmap_fail(err, TMAP_USAGE,
				 "--cpu-bind is needed: what PALS does without it differs from "
				 "site to site");
	if (policy->ranks == TMAP_NONE && policy->slots == TMAP_NONE &&
	    policy->cpus_per_task != TMAP_NONE && machine->node_count == 1)
		return tmap_fail(err, TMAP_USAGE,
				 "--ranks or --slots (PALS's -n and --ppn) is needed beside "
				 "--cpus-per-task: how many ranks of depth %d mpiexec starts "
				 "without them is not known here",
				 policy->cpus_per_task);
	if (reordering && parse_method(&rq, reordering, err) < 0)
		return -1;
	if (parse_bind(&rq, &list, policy->bind_to, err) < 0)
		return tmap_policy_refuse_word("--cpu-bind", err);
	rq.ranks = policy->ranks;
	rq.ppn = policy->slots == TMAP_NONE ? 0 : policy->slots;
	rq.depth = policy->cpus_per_task == TMAP_NONE ? 1 : policy->cpus_per_task;
	status = tmap_cray_place(p, machine, &rq, err);
	tmap_idset_free_list(list, rq.list_count);
	return status;
}

static void cray_print(struct tmap_str *text, const struct tmap_policy *policy,
		       const struct tmap_machine *machine)
{
	(void)machine;
	if (policy->slots != TMAP_NONE)
		tmap_str_addf(text, " --slots %d", policy->slots);
	if (policy->cpus_per_task != TMAP_NONE)
		tmap_str_addf(text, " --cpus-per-task %d", policy->cpus_per_task);
	tmap_policy_add_option(text, "--cpu-bind", policy->bind_to);
	for (int i = 0; i < policy->env_count; i++)
		tmap_policy_add_option(text, "--env", policy->env[i]);
}

const struct tmap_launcher_policy tmap_cray_policy = {
	.name = "PALS's bindings",
	.options = TMAP_POLICY_SLOTS | TMAP_POLICY_CPU_BIND | TMAP_POLICY_CPUS_PER_TASK |
		TMAP_POLICY_ENV,
	.given = " --launcher cray",
	.host_slots = "PALS has one --ppn (--slots) for all",
	.variables = &variables,
	.place = cray_place,
	.print = cray_print,
};

/* A file of ranks that is left over counts for method 3 alone. */
#define METHOD "MPICH_RANK_REORDER_METHOD="

/* It takes cores in the order of their OS indexes. */
#define STRETCHED "#--ppn $4 --depth $5 --cpu-bind core"

const struct tmap_fix_words tmap_cray_fixes = {
	.launcher = "Cray MPICH",
	.word = { [TMAP_FIX_BIND] = "--cpu-bind core",
		  [TMAP_FIX_APART] = "--cpu-bind core",
		  [TMAP_FIX_CORES] = "--cpu-bind core",
		  [TMAP_FIX_FEWER] = "-n $1 --ppn $2 --cpu-bind core",
		  [TMAP_FIX_NEAR] = "--ppn 1 --cpu-bind list:$1",
		  [TMAP_FIX_EVEN] = "-n $4 --ppn $2[# --depth $1 --cpu-bind core]",
		  [TMAP_FIX_BLOCK] = METHOD "1",
		  [TMAP_FIX_PACKED] = METHOD "1",
		  [TMAP_FIX_CYCLIC] = METHOD "0",
		  [TMAP_FIX_THREADS] = "[#]--ppn $2 --depth $1 --cpu-bind core",
		  [TMAP_FIX_WIDE_THREADS] = "[#]--ppn $2 --depth $1 --cpu-bind core",
		  [TMAP_FIX_PACKAGE_THREADS] = STRETCHED,
		  [TMAP_FIX_NUMA_THREADS] = STRETCHED,
		  [TMAP_FIX_EACH_PACKAGE] = STRETCHED,
		  [TMAP_FIX_EACH_NUMA] = STRETCHED,
		  [TMAP_FIX_EACH_CACHE] = STRETCHED,
		  [TMAP_FIX_SPREAD] = STRETCHED,
		  [TMAP_FIX_SPREAD_THREADS] = STRETCHED,
		  [TMAP_FIX_TURNS] = STRETCHED,
		  [TMAP_FIX_CACHES] = STRETCHED,
		  [TMAP_FIX_PUS] = "-n $4 --ppn $5 --cpu-bind list:$2",
		  [TMAP_FIX_SETS] = "-n $4 --ppn $5 --cpu-bind list:$2" },
};
