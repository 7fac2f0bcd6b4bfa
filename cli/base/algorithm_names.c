/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/base/algorithm_names.h"

#include "core/algorithms/catalogue.h"
int tmap_algorithm_names_check(const struct tmap_opt_list *names, enum tmap_collective collective,
			       struct tmap_error *err)
{
	for (size_t i = 0; i < names->count; i++) {
		struct tmap_call call = { 0 };

		if (tmap_call_parse(&call, collective, names->items[i], err) == 0)
			continue;
		err->kind = err->kind == TMAP_INPUT ? TMAP_USAGE : err->kind;
		return tmap_wrap(err, "--algorithm");
	}
	return 0;
}
