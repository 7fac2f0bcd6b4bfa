/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/launchers/common/policy.h"

#include <stdio.h>

int tmap_policy_refuse_word(const char *option, struct tmap_error *err)
{
	if (err->kind == TMAP_INPUT)
		err->kind = TMAP_USAGE;
	return tmap_wrap(err, "%s", option);
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
