/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/times/lane_times_read.h"

#include "core/base/mem.h"
#include "formats/base/input.h"
#include "formats/report/times/times_members.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* No machine has so many lanes. */
static const double most_speedup = 1e9;

static int speedup_get(const struct tmap_json *in, struct tmap_lane_experiment *it,
		       struct tmap_error *err)
{
	struct tmap_speedup *speedup = &it->speedup;
	struct tmap_json at, list, low, high;

	if (tmap_json_find(in, "speedup", TMAP_JSON_NUMBER, &at, err) < 0 ||
	    tmap_json_find(in, "speedup_ci", TMAP_JSON_ARRAY, &list, err) < 0)
		return -1;
	it->has_speedup = at.value != NULL;
	if (at.value) {
		speedup->ratio = tmap_json_number(&at);
		if (!(speedup->ratio >= 0 && speedup->ratio <= most_speedup))
			return tmap_json_fail(&at, err, "%g is not from 0 to %g", speedup->ratio,
					      most_speedup);
	}
	if (!list.value)
		return 0;
	if (!it->has_speedup)
		return tmap_json_fail(&list, err, "there is an interval, and no speedup");
	if (tmap_json_count(&list) != 2)
		return tmap_json_fail(&list, err, "an interval is two numbers, not %d",
				      tmap_json_count(&list));
	if (tmap_json_element(&list, 0, TMAP_JSON_NUMBER, &low, err) < 0 ||
	    tmap_json_element(&list, 1, TMAP_JSON_NUMBER, &high, err) < 0)
		return -1;
	speedup->has_interval = true;
	speedup->low = tmap_json_number(&low);
	speedup->high = tmap_json_number(&high);
	if (!(speedup->low >= 0 && speedup->low <= speedup->ratio &&
	      speedup->high >= speedup->ratio && speedup->high <= most_speedup))
		return tmap_json_fail(&list, err, "%g to %g is no interval around %g", speedup->low,
				      speedup->high, speedup->ratio);
	return 0;
}

/* What is on its way into a list; the list owns it in the end. */
static int experiment_get(const struct tmap_json *in, int size, struct tmap_lane_experiment *it,
			  struct tmap_error *err)
{
	struct tmap_json raw, correct;

	if (tmap_json_get_int64(in, "bytes", 0, &it->bytes, err) < 0 ||
	    tmap_json_get_int(in, "lanes", 1, size, &it->lanes, err) < 0 ||
	    tmap_json_get_int64(in, "repetitions", 1, &it->repetitions, err) < 0 ||
	    tmap_json_get(in, "correct", TMAP_JSON_BOOLEAN, &correct, err) < 0 ||
	    tmap_json_find_bool(in, "correct", &it->is_correct, err) < 0 ||
	    tmap_json_get_seconds(in, &it->seconds, err) < 0 ||
	    tmap_json_get_int64(in, "outliers", 0, &it->seconds.outliers, err) < 0 ||
	    speedup_get(in, it, err) < 0 ||
	    tmap_json_find(in, "raw", TMAP_JSON_ARRAY, &raw, err) < 0)
		return -1;
	if (it->seconds.outliers > it->repetitions)
		return tmap_json_fail(in, err, "%lld repetitions have not %lld outliers",
				      (long long)it->repetitions, (long long)it->seconds.outliers);
	if (!raw.value)
		return 0;
	if (tmap_json_count(&raw) != it->repetitions)
		return tmap_json_fail(&raw, err, "%d times are not %lld repetitions",
				      tmap_json_count(&raw), (long long)it->repetitions);
	return tmap_json_get_times(&raw, &it->time, err);
}

static int experiments_get(const struct tmap_json *doc, struct tmap_lane_times *times, int size,
			   struct tmap_error *err)
{
	struct tmap_json list, at;

	if (tmap_json_get(doc, "experiments", TMAP_JSON_ARRAY, &list, err) < 0)
		return -1;
	for (int i = 0; i < tmap_json_count(&list); i++) {
		struct tmap_lane_experiment it = { 0 };

		if (tmap_json_element(&list, i, TMAP_JSON_OBJECT, &at, err) < 0 ||
		    experiment_get(&at, size, &it, err) < 0 ||
		    tmap_grow(&times->experiment, &times->capacity, (size_t)times->count + 1,
			      sizeof it, err) < 0) {
			free(it.time);
			return -1;
		}
		times->experiment[times->count++] = it;
	}
	return times->count ? 0 : tmap_json_fail(&list, err, "nothing was measured");
}

