/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/measure/calibrator_links.h"

#include "core/base/mem.h"
#include "core/machine/overlap.h"
#include "core/measure/sample_statistics.h"
#include "core/tree/access.h"

#include <math.h>
#include <stdlib.h>

/* Objects of a level that are measured, of each kind of node. */
enum { OBJECTS_A_KIND = 2 };

/* What a set lets through, by 2, 4, 8, ... of its messages at once: what takes longer than alone, and than
 * the links that are known explain, is the set's. Without any such it stays unknown. */
static int set_measure(struct tmap_calibrator *it, struct tmap_calibration_link *link, int set,
		       struct tmap_error *err)
{
	int size = tmap_crowd_size(&link->sets, set), most = link->is_memory ? size / 2 : size;
	double found[16], seconds;
	int count = 0;
	struct tmap_trial trial = { .kind = TMAP_TRIAL_AT_ONCE, .window = 1, .repetitions = 5 };

	for (int k = 2; k < 2 * most && count < 16; k *= 2) {
		struct tmap_expected expected;
		double bound;
		int load;

		if (link->is_memory)
			tmap_crowd_within(&trial, &link->sets, set, k < most ? k : most);
		else
			tmap_crowd_across(&trial, &link->sets, set, k < most ? k : most, NULL,
					  false, &it->random);
		if (trial.count < 2)
			break;
		trial.bytes = tmap_trial_choose_bytes(it, &trial);
		expected = tmap_trial_expect(it, &trial);
		bound = tmap_trial_bound(it, &trial, link) + expected.latency_s;
		if (tmap_calibrator_time(it, &trial, &seconds, err) < 0)
			return -1;
		load = tmap_trial_load(link, &trial, set);
		if (load > 0 && seconds > TMAP_SHARED_FACTOR * fmax(expected.alone_s, bound))
			found[count++] =
				(seconds - expected.latency_s) / ((double)trial.bytes * load);
	}
	link->measured[set] = true;
	if (!count)
		return 0;
	tmap_numbers_sort(found, (size_t)count);
	link->byte_s[set] = found[count / 2];
	/* the same again, with as many the other way */
	if (link->is_memory)
		return 0;
	tmap_crowd_reverse_too(&trial);
	if (tmap_calibrator_time(it, &trial, &seconds, err) < 0)
		return -1;
	link->both_ways |= seconds - tmap_trial_expect(it, &trial).latency_s > 1.5 *
			link->byte_s[set] * (double)trial.bytes *
			tmap_trial_load_way(link, &trial, set, false);
	return 0;
}

/* Objects of a level. Their link is the last one. */
static int level_measure(struct tmap_calibrator *it, int least_size, struct tmap_error *err)
{
	struct tmap_calibration_link *link = &it->link[it->link_count - 1];
	int count,
		*set = tmap_calibration_link_choose(it, link, least_size, OBJECTS_A_KIND, &count,
						    err);
	int status = set ? 0 : -1;

	for (int i = 0; i < count && status == 0 &&
	     (i == 0 || !tmap_calibrator_is_late(it, TMAP_CALIBRATION_SHARED));
	     i++)
		status = set_measure(it, link, set[i], err);
	free(set);
	return status < 0 ? -1 : tmap_calibration_link_spread(it, link, link->byte_s, err);
}

/* Between neighbors, so that messages share as little else as may be. */
static int memory_measure(struct tmap_calibrator *it, struct tmap_error *err)
{
	const struct tmap_level *innermost = &it->levels->level[it->levels->count - 1];
	struct tmap_calibration_link *link;
	struct tmap_partition controllers;
	int status;

	if (tmap_controllers_init(&controllers, it->placement->machine, err) < 0)
		return -1;
	status = tmap_calibration_link_add(it, &controllers, NULL, err);
	tmap_partition_fini(&controllers);
	if (status < 0)
		return -1;
	link = &it->link[it->link_count - 1];
	link->is_memory = true;
	return tmap_crowd_sets_sort(&link->sets, &innermost->sets, it->placement, err) < 0 ?
		-1 :
		level_measure(it, 4, err);
}

/* What a message waits for each other rank on its receiver's core: messages between all ranks of a
 * node beside one of them. */
static int core_measure(struct tmap_calibrator *it, const struct tmap_partition *nodes,
			struct tmap_error *err)
{
	struct tmap_trial trial = {
		.kind = TMAP_TRIAL_AT_ONCE, .bytes = 8, .window = 1, .repetitions = 7
	};
	double *others = tmap_overlap_others(it->placement, err), one, all;
	struct tmap_crowd_sets sets;
	int most = 0, status = others ? 0 : -1;

