/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/times/times_read.h"

#include "core/base/mem.h"
#include "core/measure/left_out.h"
#include "formats/base/input.h"
#include "formats/report/times/measured_call.h"
#include "formats/report/times/times_members.h"

#include <stdlib.h>
#include <string.h>

/* Of launches that were joined. */
static int seeds_get(const struct tmap_json *doc, struct tmap_times *times, struct tmap_error *err)
{
	struct tmap_json list, at;
	int count;

	if (tmap_json_find(doc, "seeds", TMAP_JSON_ARRAY, &list, err) < 0)
		return -1;
	count = list.value ? tmap_json_count(&list) : 0;
	if (list.value && !count)
		return tmap_json_fail(&list, err, "there are no seeds in it");
	times->seeds = count ? tmap_alloc_raw((size_t)count, sizeof *times->seeds, err) : NULL;
	if (count && !times->seeds)
		return -1;
	for (; times->seed_count < count; times->seed_count++)
		if (tmap_json_element(&list, times->seed_count, TMAP_JSON_INTEGER, &at, err) < 0 ||
		    tmap_json_integer(&at, 0, INT64_MAX, &times->seeds[times->seed_count], err) < 0)
			return -1;
	times->seed_capacity = (size_t)count;
	return count && times->has_seed && times->seeds[0] != times->seed ?
		tmap_json_fail(&list, err, "the first is %lld, and seed is %lld",
			       (long long)times->seeds[0], (long long)times->seed) :
		0;
}

/* From the shortest time to the longest. */
static int get_box(const struct tmap_json *list, struct tmap_box *box, struct tmap_error *err)
{
	double *time, before = 0;

	if (tmap_json_count(list) != 5)
		return tmap_json_fail(
			list, err, "five times are a box, from the shortest to the longest, not %d",
			tmap_json_count(list));
	if (tmap_json_get_times(list, &time, err) < 0)
		return -1;
	*box = (struct tmap_box){ time[0], time[1], time[2], time[3], time[4] };
	for (int i = 0; i < 5 && before >= 0; i++)
		before = time[i] < before ? -1 : time[i];
	free(time);
	return before < 0 ? tmap_json_fail(list, err, "the times of a box do not rise") : 0;
}

static int get_boxes(const struct tmap_json *in, struct tmap_experiment *it, struct tmap_error *err)
{
	struct tmap_json boxes, at;

	if (tmap_json_find(in, "boxes", TMAP_JSON_ARRAY, &boxes, err) < 0)
		return -1;
	if (!boxes.value)
		return 0;
	if (tmap_json_count(&boxes) != it->run_count)
		return tmap_json_fail(&boxes, err, "%d boxes are not of %d runs",
				      tmap_json_count(&boxes), it->run_count);
	it->box = tmap_alloc_raw((size_t)it->run_count, sizeof *it->box, err);
	if (!it->box)
		return -1;
	for (int i = 0; i < it->run_count; i++)
		if (tmap_json_element(&boxes, i, TMAP_JSON_ARRAY, &at, err) < 0 ||
		    get_box(&at, &it->box[i], err) < 0)
			return -1;
		else if (it->run[i] < it->box[i].min || it->run[i] > it->box[i].max)
			return tmap_json_fail(&at, err, "the median of the run, %g, is not inside",
					      it->run[i]);
	return 0;
}

static int get_runs(const struct tmap_json *in, struct tmap_experiment *it, struct tmap_error *err)
{
	struct tmap_json runs, raw;

	if (tmap_json_get(in, "runs", TMAP_JSON_ARRAY, &runs, err) < 0 ||
	    tmap_json_find(in, "raw", TMAP_JSON_ARRAY, &raw, err) < 0)
		return -1;
	it->run_count = tmap_json_count(&runs);
	if (it->run_count < 1 || it->run_count > it->repetitions)
		return tmap_json_fail(&runs, err, "%lld repetitions are not of %d runs",
				      (long long)it->repetitions, it->run_count);
	if (tmap_json_get_times(&runs, &it->run, err) < 0 || get_boxes(in, it, err) < 0)
		return -1;
	if (!raw.value)
		return 0;
	if (tmap_json_count(&raw) != it->repetitions || it->run_count != 1)
		return tmap_json_fail(&raw, err, "%d times are not %lld repetitions of one run",
				      tmap_json_count(&raw), (long long)it->repetitions);
	return tmap_json_get_times(&raw, &it->raw, err);
}