/* Is it what the medians say? *one is that of one lane, of the same size. */
static int speedup_check(const struct tmap_json *doc, const struct tmap_lane_times *times,
			 const struct tmap_lane_experiment *it,
			 const struct tmap_lane_experiment *one, struct tmap_error *err)
{
	double work = times->has_collective ? it->lanes : 1, ratio;
	bool expected = one && it->seconds.median > 0;

	if (it->has_speedup != expected)
		return tmap_json_fail(doc, err, "of %lld bytes over %d lanes there is %s speedup",
				      (long long)it->bytes, it->lanes,
				      it->has_speedup ? "no time of one lane, but a" :
							"a time of one lane, but no");
	if (!expected)
		return 0;
	ratio = work * one->seconds.median / it->seconds.median;
	return fabs(it->speedup.ratio - ratio) <= 1e-6 * ratio ?
		0 :
		tmap_json_fail(doc, err,
			       "of %lld bytes over %d lanes the speedup is %g, and the medians' %g",
			       (long long)it->bytes, it->lanes, it->speedup.ratio, ratio);
}

/* In the order in which they must be, each once. */
static int experiments_check(const struct tmap_json *doc, const struct tmap_lane_times *times,
			     struct tmap_error *err)
{
	const struct tmap_lane_experiment *one = NULL;

	for (int i = 0; i < times->count; i++) {
		const struct tmap_lane_experiment *it = &times->experiment[i];
		const struct tmap_lane_experiment *before = i > 0 ? it - 1 : NULL;

		if (before && it->bytes == before->bytes && it->lanes == before->lanes)
			return tmap_json_fail(doc, err,
					      "two experiments are of %lld bytes over %d lanes",
					      (long long)it->bytes, it->lanes);
		if (!before || it->bytes != before->bytes)
			one = it->lanes == 1 ? it : NULL;
		if (speedup_check(doc, times, it, one, err) < 0)
			return -1;
	}
	return 0;
}

static int times_get(const struct tmap_json *doc, struct tmap_lane_times *times,
		     struct tmap_times *job, struct tmap_error *err)
{
	struct tmap_json collective;
	int row;

	if (tmap_json_get_measured_job(doc, "lane_times", job, err) < 0 ||
	    tmap_json_find(doc, "collective", TMAP_JSON_STRING, &collective, err) < 0 ||
	    tmap_json_get_int64(doc, "exchanges", 1, &times->exchanges, err) < 0)
		return -1;
	times->job = job;
	times->has_collective = collective.value != NULL;
	if (times->has_collective) {
		if (tmap_json_get_keyword(doc, "collective", &tmap_collectives, &row, err) < 0)
			return -1;
		if (tmap_collective_rows[row].has_neighbors || row == TMAP_BARRIER)
			return tmap_json_fail(&collective, err, "lanes do no %s",
					      tmap_collective_rows[row].word.name);
		times->collective = (enum tmap_collective)row;
	}
	if (times->exchanges > INT_MAX)
		return tmap_json_fail(doc, err, "%lld exchanges are more than %d",
				      (long long)times->exchanges, INT_MAX);
	if (experiments_get(doc, times, job->placement.size, err) < 0)
		return -1;
	tmap_lane_times_sort(times);
	return experiments_check(doc, times, err);
}

static int take_document(struct tmap_json *doc, struct tmap_lane_times *times,
			 struct tmap_times *job, const char *name, struct tmap_error *err)
{
	struct tmap_lane_times made = { 0 };
	struct tmap_times of = { 0 };
	int status = times_get(doc, &made, &of, err);

	tmap_json_fini(doc);
	if (status < 0) {
		tmap_lane_times_fini(&made);
		tmap_times_fini(&of);
		return tmap_at(err, name, 0);
	}
	*job = of;
	*times = made;
	times->job = job;
	return 0;
}

int tmap_lane_times_read_json(struct tmap_lane_times *times, struct tmap_times *job,
			      const char *path, struct tmap_error *err)
{
	struct tmap_json doc;

	if (tmap_json_read(&doc, path, err) < 0)
		return -1;
	return take_document(&doc, times, job, tmap_input_name(path), err);
}

int tmap_lane_times_parse_json(struct tmap_lane_times *times, struct tmap_times *job,
			       const char *text, size_t length, const char *name,
			       struct tmap_error *err)
{
	struct tmap_json doc;

	if (tmap_json_parse(&doc, text, length, name, err) < 0)
		return -1;
	return take_document(&doc, times, job, name, err);
}
