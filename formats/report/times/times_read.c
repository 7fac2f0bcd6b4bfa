/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/times/times_read.h"

#include "core/base/mem.h"
#include "core/base/utf8.h"
#include "formats/base/input.h"
#include "formats/json/json.h"
#include "formats/machine/json_placement.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Names and versions, which tables show as they are. */
static int get_text(const struct tmap_json *in, const char *member, char **text,
		    struct tmap_error *err)
{
	struct tmap_json at;

	if (tmap_json_get(in, member, TMAP_JSON_STRING, &at, err) < 0)
		return -1;
	if (!tmap_utf8_is_plain(tmap_json_string(&at)))
		return tmap_json_fail(&at, err, "'%.60s' has characters that are not printable",
				      tmap_json_string(&at));
	*text = tmap_strdup(tmap_json_string(&at), err);
	return *text ? 0 : -1;
}

static int get_word(const struct tmap_json *in, const char *member,
		    const struct tmap_keywords *words, int *row, struct tmap_error *err)
{
	struct tmap_json at;

	if (tmap_json_get(in, member, TMAP_JSON_STRING, &at, err) < 0)
		return -1;
	*row = tmap_keywords_find(words, tmap_json_string(&at), err);
	if (*row != TMAP_NONE)
		return 0;
	if (err->kind == TMAP_USAGE)
		err->kind = TMAP_INPUT;
	return tmap_json_wrap(&at, err);
}

static int get_int64(const struct tmap_json *in, const char *member, int64_t least, int64_t *number,
		     struct tmap_error *err)
{
	struct tmap_json at;

	if (tmap_json_get(in, member, TMAP_JSON_INTEGER, &at, err) < 0)
		return -1;
	return tmap_json_integer(&at, least, INT64_MAX, number, err);
}

/* A longer time than a century is none, nor is a shorter one than an attosecond, but 0. */
static const double most_seconds = 4e9, least_seconds = 1e-18;

static int seconds_check(const struct tmap_json *at, double seconds, struct tmap_error *err)
{
	if (seconds >= 0 && seconds <= most_seconds && (seconds == 0 || seconds >= least_seconds))
		return 0;
	return tmap_json_fail(at, err, "%g is neither 0 nor from %g to %g", seconds, least_seconds,
			      most_seconds);
}

/* Where the numbers of a median's interval, or of a box, rise from @p least to @p most. */
static int get_number(const struct tmap_json *in, const char *member, double least, double most,
		      double *number, struct tmap_error *err)
{
	struct tmap_json at;

	if (tmap_json_get(in, member, TMAP_JSON_NUMBER, &at, err) < 0)
		return -1;
	*number = tmap_json_number(&at);
	if (*number >= least && *number <= most)
		return seconds_check(&at, *number, err);
	return tmap_json_fail(&at, err, "%g is not from %g to %g", *number, least, most);
}

static int get_interval(const struct tmap_json *in, struct tmap_sample_statistics *it,
			struct tmap_error *err)
{
	struct tmap_json list, low, high;

	if (tmap_json_find(in, "ci", TMAP_JSON_ARRAY, &list, err) < 0)
		return -1;
	it->has_interval = list.value != NULL;
	if (!it->has_interval)
		return 0;
	if (tmap_json_count(&list) != 2)
		return tmap_json_fail(&list, err, "an interval is two numbers, not %d",
				      tmap_json_count(&list));
	if (tmap_json_element(&list, 0, TMAP_JSON_NUMBER, &low, err) < 0 ||
	    tmap_json_element(&list, 1, TMAP_JSON_NUMBER, &high, err) < 0)
		return -1;
	it->low = tmap_json_number(&low);
	it->high = tmap_json_number(&high);
	if (!(it->low >= it->min && it->low <= it->median))
		return tmap_json_fail(&low, err, "%g is not from %g to %g", it->low, it->min,
				      it->median);
	if (!(it->high >= it->median && it->high <= it->max))
		return tmap_json_fail(&high, err, "%g is not from %g to %g", it->high, it->median,
				      it->max);
	return 0;
}

