/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_run/bench/bench_options.h"

#include "core/base/series.h"
#include "mpi_run/bench/bench_data.h"

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

	if (args->raw && args->format != TMAP_FORMAT_JSON)
		return tmap_fail(err, TMAP_USAGE,
				 "--raw: only the JSON document (-f json) has the time of every "
				 "repetition");
	if (args->precision && args->repetitions != TMAP_NONE &&
	    !tmap_interval_rank((size_t)args->repetitions))
		return tmap_fail(err, TMAP_USAGE,
				 "--precision: the median of %lld repetitions has no confidence "
				 "interval",
				 (long long)args->repetitions);
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

int tmap_bench_root_check(const struct tmap_bench_what *what, int root, int size,
			  struct tmap_error *err)
{
	bool has_root = false;

	for (int c = 0; c < what->collective_count; c++)
		has_root = has_root || tmap_collective_rows[what->collective[c]].has_root;
	if (root && !has_root)
		return tmap_fail(err, TMAP_USAGE, "--root: %s has no root",
				 tmap_collective_rows[what->collective[0]].word.name);
	return tmap_root_check(root, size, err) < 0 ? tmap_wrap(err, "--root") : 0;
}

int tmap_bench_what_init(struct tmap_bench_what *what, uint64_t collectives, const char *sizes,
			 const char *otherwise, struct tmap_error *err)
{
	bool is_sized = collectives & ~TMAP_KEYWORDS_BIT(TMAP_BARRIER);

	*what = (struct tmap_bench_what){ 0 };
	for (int c = 0; c < TMAP_COLLECTIVE_COUNT; c++)
		if (collectives & TMAP_KEYWORDS_BIT(c))
			what->collective[what->collective_count++] = (enum tmap_collective)c;
	if (is_sized && !sizes)
		sizes = otherwise;
	if (is_sized != (sizes != NULL))
		return tmap_fail(err, TMAP_USAGE,
				 is_sized ? "--bytes is missing" : "a barrier has no --bytes");
	if (sizes &&
	    tmap_series_parse(sizes, 0, INT64_MAX, &what->bytes, &what->size_count, err) < 0)
		return tmap_wrap(err, "--bytes");
	return 0;
}

int tmap_bench_sizes_check(enum tmap_collective collective, const int64_t *bytes, int count,
			   int ranks, struct tmap_error *err)
{
	for (int i = 0; i < count; i++)
		if (tmap_bench_data_check_size(collective, bytes[i], ranks, err) < 0)
			return tmap_wrap(err, "--bytes: %s",
					 tmap_collective_rows[collective].word.name);
	return 0;
}

int tmap_bench_what_check(const struct tmap_bench_what *what, int ranks, struct tmap_error *err)
{
	for (int c = 0; c < what->collective_count; c++)
		if (what->collective[c] != TMAP_BARRIER &&
		    tmap_bench_sizes_check(what->collective[c], what->bytes, what->size_count,
					   ranks, err) < 0)
			return -1;
	return 0;
}

void tmap_bench_what_fini(struct tmap_bench_what *what)
{
	free(what->bytes);
	*what = (struct tmap_bench_what){ 0 };
}

int tmap_bench_what_sizes(const struct tmap_bench_what *what, enum tmap_collective collective)
{
	return collective == TMAP_BARRIER ? 1 : what->size_count;
}

int64_t tmap_bench_what_bytes(const struct tmap_bench_what *what, enum tmap_collective collective,
			      int i)
{
	return collective == TMAP_BARRIER ? 0 : what->bytes[i];
}
