/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/measure/calibrator.h"

#include "core/base/mem.h"
#include "core/machine/overlap.h"
#include "core/tree/access.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Objects of a level that are measured, of each kind of node; nodes, of which all are where there are no
 * more than the second number. */
enum { OBJECTS_A_KIND = 2, NODES_ALL = 12, NODES_A_KIND = 4 };

/* What takes so many times as long as it would without sharing is shared. */
static const double shared_factor = 1.1;

/* The part of all seconds that messages at once may take, and at which this part of it ends. */
static const double at_once_part = 0.004, shared_part = 0.6;

/* What is known of messages at once before they are sent. */
struct expected {
	double alone_s;   /**< with their answers, if they shared nothing */
	double latency_s; /**< of that which no byte takes */
};

static struct expected trial_expect(struct tmap_calibrator *it, const struct tmap_trial *trial)
{
	struct expected expected = { 0, 0 };

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
static int64_t bytes_choose(struct tmap_calibrator *it, const struct tmap_trial *trial)
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
		if (trial->count * trial_expect(it, &tried).alone_s < at_once_part * it->seconds)
			break;
	}
	return bytes;
}

/* Messages that cross the border of a set, or lie in it, one way. */
static int set_load(const struct tmap_calibration_link *link, const struct tmap_trial *trial,
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

static int link_load(const struct tmap_calibration_link *link, const struct tmap_trial *trial,
		     int set)
{
	int out = set_load(link, trial, set, false), in;

	if (link->is_memory)
		return out;
	in = set_load(link, trial, set, true);
	return link->both_ways ? out + in : out > in ? out : in;
}

/* What the links that are known let through at best, without latency; but for one of them. */
static double trial_bound(const struct tmap_calibrator *it, const struct tmap_trial *trial,
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
				     link_load(link, trial, set) * (double)trial->bytes *
					     link->byte_s[set]);
		}
	}
	return bound;
}

