#include "cli/base/algorithm_names.h"

int tm_algorithm_names_check(const struct tm_opt_list *names, enum tm_collective collective,
			     struct tm_error *err)
{
	for (size_t i = 0; i < names->count; i++) {
		struct tm_call call = { 0 };

		if (tm_call_parse(&call, collective, names->items[i], err) == 0)
			continue;
		err->kind = err->kind == TM_INPUT ? TM_USAGE : err->kind;
		return tm_wrap(err, "--algorithm");
	}
	return 0;
}
