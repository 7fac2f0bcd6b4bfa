/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/measure/measured.h"

#include "core/base/mem.h"
#include "core/base/string.h"
#include "core/base/units.h"
#include "core/guidelines/guidelines.h"

#include <stdlib.h>
#include <string.h>

#define NATIVE "native"

static int compare_rows(const void *a, const void *b)
{
	const struct tmap_measured_row *left = a, *right = b;
	bool counts_left = left->is_own && left->is_predicted;
	bool counts_right = right->is_own && right->is_predicted;
	double x = left->experiment->seconds.median, y = right->experiment->seconds.median;

	if (counts_left != counts_right)
		return counts_left ? -1 : 1;
	return x < y  ? -1 :
		x > y ? 1 :
			strcmp(left->experiment->algorithm, right->experiment->algorithm);
}

/* What an experiment is predicted as: what the library takes by itself, or its name. */
static int row_name(struct tmap_measured_row *row, const struct tmap_times *times,
		    const struct tmap_score_request *request, struct tmap_error *err)
{
	const char *name = row->experiment->algorithm;
	int library = tmap_library_of(times->mpi);
	struct tmap_library_choice choice;
	struct tmap_order order;

	row->is_own = tmap_experiment_is_own(row->experiment);
	if (strncmp(name, TMAP_MOCKUP, strlen(TMAP_MOCKUP)) == 0)
		return 0; /* several collectives, predicted by topomap guidelines */
	if (tmap_experiment_native_name(row->experiment))
		name = tmap_experiment_native_name(row->experiment);
	if (strcmp(name, NATIVE) == 0) {
		if (library == TMAP_NONE)
			return 0;
		if (tmap_order_find(&order, &times->placement, err) < 0)
			return -1;
		choice = tmap_library_choose(library,
					     &(struct tmap_library_call){ request->collective,
									  times->placement.size,
									  row->experiment->bytes, 0,
									  request->root, &order });
		if (!choice.algorithm[0])
			return 0;
		row->algorithm = tmap_strdup(choice.algorithm, err);
	} else {
		row->algorithm = tmap_strdup(name, err);
	}
	return row->algorithm ? 0 : -1;
}

/* The prediction of one name, at one size. */
static int row_predict(struct tmap_measured_row *row, const struct tmap_placement *placement,
		       const struct tmap_score_request *request, struct tmap_error *err)
{
	const char *const name[] = { row->algorithm };
	struct tmap_score_request one = *request;
	struct tmap_score score;

	if (!row->algorithm)
		return 0;
	one.bytes = row->experiment->bytes;
	one.algorithm = name;
	one.algorithm_count = 1;
	one.defaults = TMAP_SCORE_DEFAULTS_NONE;
	if (tmap_score_init(&score, placement, &one, err) < 0)
		return tmap_wrap(err, "'%.60s'", row->experiment->algorithm);
	row->is_predicted = score.applicable == 1;
	row->seconds = row->is_predicted ? score.row[0].seconds : 0;
	tmap_score_fini(&score);
	return 0;
}

/* As topomap-bench calibrate judges what it measures. */
static int agreement_find(struct tmap_agreement *agreement, const double *predicted,
			  const double *measured, const struct tmap_measured_interval *interval,
			  int count, struct tmap_error *err)
{
	double rho;

	if (tmap_agreement_init(agreement, predicted, measured, interval, count, err) < 0 ||
	    tmap_agreement_even(&rho, predicted, measured, interval, count, err) < 0)
		return -1;
	agreement->has_rho = agreement->has_rho &&
		!tmap_agreement_is_even(measured, interval, count);
	agreement->rho = agreement->has_rho ? rho : 0;
	return 0;
}

/* The library's, if it is known to be faster than the best of ours. */
static int faster_find(const struct tmap_measured_size *size)
{
	const struct tmap_experiment *best = size->row[size->agreement.best].experiment;
	int fastest = TMAP_NONE;

	for (int i = size->own_count; i < size->count; i++) {
		const struct tmap_experiment *it = size->row[i].experiment;

		if (tmap_experiment_is_native(it) && it->is_correct && it->seconds.median > 0 &&
		    tmap_experiment_high(it) < tmap_experiment_low(best) &&
		    (fastest == TMAP_NONE ||
		     it->seconds.median < size->row[fastest].experiment->seconds.median))
			fastest = i;
	}
	return fastest;
}

