/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/measure/crowd.h"

#include "core/base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { TRIES = 48, PARTNER_SETS_MAX = 64 };

static bool pairs_have(const struct tmap_distance_pairs *pairs, int rank)
{
	for (int i = 0; i < pairs->count; i++)
		if (pairs->a[i] == rank || pairs->b[i] == rank)
			return true;
	return false;
}

/* A rank at that step from @p a and in no pair, the first from a random one on; TMAP_NONE: none. */
static int partner_find(const struct tmap_distance_pairs *pairs, const struct tmap_metric *metric,
			int step, int a, struct tmap_random *random)
{
	int size = metric->size;
	int start = (int)tmap_random_below(random, (uint64_t)size);

	for (int i = 0; i < size; i++) {
		int b = (int)(((int64_t)start + i) % size);

		if (b != a && tmap_metric_step_of(metric, a, b) == step && !pairs_have(pairs, b))
			return b;
	}
	return TMAP_NONE;
}

static bool pairs_have_both(const struct tmap_distance_pairs *pairs, int a, int b)
{
	for (int i = 0; i < pairs->count; i++)
		if ((pairs->a[i] == a && pairs->b[i] == b) ||
		    (pairs->a[i] == b && pairs->b[i] == a))
			return true;
	return false;
}

/* Of few ranks there are few disjoint pairs, and by two of them nobody knows which is unlike the others:
 * others of the same ranks, as many as there is room for. */
static void pairs_find_others(struct tmap_distance_pairs *pairs, const struct tmap_metric *metric,
			      int step, int start)
{
	int size = metric->size;

	for (int away = 1; away < size; away++)
		for (int t = 0; t < size && pairs->count < TMAP_DISTANCE_PAIRS_MAX; t++) {
			int a = (start + t) % size, b = (a + away) % size;

			if (tmap_metric_step_of(metric, a, b) != step ||
			    pairs_have_both(pairs, a, b))
				continue;
			pairs->a[pairs->count] = a;
			pairs->b[pairs->count++] = b;
		}
}

static void pairs_find(struct tmap_distance_pairs *pairs, const struct tmap_metric *metric,
		       int step, struct tmap_random *random)
{
	int size = metric->size;
	/* of few ranks each is tried, so that a distance of one pair is found */
	bool all = size <= TRIES;
	int start = (int)tmap_random_below(random, (uint64_t)size);

	for (int t = 0; t < (all ? size : TRIES) && pairs->count < TMAP_DISTANCE_PAIRS_MAX; t++) {
		int a = all ? (start + t) % size : (int)tmap_random_below(random, (uint64_t)size);
		int b = pairs_have(pairs, a) ? TMAP_NONE :
					       partner_find(pairs, metric, step, a, random);

		if (b == TMAP_NONE)
			continue;
		pairs->a[pairs->count] = a;
		pairs->b[pairs->count++] = b;
	}
	if (all)
		pairs_find_others(pairs, metric, step, start);
}

int tmap_distance_pairs_find(struct tmap_distance_pairs **list, int *count,
			     const struct tmap_metric *process, struct tmap_random *random,
			     struct tmap_error *err)
{
	struct tmap_distance_pairs *made =
		tmap_alloc((size_t)process->step_count, sizeof *made, err);
	int found = 0;

	if (!made)
		return -1;
	for (int s = 0; s < process->step_count; s++) {
		made[found] =
			(struct tmap_distance_pairs){ .distance = (int)process->step[s].value };
		pairs_find(&made[found], process, s, random);
		found += made[found].count > 0;
	}
	*list = made;
	*count = found;
	return 0;
}

static void sets_remove(struct tmap_crowd_sets *sets, const bool *without)
{
	int kept = 0;

	for (int s = 0, at = 0; s < sets->count; s++) {
		int end = sets->first[s + 1];

		sets->first[s] = kept;
		for (; at < end; at++)
			if (!without[sets->rank[at]])
				sets->rank[kept++] = sets->rank[at];
	}
	sets->first[sets->count] = kept;
}

int tmap_crowd_sets_init(struct tmap_crowd_sets *sets, const struct tmap_partition *inner,
			 const struct tmap_partition *outer, const struct tmap_placement *placement,
			 const bool *without, struct tmap_random *random, struct tmap_error *err)
{
	size_t count = (size_t)inner->count;

	*sets = (struct tmap_crowd_sets){ .count = inner->count };
	sets->first = tmap_alloc_raw(count + 1, sizeof *sets->first, err);
	sets->rank = tmap_alloc_raw((size_t)placement->size, sizeof *sets->rank, err);
	sets->outer = tmap_alloc(count, sizeof *sets->outer, err);
	if (!sets->first || !sets->rank || !sets->outer) {
		tmap_crowd_sets_fini(sets);
		return -1;
	}
	tmap_partition_sort(inner, placement, sets->first, sets->rank);
	sets_remove(sets, without);
	for (int s = 0; s < sets->count; s++) {
		int *rank = &sets->rank[sets->first[s]];

		tmap_random_shuffle(random, rank, tmap_crowd_size(sets, s));
		if (outer && tmap_crowd_size(sets, s) > 0)
			sets->outer[s] = tmap_partition_set(outer, placement, rank[0]);
	}
	return 0;
}

