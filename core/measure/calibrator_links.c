/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/measure/calibrator_links.h"

#include "core/base/mem.h"
#include "core/measure/sample_statistics.h"

#include <math.h>
#include <stdlib.h>

/* The part of all seconds that messages at once may take, and at which trials of what is shared end. */
static const double at_once_part = 0.004;

struct tmap_expected tmap_trial_expect(struct tmap_calibrator *it, const struct tmap_trial *trial)
{
	struct tmap_expected expected = { 0, 0 };

	for (int i = 0; i < trial->count; i++) {
		const struct tmap_calibration_distance *distance =
			tmap_calibrator_distance(it, trial->from[i], trial->to[i]);
		double answer, alone, start;
		int k;

		if (!distance)
			continue;
		k = distance->fit.count - 1;
		while (k > 0 && distance->fit.piece[k].from_bytes > trial->bytes)
			k--;
		answer = tmap_calibration_time(distance, 0);
		alone = tmap_calibration_time(distance, trial->bytes) + answer;
		start = distance->fit.piece[k].latency_s + answer;
		expected.alone_s = fmax(expected.alone_s, alone);
		expected.latency_s = fmax(expected.latency_s, start);
	}
	return expected;
}

/* As many bytes as take some time, and not too long where they share something. */
int64_t tmap_trial_choose_bytes(struct tmap_calibrator *it, const struct tmap_trial *trial)
{
	int64_t bytes = TMAP_CALIBRATION_BYTES_MAX;
	struct tmap_trial tried = *trial;

	for (int i = 0; i < trial->count; i++) {
		const struct tmap_calibration_distance *distance =
			tmap_calibrator_distance(it, trial->from[i], trial->to[i]);

		if (distance && distance->largest < bytes)
			bytes = distance->largest;
	}
	for (; bytes > 4096; bytes /= 2) {
		tried.bytes = bytes;
		if (trial->count * tmap_trial_expect(it, &tried).alone_s <
		    at_once_part * it->seconds)
			break;
	}
	return bytes;
}

/* Messages that cross the border of a set, or lie in it, one way. */
int tmap_trial_load_way(const struct tmap_calibration_link *link, const struct tmap_trial *trial,
			int set, bool enters)
{
	int load = 0;

	for (int i = 0; i < trial->count; i++) {
		int from = link->set_of[trial->from[i]], to = link->set_of[trial->to[i]];

		if (link->is_memory)
			load += (from == set) + (to == set);
		else if (from != to)
			load += enters ? to == set : from == set;
	}
	return load;
}

int tmap_trial_load(const struct tmap_calibration_link *link, const struct tmap_trial *trial,
		    int set)
{
	int out = tmap_trial_load_way(link, trial, set, false), in;

	if (link->is_memory)
		return out;
	in = tmap_trial_load_way(link, trial, set, true);
	return link->both_ways ? out + in : out > in ? out : in;
}

/* What the links that are known let through at best, without latency; but for one of them. */
double tmap_trial_bound(const struct tmap_calibrator *it, const struct tmap_trial *trial,
			const struct tmap_calibration_link *but)
{
	double bound = 0;

	for (int l = 0; l < it->link_count; l++) {
		const struct tmap_calibration_link *link = &it->link[l];

		for (int i = 0; i < 2 * trial->count; i++) {
			int rank = i % 2 ? trial->to[i / 2] : trial->from[i / 2];
			int set = link->set_of[rank];

			if (link == but || set == TMAP_NONE || !(link->byte_s[set] > 0))
				continue;
			bound = fmax(bound,
				     tmap_trial_load(link, trial, set) * (double)trial->bytes *
					     link->byte_s[set]);
		}
	}
	return bound;
}

int tmap_calibration_link_add(struct tmap_calibrator *it, const struct tmap_partition *sets,
			      const struct tmap_partition *outer, struct tmap_error *err)
{
	struct tmap_calibration_link *link = &it->link[it->link_count];
	size_t count = (size_t)sets->count, size = (size_t)it->placement->size;

	*link = (struct tmap_calibration_link){ 0 };
	if (tmap_crowd_sets_init(&link->sets, sets, outer, it->placement, it->is_slow, &it->random,
				 err) < 0)
		return -1;
	it->link_count++;
	link->set_of = tmap_alloc_raw(size, sizeof *link->set_of, err);
	link->byte_s = tmap_alloc(count, sizeof *link->byte_s, err);
	link->message_s = tmap_alloc(count, sizeof *link->message_s, err);
	link->measured = tmap_alloc(count, sizeof *link->measured, err);
	if (!link->set_of || !link->byte_s || !link->message_s || !link->measured)
		return -1;
	for (int r = 0; r < it->placement->size; r++)
		link->set_of[r] = tmap_partition_set(sets, it->placement, r);
	return 0;
}

static int set_topology(const struct tmap_calibrator *it, const struct tmap_calibration_link *link,
			int set)
{
	int rank = link->sets.rank[link->sets.first[set]];

	return it->placement->machine->node_topology[it->placement->node[rank]];
}

/* The sets to measure, in random order: [*count], of each kind of node as many. */
int *tmap_calibration_link_choose(struct tmap_calibrator *it,
				  const struct tmap_calibration_link *link, int least_size,
				  int a_kind, int *count, struct tmap_error *err)
{
	int n = link->sets.count, found = 0;
	int *order = tmap_alloc_raw((size_t)n, sizeof *order, err);
	int *kinds = tmap_alloc((size_t)it->placement->machine->topology_count, sizeof *kinds, err);

	for (int i = 0; order && i < n; i++)
		order[i] = i;
	if (order && kinds) {
		tmap_random_shuffle(&it->random, order, n);
		for (int i = 0; i < n; i++)
			if (tmap_crowd_size(&link->sets, order[i]) >= least_size &&
			    kinds[set_topology(it, link, order[i])]++ < a_kind)
				order[found++] = order[i];
	}
	free(kinds);
	*count = found;
	if (order && kinds)
		return order;
	free(order);
	return NULL;
}

/* Of each kind of node sets that were not measured are like those that were. */
int tmap_calibration_link_spread(struct tmap_calibrator *it, struct tmap_calibration_link *link,
				 double *value, struct tmap_error *err)
{
	int n = link->sets.count;
	double *room = tmap_alloc_raw((size_t)n, sizeof *room, err);

	if (!room)
		return -1;
	for (int t = 0; t < it->placement->machine->topology_count; t++) {
		int count = 0;

		for (int s = 0; s < n; s++)
			if (link->measured[s] && set_topology(it, link, s) == t)
				room[count++] = value[s];
		if (!count)
			continue;
		tmap_numbers_sort(room, (size_t)count);
		for (int s = 0; s < n; s++)
			if (!link->measured[s] && tmap_crowd_size(&link->sets, s) > 0 &&
			    set_topology(it, link, s) == t)
				value[s] = room[count / 2];
	}
	free(room);
	return 0;
}
