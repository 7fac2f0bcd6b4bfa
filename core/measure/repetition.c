/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/measure/repetition.h"

#include "core/base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_LOOK = 6 };

void tmap_repetition_init(struct tmap_repetition *it, const struct tmap_repetition_rule *rule)
{
	*it = (struct tmap_repetition){ .rule = *rule, .look = FIRST_LOOK };
}

void tmap_repetition_fini(struct tmap_repetition *it)
{
	free(it->time);
	*it = (struct tmap_repetition){ 0 };
}

size_t tmap_repetition_next(const struct tmap_repetition *it, size_t most)
{
	const struct tmap_repetition_rule *rule = &it->rule;
	size_t next = it->count / 4 + 1;

	if (!it->count)
		return 1;
	if (it->is_precise || (rule->repetitions && it->count >= (size_t)rule->repetitions) ||
	    (rule->seconds > 0 && it->spent_s >= rule->seconds))
		return 0;
	if (rule->repetitions && next > (size_t)rule->repetitions - it->count)
		next = (size_t)rule->repetitions - it->count;
	if (rule->seconds > 0 && it->spent_s > 0) {
		double fit = (rule->seconds - it->spent_s) / it->spent_s * (double)it->count;

		if (fit < (double)next)
			next = fit < 1 ? 1 : (size_t)fit;
	}
	return next < most ? next : most;
}

int tmap_repetition_add(struct tmap_repetition *it, const double *time, size_t count,
			double spent_s, struct tmap_error *err)
{
	struct tmap_sample_statistics statistics;

	if (tmap_grow(&it->time, &it->capacity, it->count + count, sizeof *it->time, err) < 0)
		return -1;
	if (count)
		memcpy(it->time + it->count, time, count * sizeof *time);
	it->count += count;
	it->spent_s = spent_s;
	if (!(it->rule.precision > 0) || it->count < it->look)
		return 0;
	it->look = it->count + it->count / 8 + 1;
	if (tmap_sample_statistics_init(&statistics, it->time, it->count, err) < 0)
		return -1;
	it->is_precise = statistics.has_interval &&
		statistics.high - statistics.low <= it->rule.precision * statistics.median;
	return 0;
}