static int size_agree(struct tmap_measured_size *size, struct tmap_error *err)
{
	double *time = tmap_alloc_raw((size_t)size->count, 2 * sizeof *time, err);
	struct tmap_measured_interval *interval =
		time ? tmap_alloc((size_t)size->count, sizeof *interval, err) : NULL;
	double *predicted = time, *measured = time ? time + size->count : NULL;
	int status = interval ? 0 : -1;

	qsort(size->row, (size_t)size->count, sizeof *size->row, compare_rows);
	for (int i = 0; i < size->count && status == 0; i++) {
		const struct tmap_measured_row *row = &size->row[i];

		/* what takes no time cannot be told apart */
		if (!row->is_own || !row->is_predicted || row->seconds <= 0 ||
		    row->experiment->seconds.median <= 0)
			break;
		predicted[i] = row->seconds;
		measured[i] = row->experiment->seconds.median;
		interval[i] = (struct tmap_measured_interval){ row->experiment->seconds.low,
							       row->experiment->seconds.high };
		size->own_count++;
	}
	if (status == 0 && size->own_count)
		status = agreement_find(&size->agreement, predicted, measured, interval,
					size->own_count, err);
	size->faster = status == 0 && size->own_count ? faster_find(size) : TMAP_NONE;
	free(interval);
	free(time);
	return status;
}

static bool is_asked(const struct tmap_experiment *it, const struct tmap_score_request *request)
{
	return it->collective == request->collective && it->root == request->root &&
		it->mode == TMAP_BLOCKING &&
		(request->bytes == TMAP_NONE || it->bytes == request->bytes);
}

/* The experiments in order: those of one size are next to each other. */
static int measured_collect(struct tmap_measured *measured, const struct tmap_times *times,
			    const int *order, const struct tmap_placement *placement,
			    const struct tmap_score_request *request, struct tmap_error *err)
{
	for (int i = 0; i < times->count; i++) {
		const struct tmap_experiment *it = &times->experiment[order[i]];
		struct tmap_measured_size *size;
		struct tmap_measured_row *row;

		if (!is_asked(it, request))
			continue;
		if (!measured->count || measured->size[measured->count - 1].bytes != it->bytes)
			measured->size[measured->count++] = (struct tmap_measured_size){
				.bytes = it->bytes, .row = &measured->row[measured->row_count]
			};
		size = &measured->size[measured->count - 1];
		row = &size->row[size->count++];
		measured->row_count++;
		row->experiment = it;
		if (row_name(row, times, request, err) < 0 ||
		    row_predict(row, placement, request, err) < 0)
			return -1;
	}
	for (int s = 0; s < measured->count; s++)
		if (size_agree(&measured->size[s], err) < 0)
			return -1;
	return 0;
}

static bool is_subject(const struct tmap_experiment *it)
{
	return it->collective != TMAP_COLLECTIVE_COUNT && it->mode == TMAP_BLOCKING;
}

/* The least size above this one; TMAP_NONE if there is none. A barrier has no size. */
static int64_t size_next(const struct tmap_times *times, int64_t above)
{
	int64_t next = TMAP_NONE;

	for (int i = 0; i < times->count; i++) {
		const struct tmap_experiment *it = &times->experiment[i];

		if (is_subject(it) && it->collective != TMAP_BARRIER && it->bytes > above &&
		    (next == TMAP_NONE || it->bytes < next))
			next = it->bytes;
	}
	return next;
}

/* "no blocking collective of this size was measured, but of 8, 1KiB and others" */
static int refuse_size(const struct tmap_times *times, int64_t bytes, struct tmap_error *err)
{
	enum { MOST_SIZES = 8 };
	struct tmap_str str = TMAP_STR_INIT;
	int64_t size = size_next(times, -1);
	char room[TMAP_UNITS_ROOM], *found;

	if (bytes == TMAP_NONE)
		return tmap_fail(err, TMAP_INPUT, "no blocking collective was measured");
	for (int i = 0; i < MOST_SIZES && size != TMAP_NONE; i++, size = size_next(times, size))
		tmap_str_addf(&str, "%s%s", i ? ", " : ", but of ",
			      tmap_units_print_size(size, room));
	if (size != TMAP_NONE)
		tmap_str_add(&str, " and others");
	found = tmap_str_take(&str, err);
	if (!found)
		return -1;
	tmap_fail(err, TMAP_INPUT, "no blocking collective of this size was measured%s", found);
	free(found);
	return -1;
}

