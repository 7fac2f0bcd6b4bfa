/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/launchers/common/policy.h"

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