static int get_seconds(const struct tmap_json *in, struct tmap_sample_statistics *it,
		       struct tmap_error *err)
{
	struct tmap_json at;

	if (tmap_json_get(in, "seconds", TMAP_JSON_OBJECT, &at, err) < 0 ||
	    get_number(&at, "min", 0, most_seconds, &it->min, err) < 0 ||
	    get_number(&at, "q1", it->min, most_seconds, &it->q1, err) < 0 ||
	    get_number(&at, "median", it->q1, most_seconds, &it->median, err) < 0 ||
	    get_number(&at, "q3", it->median, most_seconds, &it->q3, err) < 0 ||
	    get_number(&at, "max", it->q3, most_seconds, &it->max, err) < 0 ||
	    get_number(&at, "mean", 0, most_seconds, &it->mean, err) < 0)
		return -1;
	return get_interval(&at, it, err);
}

/* The number that there are is known before memory is asked for. */
static int get_doubles(const struct tmap_json *list, double **number, struct tmap_error *err)
{
	int count = tmap_json_count(list);
	double *made = tmap_alloc_raw((size_t)count, sizeof *made, err);
	struct tmap_json at;

	for (int i = 0; made && i < count; i++) {
		if (tmap_json_element(list, i, TMAP_JSON_NUMBER, &at, err) == 0) {
			made[i] = tmap_json_number(&at);
			if (seconds_check(&at, made[i], err) == 0)
				continue;
		}
		free(made);
		return -1;
	}
	*number = made;
	return made ? 0 : -1;
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
	if (get_doubles(&runs, &it->run, err) < 0)
		return -1;
	if (!raw.value)
		return 0;
	if (tmap_json_count(&raw) != it->repetitions || it->run_count != 1)
		return tmap_json_fail(&raw, err, "%d times are not %lld repetitions of one run",
				      tmap_json_count(&raw), (long long)it->repetitions);
	return get_doubles(&raw, &it->raw, err);
}

static int get_experiment(const struct tmap_json *in, int size, struct tmap_experiment *it,
			  struct tmap_error *err)
{
	struct tmap_json at;
	int collective, mode;

	if (get_word(in, "collective", &tmap_collectives, &collective, err) < 0 ||
	    get_word(in, "mode", &tmap_modes, &mode, err) < 0 ||
	    get_text(in, "algorithm", &it->algorithm, err) < 0 ||
	    tmap_json_get_int(in, "root", 0, size - 1, &it->root, err) < 0 ||
	    get_int64(in, "bytes", 0, &it->bytes, err) < 0 ||
	    get_int64(in, "repetitions", 1, &it->repetitions, err) < 0 ||
	    tmap_json_get(in, "correct", TMAP_JSON_BOOLEAN, &at, err) < 0 ||
	    tmap_json_find_bool(in, "correct", &it->is_correct, err) < 0 ||
	    get_seconds(in, &it->seconds, err) < 0 ||
	    get_int64(in, "outliers", 0, &it->seconds.outliers, err) < 0)
		return -1;
	it->collective = (enum tmap_collective)collective;
	it->mode = (enum tmap_mode)mode;
	if (it->seconds.outliers > it->repetitions)
		return tmap_json_fail(in, err, "%lld repetitions have not %lld outliers",
				      (long long)it->repetitions, (long long)it->seconds.outliers);
	if (it->root && !tmap_collective_rows[collective].has_root)
		return tmap_json_fail(in, err, "%s has no root",
				      tmap_collective_rows[collective].word.name);
	return get_runs(in, it, err);
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
	struct tmap_json placement;

	if (tmap_json_check_kind(doc, "times", err) < 0 ||
	    tmap_json_get(doc, "placement", TMAP_JSON_OBJECT, &placement, err) < 0 ||
	    tmap_json_get_placement(&placement, &times->placement, err) < 0 ||
	    get_text(doc, "mpi", &times->mpi, err) < 0 ||
	    get_text(doc, "date", &times->date, err) < 0 ||
	    get_text(doc, "sync", &times->sync, err) < 0 || get_experiments(doc, times, err) < 0)
		return -1;
	return check_distinct(doc, times, err);
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