int tmap_measured_subjects(const struct tmap_times *times, int64_t bytes,
			   struct tmap_measured_subject **subject, int *count,
			   struct tmap_error *err)
{
	struct tmap_measured_subject *made = tmap_alloc((size_t)times->count, sizeof *made, err);
	int made_count = 0, *order = NULL;

	if (!made || tmap_times_sort(times, &order, err) < 0) {
		free(made);
		return -1;
	}
	for (int i = 0; i < times->count; i++) {
		const struct tmap_experiment *it = &times->experiment[order[i]];
		const struct tmap_measured_subject *last = made_count ? &made[made_count - 1] :
									NULL;

		if (!is_subject(it) || (bytes != TMAP_NONE && it->bytes != bytes))
			continue;
		if (!last || last->collective != it->collective || last->root != it->root)
			made[made_count++] =
				(struct tmap_measured_subject){ it->collective, it->root };
	}
	free(order);
	if (!made_count) {
		free(made);
		return refuse_size(times, bytes, err);
	}
	*subject = made;
	*count = made_count;
	return 0;
}

/* What there is instead: "... of this size and root was measured, but of 8 B (root 0), 1KiB (root 3)". */
static int refuse_none(const struct tmap_times *times, const struct tmap_score_request *request,
		       struct tmap_error *err)
{
	enum { MOST_SIZES = 8 };
	const char *name = tmap_collective_rows[request->collective].word.name;
	struct tmap_str str = TMAP_STR_INIT;
	const struct tmap_experiment *last = NULL;
	int *order, sizes = 0;
	char bytes[TMAP_UNITS_ROOM], *found;

	if (tmap_times_sort(times, &order, err) < 0)
		return -1;
	for (int i = 0; i < times->count; i++) {
		const struct tmap_experiment *it = &times->experiment[order[i]];

		if (it->collective != request->collective || it->mode != TMAP_BLOCKING ||
		    (last && last->bytes == it->bytes && last->root == it->root))
			continue;
		last = it;
		if (++sizes > MOST_SIZES)
			continue;
		tmap_str_addf(&str, "%s%s", sizes > 1 ? ", " : "",
			      tmap_units_print_size(it->bytes, bytes));
		if (it->root || request->root)
			tmap_str_addf(&str, " (root %d)", it->root);
	}
	free(order);
	if (sizes > MOST_SIZES)
		tmap_str_addf(&str, " and %d more", sizes - MOST_SIZES);
	found = tmap_str_take(&str, err);
	if (!found)
		return -1;
	if (sizes)
		tmap_fail(err, TMAP_INPUT,
			  "no blocking %s of this size and root was measured, but of %s", name,
			  found);
	else
		tmap_fail(err, TMAP_INPUT, "no blocking %s was measured", name);
	free(found);
	return -1;
}

int tmap_measured_init(struct tmap_measured *measured, const struct tmap_times *times,
		       const struct tmap_placement *placement,
		       const struct tmap_score_request *request, struct tmap_error *err)
{
	struct tmap_measured made = { .times = times,
				      .collective = request->collective,
				      .root = request->root,
				      .ranks = placement->size,
				      .profile = request->profile };
	int *order = NULL, status;

	if (times->placement.size != placement->size)
		return tmap_fail(err, TMAP_INPUT, "%d ranks were measured, the placement has %d",
				 times->placement.size, placement->size);
	made.size = tmap_alloc((size_t)times->count, sizeof *made.size, err);
	made.row = tmap_alloc((size_t)times->count, sizeof *made.row, err);
	status = made.size && made.row ? tmap_times_sort(times, &order, err) : -1;
	if (status == 0)
		status = measured_collect(&made, times, order, placement, request, err);
	free(order);
	if (status == 0 && !made.count)
		status = refuse_none(times, request, err);
	if (status == 0)
		*measured = made;
	else
		tmap_measured_fini(&made);
	return status;
}

void tmap_measured_fini(struct tmap_measured *measured)
{
	for (int i = 0; i < measured->row_count; i++)
		free(measured->row[i].algorithm);
	free(measured->row);
	free(measured->size);
	*measured = (struct tmap_measured){ 0 };
}

bool tmap_measured_runs_ahead(const struct tmap_measured *measured, int count)
{
	if (measured->times->by_rounds || !measured->times->says_rounds)
		return false;
	for (int i = 0; i < count; i++)
		for (int s = 0; s < measured[i].count; s++)
			if (measured[i].size[s].own_count &&
			    !tmap_collective_rows[measured[i].collective].has_neighbors)
				return true;
	return false;
}
