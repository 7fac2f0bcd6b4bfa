/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/group/runs.h"

#include "core/base/mem.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>

/* How many of the values follow a run of which divide and modulo are known. */
static int run_length(const int *value, int count, struct tmap_value_run run)
{
	int i = 0;

	while (i < count && value[i] == run.first + i / run.divide % run.modulo)
		i++;
	return i;
}

/* The longest run at the start of the values: equal ones, then steps of one, then, if they fall
 * back to the first, the same again. */
static struct tmap_value_run find_run(const int *value, int count)
{
	struct tmap_value_run run = { 0, *value, 1, 1 };
	int equal = run_length(value, count, run);

	assert(equal > 0); /* the first value equals itself */
	run.count = equal;
	if (equal == count || value[equal] != *value + 1)
		return run;
	run.divide = equal;
	run.modulo = INT_MAX;
	run.count = run_length(value, count, run);
	if (run.count < count && run.count % equal == 0 && value[run.count] == *value) {
		run.modulo = run.count / equal;
		run.count = run_length(value, count, run);
	} else {
		run.modulo = (run.count - 1) / equal + 1;
	}
	return run;
}

struct tmap_value_run *tmap_value_runs(const int *value, int count, size_t *runs,
				       struct tmap_error *err)
{
	struct tmap_value_run *run = NULL;
	size_t found = 0, capacity = 0;

	for (int i = 0; i < count; i += run[found++].count) {
		if (tmap_grow(&run, &capacity, found + 1, sizeof *run, err) < 0) {
			free(run);
			return NULL;
		}
		run[found] = find_run(value + i, count - i);
	}
	*runs = found;
	return run;
}
