/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_run/bench/bench_options.h"

#include <stdlib.h>
#include <string.h>

/* A positive number, with that unit at its end or none. */
static int number_parse(const char *text, const char *unit, double *number, struct tmap_error *err)
{
	char *end;

	*number = strtod(text, &end);
	if (end != text && *number > 0 && *number < 1e9 && (!*end || strcmp(end, unit) == 0))
		return 0;
	return tmap_fail(err, TMAP_USAGE, "'%s' is no positive number", text);
}

int tmap_bench_rule(struct tmap_repetition_rule *rule, const struct tmap_bench_args *args,
		    struct tmap_error *err)
{
	double percent;

	if (args->repetitions != TMAP_NONE)
		*rule = (struct tmap_repetition_rule){ .repetitions = args->repetitions };
	if (args->seconds && number_parse(args->seconds, "s", &rule->seconds, err) < 0)
		return tmap_wrap(err, "--seconds");
	if (!args->precision)
		return 0;
	if (number_parse(args->precision, "%", &percent, err) < 0)
		return tmap_wrap(err, "--precision");
	rule->precision = percent / 100;
	return 0;
}