static int link_add(struct tmap_calibrator *it, const struct tmap_partition *sets,
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
static int *sets_choose(struct tmap_calibrator *it, const struct tmap_calibration_link *link,
			int least_size, int a_kind, int *count, struct tmap_error *err)
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

static bool time_is_up(const struct tmap_calibrator *it)
{
	return it->runner.spent(it->runner.data) > shared_part * it->seconds;
}

static int compare_numbers(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Of each kind of node sets that were not measured are like those that were. */
static int link_spread(struct tmap_calibrator *it, struct tmap_calibration_link *link,
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
		qsort(room, (size_t)count, sizeof *room, compare_numbers);
		for (int s = 0; s < n; s++)
			if (!link->measured[s] && tmap_crowd_size(&link->sets, s) > 0 &&
			    set_topology(it, link, s) == t)
				value[s] = room[count / 2];
	}
	free(room);
	return 0;
}

/* Seconds a byte of a set, of whose messages the k-th trial has more and more; 0: they never share it,
 * or share something that is known. */
static int set_measure(struct tmap_calibrator *it, struct tmap_calibration_link *link, int set,
		       struct tmap_error *err)
{
	int size = tmap_crowd_size(&link->sets, set), most = link->is_memory ? size / 2 : size;
	double found[16], seconds;
	int count = 0;
	struct tmap_trial trial = { .kind = TMAP_TRIAL_AT_ONCE, .window = 1, .repetitions = 5 };

	for (int k = 2; k < 2 * most && count < 16; k *= 2) {
		struct expected expected;
		double bound;
		int load;

		if (link->is_memory)
			tmap_crowd_within(&trial, &link->sets, set, k < most ? k : most);
		else
			tmap_crowd_across(&trial, &link->sets, set, k < most ? k : most, NULL,
					  false, &it->random);
		if (trial.count < 2)
			break;
		trial.bytes = bytes_choose(it, &trial);
		expected = trial_expect(it, &trial);
		bound = trial_bound(it, &trial, link) + expected.latency_s;
		if (tmap_calibrator_time(it, &trial, &seconds, err) < 0)
			return -1;
		load = link_load(link, &trial, set);
		if (load > 0 && seconds > shared_factor * fmax(expected.alone_s, bound))
			found[count++] =
				(seconds - expected.latency_s) / ((double)trial.bytes * load);
	}
	link->measured[set] = true;
	if (!count)
		return 0;
	qsort(found, (size_t)count, sizeof *found, compare_numbers);
	link->byte_s[set] = found[count / 2];
	/* the same again, with as many the other way */
	if (link->is_memory)
		return 0;
	tmap_crowd_reverse_too(&trial);
	if (tmap_calibrator_time(it, &trial, &seconds, err) < 0)
		return -1;
	link->both_ways |= seconds - trial_expect(it, &trial).latency_s >
		1.5 * link->byte_s[set] * (double)trial.bytes * set_load(link, &trial, set, false);
	return 0;
}

/* Objects of a level. Their link is the last one. */
static int level_measure(struct tmap_calibrator *it, int least_size, struct tmap_error *err)
{
	struct tmap_calibration_link *link = &it->link[it->link_count - 1];
	int count, *set = sets_choose(it, link, least_size, OBJECTS_A_KIND, &count, err);
	int status = set ? 0 : -1;

	for (int i = 0; i < count && status == 0 && (i == 0 || !time_is_up(it)); i++)
		status = set_measure(it, link, set[i], err);
	free(set);
	return status < 0 ? -1 : link_spread(it, link, link->byte_s, err);
}

/* What is known of nodes, [sets] each. */
struct nodes_known {
	double *rate;    /* bytes a second that were seen to pass, one way */
	double *planned; /* what is expected to */
	bool *is_full;   /* messages have waited for its adapters */
	double *lately;  /* what passed when they did so in the last round, the mean of both ways */
};

/* What a trial shows of each node that has a part in it: that so many bytes a second pass at least, and of
 * those that have most to do for what they can that they can do no more. */
static void nodes_learn(struct nodes_known *known, const struct tmap_calibration_link *link,
			const struct tmap_trial *trial, double moving_s, bool is_full)
{
	double most = 0;

	for (int i = 0; i < 2 * trial->count; i++) {
		int set = link->set_of[i % 2 ? trial->to[i / 2] : trial->from[i / 2]];

		most = fmax(most, link_load(link, trial, set) / known->planned[set]);
	}
	for (int i = 0; i < 2 * trial->count; i++) {
		int set = link->set_of[i % 2 ? trial->to[i / 2] : trial->from[i / 2]];
		int load = link_load(link, trial, set);

		known->rate[set] = fmax(known->rate[set], load * (double)trial->bytes / moving_s);
		known->is_full[set] |= is_full && load / known->planned[set] > 0.9 * most;
	}
}

/* A node sends all it can, or gets it: partners take what they are expected to. */
static int node_measure(struct tmap_calibrator *it, struct tmap_calibration_link *link, int set,
			bool enters, struct nodes_known *known, struct tmap_error *err)
{
	struct tmap_trial trial = { .kind = TMAP_TRIAL_AT_ONCE, .window = 1, .repetitions = 5 };
	struct expected expected;
	double seconds, moving_s;
	bool was_full = known->is_full[set];

	tmap_crowd_across(&trial, &link->sets, set, tmap_crowd_size(&link->sets, set),
			  known->planned, enters, &it->random);
	if (trial.count < 1)
		return 0;
	trial.bytes = bytes_choose(it, &trial);
	expected = trial_expect(it, &trial);
	if (tmap_calibrator_time(it, &trial, &seconds, err) < 0)
		return -1;
	moving_s = seconds - expected.latency_s;
	if (!(moving_s > 0))
		return 0;
	known->is_full[set] = false;
	nodes_learn(known, link, &trial, moving_s, seconds > shared_factor * expected.alone_s);
	if (known->is_full[set]) {
		double passed = link_load(link, &trial, set) * (double)trial.bytes / moving_s;

		known->lately[set] = known->lately[set] > 0 ? (known->lately[set] + passed) / 2 :
							      passed;
	}
	known->is_full[set] |= was_full;
	return 0;
}

/* Do both directions of a node's adapters share them? */
static int node_measure_both(struct tmap_calibrator *it, struct tmap_calibration_link *link,
			     int set, const double *rate, struct tmap_error *err)
{
	struct tmap_trial trial = { .kind = TMAP_TRIAL_AT_ONCE, .window = 1, .repetitions = 5 };
	double one, both, latency;

	tmap_crowd_across(&trial, &link->sets, set, tmap_crowd_size(&link->sets, set), rate, false,
			  &it->random);
	if (trial.count < 1)
		return 0;
	trial.bytes = bytes_choose(it, &trial);
	latency = trial_expect(it, &trial).latency_s;
	if (tmap_calibrator_time(it, &trial, &one, err) < 0)
		return -1;
	tmap_crowd_reverse_too(&trial);
	if (tmap_calibrator_time(it, &trial, &both, err) < 0)
		return -1;
	link->both_ways = both - latency > 1.5 * (one - latency);
	return 0;
}

/* Messages a second of a node: many small ones of all its ranks beside those of one rank. */
static int node_measure_messages(struct tmap_calibrator *it, struct tmap_calibration_link *link,
				 int set, struct tmap_error *err)
{
	enum { MANY = 32 };
	struct tmap_trial trial = {
		.kind = TMAP_TRIAL_AT_ONCE, .bytes = 8, .window = MANY, .repetitions = 5
	};
	double one, all;

	tmap_crowd_across(&trial, &link->sets, set, 1, NULL, false, &it->random);
	if (trial.count < 1 || tmap_calibrator_time(it, &trial, &one, err) < 0)
		return trial.count < 1 ? 0 : -1;
	tmap_crowd_across(&trial, &link->sets, set, tmap_crowd_size(&link->sets, set), NULL, false,
			  &it->random);
	if (tmap_calibrator_time(it, &trial, &all, err) < 0)
		return -1;
	if (trial.count > 1 && all > 1.3 * one)
		link->message_s[set] =
			(all - trial_expect(it, &trial).latency_s) / (MANY * trial.count);
	return 0;
}

/* What nodes are expected to take: what was seen, of others the most that was. */
static void nodes_plan(struct nodes_known *known, int count)
{
	double most = 0;

	for (int s = 0; s < count; s++)
		most = fmax(most, known->rate[s]);
	for (int s = 0; s < count; s++)
		known->planned[s] = known->rate[s] > 0 ? known->rate[s] : most > 0 ? most : 1;
}

/* Nodes of @p set, twice: what the first time has shown says how many messages each takes the second
 * time. */
static int nodes_measure(struct tmap_calibrator *it, struct tmap_calibration_link *link,
			 const int *set, int count, struct nodes_known *known,
			 struct tmap_error *err)
{
	int status = 0;

	for (int round = 0; round < 2; round++) {
		nodes_plan(known, link->sets.count);
		for (int i = 0; i < 2 * count && status == 0 && (round == 0 || !time_is_up(it));
		     i++) {
			if (i % 2 == 0)
				known->lately[set[i / 2]] = 0;
			status = node_measure(it, link, set[i / 2], i % 2, known, err);
		}
	}
	for (int i = 0; i < count && status == 0; i++)
		if (known->is_full[set[i]]) {
			link->measured[set[i]] = true;
			link->byte_s[set[i]] = 1 /
				(known->lately[set[i]] > 0 ? known->lately[set[i]] :
							     known->rate[set[i]]);
		}
	nodes_plan(known, link->sets.count);
	if (status == 0 && count > 0 && link->measured[set[0]])
		status = node_measure_both(it, link, set[0], known->planned, err);
	for (int i = 0; i < count && i < 3 && status == 0; i++)
		status = node_measure_messages(it, link, set[i], err);
	return status;
}

static int adapters_measure(struct tmap_calibrator *it, struct tmap_error *err)
{
	struct tmap_calibration_link *link = &it->link[it->link_count - 1];
	size_t n = (size_t)link->sets.count;
	int count,
		*set = sets_choose(it, link, 1, n <= NODES_ALL ? NODES_ALL : NODES_A_KIND, &count,
				   err);
	struct nodes_known known = { .rate = tmap_alloc(n, sizeof *known.rate, err),
				     .planned = tmap_alloc(n, sizeof *known.planned, err),
				     .is_full = tmap_alloc(n, sizeof *known.is_full, err),
				     .lately = tmap_alloc(n, sizeof *known.lately, err) };
	int status = -1;

	if (set && known.rate && known.planned && known.is_full && known.lately)
		status = nodes_measure(it, link, set, count, &known, err);
	free(set);
	free(known.rate);
	free(known.planned);
	free(known.is_full);
	free(known.lately);
	return status < 0 ? -1 : link_spread(it, link, link->byte_s, err);
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
	status = link_add(it, &controllers, NULL, err);
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
	struct expected expected;
	double seconds, bound;

	if (!order)
		return -1;
	for (int n = 0; n < nodes->count; n++)
		if (tmap_crowd_size(nodes, n) > 0)
			order[count++] = n;
	tmap_random_shuffle(&it->random, order, count);
	for (int i = 0; i + 1 < count; i += 2) {
		const int *from = &nodes->rank[nodes->first[order[i]]];
		const int *to = &nodes->rank[nodes->first[order[i + 1]]];
		int pairs = tmap_crowd_size(nodes, order[i]),
		    those = tmap_crowd_size(nodes, order[i + 1]);

		for (int k = 0; k < pairs && k < those && trial.count < TMAP_TRIAL_MESSAGES_MAX;
		     k++) {
			trial.from[trial.count] = from[k];
			trial.to[trial.count++] = to[k];
		}
	}
	free(order);
	if (count < 4)
		return 0;
	trial.bytes = bytes_choose(it, &trial);
	expected = trial_expect(it, &trial);
	bound = trial_bound(it, &trial, NULL) + expected.latency_s;
	if (tmap_calibrator_time(it, &trial, &seconds, err) < 0)
		return -1;
	if (seconds > shared_factor * fmax(expected.alone_s, bound))
		it->network_byte_s =
			(seconds - expected.latency_s) / ((double)trial.bytes * trial.count);
	return 0;
}

int tmap_calibrator_run_shared(struct tmap_calibrator *it, struct tmap_error *err)
{
	const struct tmap_levels *levels = it->levels;
	int node = tmap_levels_find(levels, tmap_type_name(TMAP_NODE));
	const struct tmap_partition *nodes = &levels->level[node].sets;
	const struct tmap_calibration_link *adapters = NULL;

	it->link = tmap_alloc((size_t)levels->count + 1, sizeof *it->link, err);
	if (!it->link || core_measure(it, nodes, err) < 0 || memory_measure(it, err) < 0)
		return -1;
	for (int i = levels->count - 1; i >= 0; i--) {
		const struct tmap_level *level = &levels->level[i];
		struct tmap_calibration_link *link;

		if (level->sets.count < 2)
			continue;
		if (link_add(it, &level->sets, i > node ? nodes : NULL, err) < 0)
			return -1;
		link = &it->link[it->link_count - 1];
		link->is_adapter = i == node;
		link->level = i == node ? NULL : level->name;
		if ((i == node ? adapters_measure(it, err) : level_measure(it, 2, err)) < 0)
			return -1;
		if (i == node)
			adapters = link;
	}
	return adapters ? network_measure(it, &adapters->sets, err) : 0;
}
