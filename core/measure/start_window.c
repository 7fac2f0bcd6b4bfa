/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/measure/start_window.h"

#include <stdlib.h>

/* The shortest windows and lead, and the longest lead. */
#define SHORT_S 1e-4
#define LONG_LEAD_S 0.02

/* What the lead becomes while ranks are late, and else, so that they are seldom. */
static const double lead_grows = 2, lead_shrinks = 0.95;

/* How long it goes on while repetitions are late, and how many of these there are at least. */
static const struct patience {
	double seconds;
	int64_t late;
} patient = { 5, 200 }, lenient = { 1, 50 };

void tmap_start_window_init(struct tmap_start_window *it)
{
	*it = (struct tmap_start_window){ .length_s = SHORT_S, .lead_s = SHORT_S };
}

static int compare_busy(const void *a, const void *b)
{
	const struct tmap_start_outcome *left = a, *right = b;

	return (left->busy_s > right->busy_s) - (left->busy_s < right->busy_s);
}

static bool outcome_is_late(const struct tmap_start_window *it,
			    const struct tmap_start_outcome *outcome)
{
	return outcome->late_s > TMAP_WINDOW_LATE_S &&
		!(it->is_lenient && outcome->late_s <= TMAP_WINDOW_LATE_PART * outcome->took_s);
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
		if (!outcome_is_late(it, &outcome[i]))
			took_s[kept++] = outcome[i].took_s;
	it->counted += (int64_t)kept;
	it->late += (int64_t)(count - kept);
	it->lead_s *= outcome_is_late(it, &outcome[0]) ? lead_grows : lead_shrinks;
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

int tmap_start_window_check(const struct tmap_start_window *it, const char *sync,
			    struct tmap_error *err)
{
	const struct patience *patience = it->is_lenient ? &lenient : &patient;

	if (it->late < patience->late || it->late < 19 * it->counted ||
	    it->spent_s < patience->seconds)
		return 0;
	return tmap_fail(err, TMAP_SYSTEM,
			 "--sync %s: a rank began late in %lld of %lld windows: others use its "
			 "core, too; --sync barrier measures there",
			 sync, (long long)it->late, (long long)(it->late + it->counted));
}