static int get_way(const struct tmap_json *in, struct tmap_experiment *it, struct tmap_error *err)
{
	struct tmap_like_times *like;
	int way;

	if (tmap_json_get_keyword(in, "as", &tmap_likes, &way, err) < 0)
		return -1;
	like = &it->like[way];
	if (like->repetitions)
		return tmap_json_fail(in, err, "'%s' is there twice",
				      tmap_like_rows[way].word.name);
	if (tmap_json_get_int64(in, "warm_up", 0, &like->warm_up, err) < 0 ||
	    tmap_json_get_int64(in, "repetitions", 1, &like->repetitions, err) < 0 ||
	    tmap_json_get_time(in, "min_s", 0, &like->min_s, err) < 0 ||
	    tmap_json_get_time(in, "avg_s", like->min_s, &like->avg_s, err) < 0)
		return -1;
	return tmap_json_get_time(in, "max_s", like->avg_s, &like->max_s, err);
}

/* What others measure of it. */
static int get_like(const struct tmap_json *in, struct tmap_experiment *it, struct tmap_error *err)
{
	struct tmap_json list, at;

	if (tmap_json_find(in, "like", TMAP_JSON_ARRAY, &list, err) < 0)
		return -1;
	for (int i = 0; list.value && i < tmap_json_count(&list); i++)
		if (tmap_json_element(&list, i, TMAP_JSON_OBJECT, &at, err) < 0 ||
		    get_way(&at, it, err) < 0)
			return -1;
	return 0;
}

static int get_experiment(const struct tmap_json *in, int size, struct tmap_experiment *it,
			  struct tmap_error *err)
{
	struct tmap_json at;

	if (tmap_json_get_call(in, size, it, err) < 0 ||
	    tmap_json_get_int64(in, "repetitions", 1, &it->repetitions, err) < 0 ||
	    tmap_json_get(in, "correct", TMAP_JSON_BOOLEAN, &at, err) < 0 ||
	    tmap_json_find_bool(in, "correct", &it->is_correct, err) < 0 ||
	    tmap_json_get_seconds(in, &it->seconds, err) < 0 ||
	    tmap_json_get_int64(in, "outliers", 0, &it->seconds.outliers, err) < 0)
		return -1;
	if (it->seconds.outliers > it->repetitions)
		return tmap_json_fail(in, err, "%lld repetitions have not %lld outliers",
				      (long long)it->repetitions, (long long)it->seconds.outliers);
	return get_like(in, it, err) < 0 ? -1 : get_runs(in, it, err);
}

static int get_experiments(const struct tmap_json *doc, struct tmap_times *times,
			   struct tmap_error *err)
{
	struct tmap_json list, at;

	if (tmap_json_get(doc, "experiments", TMAP_JSON_ARRAY, &list, err) < 0)
		return -1;
	for (int i = 0; i < tmap_json_count(&list); i++) {
		struct tmap_experiment experiment = { 0 };

		if (tmap_json_element(&list, i, TMAP_JSON_OBJECT, &at, err) < 0 ||
		    get_experiment(&at, times->placement.size, &experiment, err) < 0 ||
		    tmap_times_add_take(times, &experiment, err) < 0) {
			tmap_experiment_fini(&experiment);
			return -1;
		}
	}
	return 0;
}

static int get_left_out(const struct tmap_json *doc, struct tmap_times *times,
			struct tmap_error *err)
{
	struct tmap_json list, at;
	int status;

	if (tmap_json_find(doc, "left_out", TMAP_JSON_ARRAY, &list, err) < 0)
		return -1;
	for (int i = 0; list.value && i < tmap_json_count(&list); i++) {
		struct tmap_experiment call = { 0 };
		char *reason = NULL;

		status = tmap_json_element(&list, i, TMAP_JSON_OBJECT, &at, err) < 0 ||
				tmap_json_get_call(&at, times->placement.size, &call, err) < 0 ||
				tmap_json_get_plain(&at, "reason", &reason, err) < 0 ?
			-1 :
			tmap_times_leave_out(times, &call, reason, err);
		tmap_experiment_fini(&call);
		free(reason);
		if (status < 0)
			return -1;
	}
	return 0;
}

