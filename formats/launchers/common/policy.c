/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/launchers/common/policy.h"

#include "core/base/mem.h"
#include "formats/launchers/common/kept_env.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int tmap_policy_refuse_word(const char *option, struct tmap_error *err)
{
	if (err->kind == TMAP_INPUT)
		err->kind = TMAP_USAGE;
	return tmap_wrap(err, "%s", option);
}

/* The row of the variable whose name the text begins with, or TMAP_NONE. */
static int find_variable(const struct tmap_keywords *variables, const char *text)
{
	size_t length = strcspn(text, "=");

	for (int i = 0; variables && tmap_keywords_at(variables, (size_t)i); i++) {
		const char *name = tmap_keywords_at(variables, (size_t)i)->name;

		if (strlen(name) == length && strncmp(name, text, length) == 0)
			return i;
	}
	return TMAP_NONE;
}

const char *tmap_policy_env(const struct tmap_policy *policy, const char *name)
{
	size_t length = strlen(name);

	for (int i = policy->env_count - 1; i >= 0; i--)
		if (strncmp(policy->env[i], name, length) == 0 && policy->env[i][length] == '=')
			return policy->env[i] + length + 1;
	return NULL;
}

bool tmap_policy_has_env(const struct tmap_launcher_policy *row, const struct tmap_policy *policy)
{
	for (int i = 0; i < policy->env_count; i++)
		if (!tmap_kept_env_has(policy->env[i]) &&
		    find_variable(row->variables, policy->env[i]) == TMAP_NONE)
			return false;
	return true;
}

/* A variable that nothing follows: which ones would be taken? */
static int refuse_variable(const char *text, const char *name, const struct tmap_keywords *followed,
			   struct tmap_error *err)
{
	size_t length = strcspn(text, "=");
	char *kept = tmap_kept_env_list(err);
	char *list = kept && followed ? tmap_keywords_list(followed, ", ", err) : NULL;

	if (list)
		tmap_fail(err, TMAP_USAGE,
			  "--env: '%.*s' is no variable that %s follow (one of: %s), nor one of "
			  "threads (%s)",
			  length > 80 ? 80 : (int)length, text, name, list, kept);
	else if (kept && !followed)
		tmap_fail(err, TMAP_USAGE,
			  "--env: '%.*s' does not go with %s, only variables of "
			  "threads do (%s)",
			  length > 80 ? 80 : (int)length, text, name, kept);
	free(list);
	free(kept);
	return -1;
}

int tmap_policy_check_env(const char *const *env, size_t count, const char *name,
			  const struct tmap_keywords *variables, struct tmap_error *err)
{
	for (size_t i = 0; i < count; i++) {
		if (!strchr(env[i], '='))
			return tmap_fail(err, TMAP_USAGE,
					 "--env: '%.80s' has no value: NAME=VALUE is expected",
					 env[i]);
		if (!tmap_kept_env_has(env[i]) && find_variable(variables, env[i]) == TMAP_NONE)
			return refuse_variable(env[i], name, variables, err);
	}
	return 0;
}

int tmap_policy_programs(struct tmap_program **programs, const struct tmap_policy *policy,
			 const char *launcher, struct tmap_error *err)
{
	struct tmap_program *made;

	*programs = NULL;
	if (!policy->programs)
		return 0;
	for (int i = 0; i < policy->program_count; i++)
		if (policy->programs[i].hosts || policy->programs[i].hostfile)
			return tmap_fail(err, TMAP_USAGE,
					 "--app, program %d: hosts of its own are imitated for "
					 "openmpi5 and prrte, not for %s",
					 i, launcher);
	made = tmap_alloc((size_t)policy->program_count, sizeof *made, err);
	for (int i = 0; made && i < policy->program_count; i++)
		made[i].ranks = policy->programs[i].ranks;
	*programs = made;
	return made ? 0 : -1;
}

void tmap_policy_add_option(struct tmap_str *text, const char *option, const char *value)
{
	if (value)
		tmap_str_addf(text, " %s %s", option, value);
}

int tmap_policy_first_run(const struct tmap_placement *p)
{
	int run = 1;

	while (run < p->size && p->node[run] == p->node[0])
		run++;
	return run;
}

void tmap_policy_add_ppr(struct tmap_policy_trials *trials, int number,
			 const struct tmap_locals *locals, const char *name, enum tmap_type type)
{
	const struct tmap_topology *topo =
		tmap_machine_topology(locals->p->machine, locals->longest);
	int ranks = tmap_locals_count(locals, locals->longest),
	    objects = tmap_topology_count(topo, type);

	if (objects == 0 || ranks % objects)
		return;
	snprintf(trials->word[number], sizeof trials->word[number], "ppr:%d:%s", ranks / objects,
		 name);
	trials->map_by[trials->maps++] = trials->word[number];
}
