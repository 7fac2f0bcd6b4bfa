/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/times/times_members.h"

#include "core/schedule/neighborhood.h"

#include "core/base/mem.h"
#include "core/base/utf8.h"
#include "formats/machine/json_placement.h"

#include <stdlib.h>
#include <string.h>

/* Names and versions, which tables show as they are. */
int tmap_json_get_plain(const struct tmap_json *in, const char *member, char **text,
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

int tmap_json_get_keyword(const struct tmap_json *in, const char *member,
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

int tmap_json_get_int64(const struct tmap_json *in, const char *member, int64_t least,
			int64_t *number, struct tmap_error *err)
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

int tmap_json_get_time(const struct tmap_json *in, const char *member, double least, double *number,
		       struct tmap_error *err)
{
	struct tmap_json at;

	if (tmap_json_get(in, member, TMAP_JSON_NUMBER, &at, err) < 0)
		return -1;
	*number = tmap_json_number(&at);
	if (*number >= least && *number <= most_seconds)
		return seconds_check(&at, *number, err);
	return tmap_json_fail(&at, err, "%g is not from %g to %g", *number, least, most_seconds);
}

static int interval_get(const struct tmap_json *in, struct tmap_sample_statistics *it,
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

int tmap_json_get_seconds(const struct tmap_json *in, struct tmap_sample_statistics *it,
			  struct tmap_error *err)
{
	struct tmap_json at;

	if (tmap_json_get(in, "seconds", TMAP_JSON_OBJECT, &at, err) < 0 ||
	    tmap_json_get_time(&at, "min", 0, &it->min, err) < 0 ||
	    tmap_json_get_time(&at, "q1", it->min, &it->q1, err) < 0 ||
	    tmap_json_get_time(&at, "median", it->q1, &it->median, err) < 0 ||
	    tmap_json_get_time(&at, "q3", it->median, &it->q3, err) < 0 ||
	    tmap_json_get_time(&at, "max", it->q3, &it->max, err) < 0 ||
	    tmap_json_get_time(&at, "mean", 0, &it->mean, err) < 0)
		return -1;
	return interval_get(&at, it, err);
}

/* The number that there are is known before memory is asked for. */
int tmap_json_get_times(const struct tmap_json *list, double **number, struct tmap_error *err)
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

/* Of the syncs "clock" and "slices", and of no other. */
static int clock_get(const struct tmap_json *doc, struct tmap_times *job, struct tmap_error *err)
{
	struct tmap_clock_use *clock = &job->clock;
	struct tmap_json at;

	if (tmap_json_find(doc, "clock", TMAP_JSON_OBJECT, &at, err) < 0)
		return -1;
	if (!at.value != (strcmp(job->sync, "clock") != 0 && strcmp(job->sync, "slices") != 0))
		return tmap_json_fail(doc, err, "sync is '%.60s', and there is %s clock", job->sync,
				      at.value ? "a" : "no");
	if (!at.value)
		return 0;
	if (tmap_json_get_int(&at, "clocks", 1, job->placement.size, &clock->clocks, err) < 0 ||
	    tmap_json_get_time(&at, "uncertainty_s", 0, &clock->uncertainty_s, err) < 0)
		return -1;
	return tmap_json_get_int64(&at, "late", 0, &clock->late, err);
}

static int seed_get(const struct tmap_json *doc, struct tmap_times *job, struct tmap_error *err)
{
	struct tmap_json at;

	if (tmap_json_find(doc, "seed", TMAP_JSON_INTEGER, &at, err) < 0)
		return -1;
	job->has_seed = at.value;
	return at.value ? tmap_json_get_int64(doc, "seed", 0, &job->seed, err) : 0;
}

static int off_cache_get(const struct tmap_json *doc, struct tmap_times *job,
			 struct tmap_error *err)
{
	struct tmap_json at;

	if (tmap_json_find(doc, "off_cache", TMAP_JSON_INTEGER, &at, err) < 0)
		return -1;
	return at.value ? tmap_json_get_int64(doc, "off_cache", 1, &job->off_cache, err) : 0;
}

static int word_find(const struct tmap_json *in, const char *member, char **word,
		     struct tmap_error *err)
{
	const char *text = NULL;

	if (tmap_json_find_string(in, member, &text, err) < 0)
		return -1;
	*word = text ? tmap_strdup(text, err) : NULL;
	return text && !*word ? -1 : 0;
}

/* What was chosen for a 0 stands there instead. */
static int cart_choose(struct tmap_times_neighborhood *it, const struct tmap_neighborhood *made,
		       struct tmap_error *err)
{
	if (!it->cart)
		return 0;
	free(it->cart);
	it->cart = tmap_neighborhood_print_cart(made, err);
	return it->cart ? 0 : -1;
}

/* The words are kept, and say who the neighbors of so many ranks are. */
static int neighborhood_get(const struct tmap_json *doc, struct tmap_times *job,
			    struct tmap_error *err)
{
	struct tmap_times_neighborhood *it = &job->neighborhood;
	struct tmap_neighborhood made = { 0 };
	struct tmap_json at;
	int status;

	if (tmap_json_find(doc, "neighborhood", TMAP_JSON_OBJECT, &at, err) < 0)
		return -1;
	if (!at.value)
		return 0;
	if (tmap_json_get_plain(&at, "stencil", &it->stencil, err) < 0 ||
	    word_find(&at, "cart", &it->cart, err) < 0 ||
	    word_find(&at, "periods", &it->periods, err) < 0 ||
	    word_find(&at, "order", &it->order, err) < 0)
		return -1;
	status = tmap_neighborhood_init(&made, job->placement.size, it->stencil, it->cart,
					it->periods, it->order, err);
	if (status == 0)
		status = cart_choose(it, &made, err);
	tmap_neighborhood_fini(&made);
	if (status < 0 && err->kind == TMAP_USAGE) /* as of a command line */
		err->kind = TMAP_INPUT;
	return status < 0 ? tmap_json_wrap(&at, err) : 0;
}

/* Documents of the library's algorithms, and older ones, do not say. */
static int rounds_get(const struct tmap_json *doc, struct tmap_times *job, struct tmap_error *err)
{
	struct tmap_json at;

	if (tmap_json_find(doc, "by_rounds", TMAP_JSON_BOOLEAN, &at, err) < 0)
		return -1;
	job->says_rounds = at.value != NULL;
	return tmap_json_find_bool(doc, "by_rounds", &job->by_rounds, err);
}

int tmap_json_get_measured_job(const struct tmap_json *doc, const char *kind,
			       struct tmap_times *job, struct tmap_error *err)
{
	struct tmap_json placement;

	if (tmap_json_check_kind(doc, kind, err) < 0 ||
	    tmap_json_get(doc, "placement", TMAP_JSON_OBJECT, &placement, err) < 0 ||
	    tmap_json_get_placement(&placement, &job->placement, err) < 0 ||
	    tmap_json_get_plain(doc, "mpi", &job->mpi, err) < 0 ||
	    tmap_json_get_plain(doc, "date", &job->date, err) < 0 ||
	    tmap_json_get_plain(doc, "sync", &job->sync, err) < 0 || clock_get(doc, job, err) < 0 ||
	    off_cache_get(doc, job, err) < 0 || neighborhood_get(doc, job, err) < 0 ||
	    seed_get(doc, job, err) < 0)
		return -1;
	return rounds_get(doc, job, err) < 0 ?
		-1 :
		tmap_json_find_bool(doc, "interrupted", &job->is_interrupted, err);
}