/* A call that stands twice has two answers. */
static int check_distinct(const struct tmap_json *doc, const struct tmap_times *times,
			  struct tmap_error *err)
{
	int *order, status = 0;

	if (tmap_times_sort(times, &order, err) < 0)
		return -1;
	for (int i = 1; i < times->count && status == 0; i++)
		if (tmap_experiment_compare(&times->experiment[order[i - 1]],
					    &times->experiment[order[i]]) == 0)
			status = tmap_json_fail(
				doc, err,
				"experiments[%d] and experiments[%d] are of the same "
				"call",
				order[i - 1], order[i]);
	free(order);
	return status;
}

static int get_times(const struct tmap_json *doc, struct tmap_times *times, struct tmap_error *err)
{
	if (tmap_json_get_measured_job(doc, "times", times, err) < 0 ||
	    seeds_get(doc, times, err) < 0 || get_experiments(doc, times, err) < 0 ||
	    get_left_out(doc, times, err) < 0)
		return -1;
	return check_distinct(doc, times, err);
}

int tmap_times_recognise(const char *path, bool *is_times, struct tmap_error *err)
{
	struct tmap_json doc, kind;
	struct tmap_error ignored;

	*is_times = false;
	if (!tmap_input_is_file(path))
		return 0;
	if (tmap_json_read(&doc, path, err) < 0)
		return -1;
	*is_times = tmap_json_find(&doc, "kind", TMAP_JSON_STRING, &kind, &ignored) == 0 &&
		kind.value && strcmp(tmap_json_string(&kind), "times") == 0;
	tmap_json_fini(&doc);
	return 0;
}

static int take_document(struct tmap_json *doc, struct tmap_times *times, const char *name,
			 struct tmap_error *err)
{
	struct tmap_times made = { 0 };
	int status = get_times(doc, &made, err);

	tmap_json_fini(doc);
	if (status < 0) {
		tmap_times_fini(&made);
		return tmap_at(err, name, 0);
	}
	*times = made;
	return 0;
}

int tmap_times_read_json(struct tmap_times *times, const char *path, struct tmap_error *err)
{
	struct tmap_json doc;

	if (tmap_json_read(&doc, path, err) < 0)
		return -1;
	return take_document(&doc, times, tmap_input_name(path), err);
}

int tmap_times_parse_json(struct tmap_times *times, const char *text, size_t length,
			  const char *name, struct tmap_error *err)
{
	struct tmap_json doc;

	if (tmap_json_parse(&doc, text, length, name, err) < 0)
		return -1;
	return take_document(&doc, times, name, err);
}

/* Which of the files before was measured by rounds where this one was not or does not say, or the other way
 * round. */
static int refuse_rounds(const char *before, bool before_says, const char *path,
			 const struct tmap_times *other, struct tmap_error *err)
{
	bool says = other->by_rounds ? before_says : other->says_rounds;
	const char *with = other->by_rounds ? path : before;
	const char *without = other->by_rounds ? before : path;

	return tmap_fail(err, TMAP_INPUT,
			 "%s was measured by rounds and %s %s: they cannot be added",
			 tmap_input_name(with), tmap_input_name(without),
			 says ? "was not" : "does not say whether it was");
}

static int join_file(struct tmap_times *times, const struct tmap_times *other, const char *path,
		     const char *before, struct tmap_error *err)
{
	if (tmap_times_differ_by_rounds(times, other))
		return refuse_rounds(before, times->says_rounds, path, other, err);
	return tmap_times_join(times, other, err) < 0 ? tmap_at(err, tmap_input_name(path), 0) : 0;
}

int tmap_times_read_joined(struct tmap_times *times, const char *const *path, size_t count,
			   struct tmap_error *err)
{
	const char *own = path[0]; /* the first with topomap's algorithms */

	if (tmap_times_read_json(times, path[0], err) < 0)
		return -1;
	for (size_t i = 1; i < count; i++) {
		struct tmap_times other = { 0 };
		int status = tmap_times_read_json(&other, path[i], err);

		if (status == 0) {
			own = tmap_times_have_own(times) ? own : path[i];
			status = join_file(times, &other, path[i], own, err);
			tmap_times_fini(&other);
		}
		if (status < 0) {
			tmap_times_fini(times);
			return -1;
		}
	}
	return 0;
}
