/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/measure/start_window.h"

#include <stdlib.h>

/* The shortest windows and lead, and the longest lead. */
#define SHORT_S 1e-4
#define LONG_LEAD_S 0.02

void tmap_start_window_init(struct tmap_start_window *it)
{
	*it = (struct tmap_start_window){ .length_s = SHORT_S, .lead_s = SHORT_S };
}

static int compare_busy(const void *a, const void *b)
{
	const struct tmap_start_outcome *left = a, *right = b;

	return (left->busy_s > right->busy_s) - (left->busy_s < right->busy_s);
}

size_t tmap_start_window_add(struct tmap_start_window *it, struct tmap_start_outcome *outcome,
			     size_t count, double spent_s, double *took_s)
{
	size_t kept = 0;
	double busy;

	it->spent_s = spent_s;
	if (!count)
		return 0;
	for (size_t i = 0; i < count; i++)
		if (outcome[i].late_s <= TMAP_WINDOW_LATE_S)
			took_s[kept++] = outcome[i].took_s;
	it->counted += (int64_t)kept;
	it->late += (int64_t)(count - kept);
	it->lead_s *= outcome[0].late_s > TMAP_WINDOW_LATE_S ? 2 : 0.5;
	it->lead_s = it->lead_s < SHORT_S ? SHORT_S :
		it->lead_s > LONG_LEAD_S  ? LONG_LEAD_S :
					    it->lead_s;
	qsort(outcome, count, sizeof *outcome, compare_busy);
	busy = 1.5 * outcome[count / 2].busy_s;
	it->length_s = busy > SHORT_S ? busy : SHORT_S;
	return kept;
}

size_t tmap_start_window_tries(const struct tmap_start_window *it, size_t wanted, size_t most)
{
	double tries =
		(double)wanted * (double)(it->late + it->counted + 1) / (double)(it->counted + 1);

	return tries < (double)most ? (size_t)tries : most;
}

int tmap_start_window_check(const struct tmap_start_window *it, struct tmap_error *err)
{
	if (it->late < 200 || it->late < 19 * it->counted || it->spent_s < 5)
		return 0;
	return tmap_fail(err, TMAP_SYSTEM,
			 "--sync clock: a rank began late in %lld of %lld windows: others use its "
			 "core, too; --sync barrier measures there",
			 (long long)it->late, (long long)(it->late + it->counted));
}