void tmap_crowd_sets_fini(struct tmap_crowd_sets *sets)
{
	free(sets->first);
	free(sets->rank);
	free(sets->outer);
	*sets = (struct tmap_crowd_sets){ 0 };
}

/* Some of the sets that partners may be of, at random: how many there are. */
static int partner_sets_find(int list[PARTNER_SETS_MAX], const struct tmap_crowd_sets *sets,
			     int set, struct tmap_random *random)
{
	int count = 0;
	uint64_t seen = 0;

	for (int s = 0; s < sets->count; s++) {
		uint64_t at;

		if (s == set || sets->outer[s] != sets->outer[set] || !tmap_crowd_size(sets, s))
			continue;
		/* each of those seen so far is in the list with the same probability */
		at = count < PARTNER_SETS_MAX ? (uint64_t)count++ :
						tmap_random_below(random, seen + 1);
		if (at < PARTNER_SETS_MAX)
			list[at] = s;
		seen++;
	}
	return count;
}

void tmap_crowd_across(struct tmap_trial *trial, const struct tmap_crowd_sets *sets, int set, int k,
		       const double *rate, bool enters, struct tmap_random *random)
{
	int list[PARTNER_SETS_MAX], used[PARTNER_SETS_MAX] = { 0 };
	int count = partner_sets_find(list, sets, set, random);
	int start = count ? (int)tmap_random_below(random, (uint64_t)count) : 0;

	trial->count = 0;
	if (k > tmap_crowd_size(sets, set))
		k = tmap_crowd_size(sets, set);
	if (k > TMAP_TRIAL_MESSAGES_MAX)
		k = TMAP_TRIAL_MESSAGES_MAX;
	for (int i = 0; i < k; i++) {
		int mine = sets->rank[sets->first[set] + i], best = TMAP_NONE, theirs;
		double least = 0;

		for (int t = 0; t < count; t++) {
			int s = (start + t) % count; /* of those that are alike any */
			double load = (used[s] + 1) / (rate ? rate[list[s]] : 1);

			if (used[s] < tmap_crowd_size(sets, list[s]) &&
			    (best == TMAP_NONE || load < least)) {
				best = s;
				least = load;
			}
		}
		if (best == TMAP_NONE)
			break;
		theirs = sets->rank[sets->first[list[best]] + used[best]++];
		trial->from[i] = enters ? theirs : mine;
		trial->to[i] = enters ? mine : theirs;
		trial->count++;
	}
}

/* A rank and where it is. */
struct placed {
	int set, rank;
};

static int compare_placed(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;

	return x->set != y->set ? (x->set > y->set) - (x->set < y->set) :
				  (x->rank > y->rank) - (x->rank < y->rank);
}

int tmap_crowd_sets_sort(struct tmap_crowd_sets *sets, const struct tmap_partition *by,
			 const struct tmap_placement *placement, struct tmap_error *err)
{
	struct placed *room = tmap_alloc_raw((size_t)placement->size, sizeof *room, err);

	if (!room)
		return -1;
	for (int s = 0; s < sets->count; s++) {
		int *rank = &sets->rank[sets->first[s]], size = tmap_crowd_size(sets, s);

		for (int i = 0; i < size; i++)
			room[i] = (struct placed){ tmap_partition_set(by, placement, rank[i]),
						   rank[i] };
		qsort(room, (size_t)size, sizeof *room, compare_placed);
		for (int i = 0; i < size; i++)
			rank[i] = room[i].rank;
	}
	free(room);
	return 0;
}

void tmap_crowd_within(struct tmap_trial *trial, const struct tmap_crowd_sets *sets, int set, int k)
{
	int half = tmap_crowd_size(sets, set) / 2;

	if (k > half)
		k = half;
	if (k > TMAP_TRIAL_MESSAGES_MAX)
		k = TMAP_TRIAL_MESSAGES_MAX;
	trial->count = k;
	for (int i = 0; i < k; i++) {
		/* over all of the set */
		int pair = (int)((int64_t)i * half / k);

		trial->from[i] = sets->rank[sets->first[set] + 2 * pair];
		trial->to[i] = sets->rank[sets->first[set] + 2 * pair + 1];
	}
}

void tmap_crowd_reverse_too(struct tmap_trial *trial)
{
	int n = trial->count;

	if (n > TMAP_TRIAL_MESSAGES_MAX / 2)
		n = TMAP_TRIAL_MESSAGES_MAX / 2;
	for (int i = 0; i < n; i++) {
		trial->from[n + i] = trial->to[i];
		trial->to[n + i] = trial->from[i];
	}
	trial->count = 2 * n;
}
