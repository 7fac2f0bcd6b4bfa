/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/measure/calibrator_links.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdlib.h>

/* Nodes are all measured where there are no more than the first number, else so many of each kind. */
enum { NODES_ALL = 12, NODES_A_KIND = 4 };

/* What is known of nodes, [sets] each. */
struct nodes_known {
	double *rate;    /* bytes a second that were seen to pass, one way */
	double *planned; /* what is expected to */
	bool *is_full;   /* messages have waited for its adapters */
	double *lately;  /* what passed when they did so in the last round, the mean of both ways */
};

/* More passes than before, which is then what the node's adapters are judged by; or less, which others were
 * too slow for. */
static const double more = 1.1, less = 0.9;

/* What a trial shows of each node that has a part in it: that so many bytes a second pass at least, and of
 * those that have most to do for what they can that they can do no more. */
static void nodes_learn(struct nodes_known *known, const struct tmap_calibration_link *link,
			const struct tmap_trial *trial, double moving_s, bool is_full)
{
	double most = 0;

	for (int i = 0; i < 2 * trial->count; i++) {
		int set = link->set_of[i % 2 ? trial->to[i / 2] : trial->from[i / 2]];

		most = fmax(most, tmap_trial_load(link, trial, set) / known->planned[set]);
	}
	for (int i = 0; i < 2 * trial->count; i++) {
		int set = link->set_of[i % 2 ? trial->to[i / 2] : trial->from[i / 2]];
		int load = tmap_trial_load(link, trial, set);
		double passed = load * (double)trial->bytes / moving_s;
		bool waits = is_full && load / known->planned[set] > 0.9 * most;

		if (passed > more * known->rate[set])
			known->is_full[set] = waits;
		else if (passed > less * known->rate[set])
			known->is_full[set] |= waits;
		known->rate[set] = fmax(known->rate[set], passed);
	}
}

/* A node sends all it can, or gets it: partners take what they are expected to. */
static int node_measure(struct tmap_calibrator *it, struct tmap_calibration_link *link, int set,
			bool enters, struct nodes_known *known, struct tmap_error *err)
{
	struct tmap_trial trial = { .kind = TMAP_TRIAL_AT_ONCE, .window = 1, .repetitions = 5 };
	struct tmap_expected expected;
	double seconds, moving_s, passed;

	tmap_crowd_across(&trial, &link->sets, set, tmap_crowd_size(&link->sets, set),
			  known->planned, enters, &it->random);
	if (trial.count < 1)
		return 0;
	trial.bytes = tmap_trial_choose_bytes(it, &trial);
	expected = tmap_trial_expect(it, &trial);
	if (tmap_calibrator_time(it, &trial, &seconds, err) < 0)
		return -1;
	moving_s = seconds - expected.latency_s;
	if (!(moving_s > 0))
		return 0;
	nodes_learn(known, link, &trial, moving_s, seconds > TMAP_SHARED_FACTOR * expected.alone_s);
	passed = tmap_trial_load(link, &trial, set) * (double)trial.bytes / moving_s;
	if (known->is_full[set] && passed > less * known->rate[set])
		known->lately[set] = known->lately[set] > 0 ? (known->lately[set] + passed) / 2 :
							      passed;
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
	trial.bytes = tmap_trial_choose_bytes(it, &trial);
	latency = tmap_trial_expect(it, &trial).latency_s;
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
			(all - tmap_trial_expect(it, &trial).latency_s) / (MANY * trial.count);
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
		for (int i = 0; i < 2 * count && status == 0 &&
		     (i < 2 || !tmap_calibrator_is_late(it, TMAP_CALIBRATION_ADAPTERS));
		     i++) {
			if (i % 2 == 0)
				known->lately[set[i / 2]] = 0;
			status = node_measure(it, link, set[i / 2], i % 2, known, err);
		}
	}
	for (int i = 0; i < count && status == 0; i++) {
		/* a node that takes all that is sent to it is not like one that does not */
		link->measured[set[i]] = known->rate[set[i]] > 0;
		if (known->is_full[set[i]])
			link->byte_s[set[i]] = 1 /
				(known->lately[set[i]] > 0 ? known->lately[set[i]] :
							     known->rate[set[i]]);
	}
	nodes_plan(known, link->sets.count);
	if (status == 0 && count > 0 && link->byte_s[set[0]] > 0)
		status = node_measure_both(it, link, set[0], known->planned, err);
	for (int i = 0; i < count && i < 3 && status == 0; i++)
		status = node_measure_messages(it, link, set[i], err);
	return status;
}

int tmap_calibrator_measure_adapters(struct tmap_calibrator *it, struct tmap_error *err)
{
	struct tmap_calibration_link *link = &it->link[it->link_count - 1];
	size_t n = (size_t)link->sets.count;
	int count,
		*set = tmap_calibration_link_choose(
			it, link, 1, n <= NODES_ALL ? NODES_ALL : NODES_A_KIND, &count, err);
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
	return status < 0 ? -1 : tmap_calibration_link_spread(it, link, link->byte_s, err);
}