	for (int r = 1; others && r < it->placement->size; r++)
		if (others[r] > others[most])
			most = r;
	if (status == 0 && others[most] > 0) {
		int set = tmap_partition_set(nodes, it->placement, most);

		status = tmap_crowd_sets_init(&sets, nodes, NULL, it->placement, it->is_slow,
					      &it->random, err);
		if (status == 0 && tmap_crowd_size(&sets, set) >= 4) {
			tmap_crowd_within(&trial, &sets, set, 1);
			status = tmap_calibrator_time(it, &trial, &one, err);
			tmap_crowd_within(&trial, &sets, set, tmap_crowd_size(&sets, set) / 2);
			if (status == 0)
				status = tmap_calibrator_time(it, &trial, &all, err);
			if (status == 0 && all > one)
				it->shared_core_s = (all - one) / others[most];
		}
		tmap_crowd_sets_fini(&sets);
	}
	free(others);
	return status;
}

/* Half of the nodes send to the other half, each to one of its own: what takes longer than adapters and
 * switches explain is shared by all of them. */
static int network_measure(struct tmap_calibrator *it, const struct tmap_crowd_sets *nodes,
			   struct tmap_error *err)
{
	struct tmap_trial trial = { .kind = TMAP_TRIAL_AT_ONCE, .window = 1, .repetitions = 5 };
	int *order = tmap_alloc_raw((size_t)nodes->count, sizeof *order, err), count = 0;
	struct tmap_expected expected;
	double seconds, bound;
	int taken = 0;

	if (!order)
		return -1;
	for (int n = 0; n < nodes->count; n++)
		if (tmap_crowd_size(nodes, n) > 0)
			order[count++] = n;
	tmap_random_shuffle(&it->random, order, count);
	for (bool more = true; more;) { /* one of each two nodes, and another of each, and so on */
		more = false;
		for (int i = 0; i + 1 < count && trial.count < TMAP_TRIAL_MESSAGES_MAX; i += 2) {
			if (taken >= tmap_crowd_size(nodes, order[i]) ||
			    taken >= tmap_crowd_size(nodes, order[i + 1]))
				continue;
			trial.from[trial.count] = nodes->rank[nodes->first[order[i]] + taken];
			trial.to[trial.count++] = nodes->rank[nodes->first[order[i + 1]] + taken];
			more = true;
		}
		taken++;
	}
	free(order);
	if (count < 4)
		return 0;
	trial.bytes = tmap_trial_choose_bytes(it, &trial);
	expected = tmap_trial_expect(it, &trial);
	bound = tmap_trial_bound(it, &trial, NULL) + expected.latency_s;
	if (tmap_calibrator_time(it, &trial, &seconds, err) < 0)
		return -1;
	if (seconds > TMAP_SHARED_FACTOR * fmax(expected.alone_s, bound))
		it->network_byte_s =
			(seconds - expected.latency_s) / ((double)trial.bytes * trial.count);
	return 0;
}

static int late_note(struct tmap_calibrator *it, const char *what, struct tmap_error *err)
{
	return tmap_calibrator_note(it, err, "there was no time to see what ranks share of: %s",
				    what);
}

int tmap_calibrator_run_shared(struct tmap_calibrator *it, struct tmap_error *err)
{
	const struct tmap_levels *levels = it->levels;
	int node = tmap_levels_find(levels, tmap_type_name(TMAP_NODE));
	const struct tmap_partition *nodes = &levels->level[node].sets;
	const struct tmap_calibration_link *adapters = NULL;

	it->link = tmap_alloc((size_t)levels->count + 1, sizeof *it->link, err);
	if (!it->link || core_measure(it, nodes, err) < 0)
		return -1;
	if (tmap_calibrator_is_late(it, TMAP_CALIBRATION_SHARED)) {
		if (late_note(it, "memory", err) < 0)
			return -1;
	} else if (memory_measure(it, err) < 0)
		return -1;
	for (int i = levels->count - 1; i >= 0; i--) {
		const struct tmap_level *level = &levels->level[i];
		struct tmap_calibration_link *link;

		if (level->sets.count < 2)
			continue;
		if (tmap_calibrator_is_late(
			    it, i == node ? TMAP_CALIBRATION_ADAPTERS : TMAP_CALIBRATION_SHARED)) {
			if (late_note(it, i == node ? "adapters" : level->name, err) < 0)
				return -1;
			continue;
		}
		if (tmap_calibration_link_add(it, &level->sets, i > node ? nodes : NULL, err) < 0)
			return -1;
		link = &it->link[it->link_count - 1];
		link->is_adapter = i == node;
		link->level = i == node ? NULL : level->name;
		if ((i == node ? tmap_calibrator_measure_adapters(it, err) :
				 level_measure(it, 2, err)) < 0)
			return -1;
		if (i == node)
			adapters = link;
	}
	if (tmap_calibrator_note_switches(it, err) < 0)
		return -1;
	if (!adapters || tmap_calibrator_is_late(it, TMAP_CALIBRATION_ADAPTERS))
		return 0;
	return network_measure(it, &adapters->sets, err);
}
