/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/base/adapters.h"

#include "core/machine/adapter_choice.h"

#include <stdlib.h>

int tmap_adapters_option(struct tmap_placement *p, const char *list, struct tmap_error *err)
{
	return tmap_adapters_choose(p->machine, list, err) < 0 ? tmap_wrap(err, "--adapters") : 0;
}

int tmap_adapters_write_text(FILE *out, const struct tmap_placement *p, struct tmap_error *err)
{
	char *names;

	if (!p->machine || !tmap_adapters_are_chosen(p->machine))
		return 0;
	names = tmap_adapters_print(p->machine, err);
	if (!names)
		return -1;
	fprintf(out, "adapters: %s (chosen by --adapters)\n", names);
	free(names);
	return 0;
}
