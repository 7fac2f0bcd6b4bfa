/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/measure/calibration_check.h"

#include "core/base/mem.h"
#include "core/base/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_BYTES INT64_C(64)
#define MOST_BYTES (INT64_C(1) << 20)

/* Calls of an algorithm that there must be time for: some are looked at and not timed. */
enum { CALLS = 8, TRIES = 6 };

/* What is slower than so many times the best is of no interest, and would take the time of all. */
static const double slowest = 10;

/* Of algorithms that are predicted closer to one another two are measured. */
static const double alike = 1.001;

static const enum tmap_collective checked[TMAP_CHECK_COLLECTIVES] = {
	TMAP_ALLGATHER, TMAP_ALLREDUCE, TMAP_BCAST, TMAP_ALLTOALL, TMAP_REDUCE_SCATTER
};

static void case_fini(struct tmap_check_case *it)
{
	for (int i = 0; i < it->count; i++)
		free(it->row[i].algorithm);
	*it = (struct tmap_check_case){ 0 };
}

void tmap_check_fini(struct tmap_check *check)
{
	for (int i = 0; i < check->count; i++)
		case_fini(&check->item[i]);
	check->count = 0;
}

void tmap_check_remove_row(struct tmap_check_case *it, int i)
{
	free(it->row[i].algorithm);
	memmove(&it->row[i], &it->row[i + 1], (size_t)(--it->count - i) * sizeof *it->row);
}

int64_t tmap_check_most_bytes(enum tmap_collective collective, int ranks, int64_t memory_bytes)
{
	/* what a rank sends and what it receives, in sizes of the call */
	int64_t sizes = collective == TMAP_ALLTOALL ? 2 * (int64_t)ranks :
		collective == TMAP_ALLGATHER        ? 1 + (int64_t)ranks :
						      2;

	return memory_bytes / sizes;
}

/* The rows of a score that may be measured, by prediction: at most two of those that are alike. */
static int rows_list(const struct tmap_score *score, int *list)
{
	int count = 0;

	for (int i = 0; i < score->applicable; i++) {
		double seconds = score->row[i].seconds;

		if (count && seconds > slowest * score->row[list[0]].seconds)
			break;
		if (!(seconds > 0)) /* what takes no time cannot be told apart */
			continue;
		if (count >= 2 && seconds <= alike * score->row[list[count - 2]].seconds)
			continue;
		list[count++] = i;
	}
	return count;
}

/* Of @p count rows those that are measured: the best, and of each third of the others one. */
static int rows_choose(int *list, int count, struct tmap_random *random)
{
	int others = count - TMAP_CHECK_BEST;

	if (others <= TMAP_CHECK_OTHERS)
		return count;
	for (int k = 0; k < TMAP_CHECK_OTHERS; k++) {
		int begin = k * others / TMAP_CHECK_OTHERS;
		int end = (k + 1) * others / TMAP_CHECK_OTHERS;
		int at = begin + (int)tmap_random_below(random, (uint64_t)(end - begin));

		list[TMAP_CHECK_BEST + k] = list[TMAP_CHECK_BEST + at];
	}
	return TMAP_CHECK_ROWS;
}

static int case_fill(struct tmap_check_case *it, const struct tmap_score *score,
		     struct tmap_random *random, struct tmap_error *err)
{
	int *list = tmap_alloc((size_t)score->count + 1, sizeof *list, err);
	int count;

	*it = (struct tmap_check_case){ .collective = score->collective, .bytes = score->bytes };
	if (!list)
		return -1;
	count = rows_choose(list, rows_list(score, list), random);
	for (int i = 0; i < count; i++) {
		const struct tmap_score_row *row = &score->row[list[i]];
		char *name = tmap_strdup(row->name, err);

		if (!name)
			break;
		it->row[it->count++] =
			(struct tmap_check_row){ .algorithm = name, .predicted_s = row->seconds };
	}
	free(list);
	if (it->count == count)
		return 0;
	case_fini(it);
	return -1;
}

/* What measuring a case takes at least. */
static double case_seconds(const struct tmap_check_case *it)
{
	double seconds = 0;

	for (int i = 0; i < it->count; i++)
		seconds += CALLS * it->row[i].predicted_s;
	return seconds;
}

/* The scores of one collective, size after size. */
struct asker {
	const struct tmap_placement *placement;
	struct tmap_score_request request;
	struct tmap_score score;
	struct tmap_random random;
	bool is_begun;
};

static int asker_ask(struct asker *it, int64_t bytes, struct tmap_check_case *found,
		     struct tmap_error *err)
{
	const struct tmap_collective_row *row = &tmap_collective_rows[it->request.collective];
	struct tmap_random random = it->random; /* the same choice at each size that is tried */
	int status;

	it->request.bytes = bytes;
	if (row->reduces && row->cuts_vector)
		it->request.element = tmap_library_element(it->request.collective, bytes);
	if (it->is_begun) {
		it->score.element = it->request.element;
		status = tmap_score_again(&it->score, &it->request, err);
	} else {
		status = tmap_score_init(&it->score, it->placement, &it->request, err);
		it->is_begun = status == 0;
	}
	return status < 0 ? -1 : case_fill(found, &it->score, &random, err);
}

/* *most = the largest size of a collective that there is time for, which is not above it. */
static int most_find(struct asker *it, double seconds, int64_t *most, struct tmap_error *err)
{
	for (int i = 0; i<TRIES && * most> LEAST_BYTES; i++) {
		struct tmap_check_case found;
		double takes;

		if (asker_ask(it, *most, &found, err) < 0)
			return -1;
		takes = case_seconds(&found);
		case_fini(&found);
		if (takes <= seconds)
			break;
		/* as if it were all bytes, so that it is not less than what fits */
		*most = (int64_t)((double)*most * fmax(seconds / takes, 1.0 / 64));
	}
	if (*most < LEAST_BYTES)
		*most = LEAST_BYTES;
	return 0;
}

/* One of each quarter of the sizes, in multiples of 8. */
static int64_t size_at(struct tmap_random *random, int64_t most, int k)
{
	double at = (double)tmap_random_below(random, 1 << 20) / (1 << 20);
	double bytes =
		(double)LEAST_BYTES * pow((double)most / LEAST_BYTES, (k + at) / TMAP_CHECK_SIZES);

	return (int64_t)(bytes / 8) * 8;
}

static int collective_plan(struct tmap_check *check, struct asker *it, double seconds, int64_t most,
			   struct tmap_error *err)
{
	int64_t before = 0;

	if (most < LEAST_BYTES)
		return 0;
	if (most_find(it, 2 * seconds / TMAP_CHECK_CASES, &most, err) < 0)
		return -1;
	for (int k = 0; k < TMAP_CHECK_SIZES; k++) {
		struct tmap_check_case *next = &check->item[check->count];
		int64_t bytes = size_at(&it->random, most, k);

		if (bytes == before)
			continue;
		before = bytes;
		if (asker_ask(it, bytes, next, err) < 0)
			return -1;
		if (next->count < 2)
			case_fini(next);
		else
			check->count++;
	}
	return 0;
}

int tmap_check_plan(struct tmap_check *check, const struct tmap_placement *placement,
		    const struct tmap_check_request *request, struct tmap_error *err)
{
	struct tmap_check made = { 0 };
	int status = 0;

	for (int c = 0; c < TMAP_CHECK_COLLECTIVES && status == 0 && placement->size > 1; c++) {
		struct asker it = { .placement = placement,
				    .request = { .collective = checked[c],
						 .profile = request->profile,
						 .defaults = TMAP_SCORE_DEFAULTS_NONE },
				    .random = { .state = request->seed ^ (uint64_t)c } };
		int64_t most =
			tmap_check_most_bytes(checked[c], placement->size, request->memory_bytes);

		status = collective_plan(&made, &it, request->seconds,
					 most < MOST_BYTES ? most : MOST_BYTES, err);
		if (it.is_begun)
			tmap_score_fini(&it.score);
	}
	if (status == 0)
		*check = made;
	else
		tmap_check_fini(&made);
	return status;
}

/* All algorithms of all cases that count, the predicted ones first. */
static void check_collect(const struct tmap_check *check, double *predicted, double *measured)
{
	int at = 0;

	for (int c = 0; c < check->count; c++) {
		const struct tmap_check_case *it = &check->item[c];

		for (int i = 0; i < it->count && it->counts; i++) {
			predicted[at] = it->row[i].predicted_s;
			measured[at++] = it->row[i].measured_s;
		}
	}
}

static int case_judge(struct tmap_check_case *it, struct tmap_error *err)
{
	double predicted[TMAP_CHECK_ROWS], measured[TMAP_CHECK_ROWS];
	struct tmap_measured_interval interval[TMAP_CHECK_ROWS];
	struct tmap_agreement agreement;

	it->counts = it->count >= 2;
	for (int i = 0; i < it->count; i++) {
		predicted[i] = it->row[i].predicted_s;
		measured[i] = it->row[i].measured_s;
		interval[i] = it->row[i].interval;
		it->counts = it->counts && measured[i] > 0;
	}
	if (!it->counts)
		return 0;
	if (tmap_agreement_init(&agreement, predicted, measured, interval, it->count, err) < 0 ||
	    tmap_agreement_even(&it->rho, predicted, measured, interval, it->count, err) < 0)
		return -1;
	/* of algorithms that are all alike no order is right or wrong */
	it->has_rho = it->count >= 3 && !tmap_agreement_is_even(measured, interval, it->count);
	it->first = agreement.first_choice;
	it->best = agreement.best;
	it->is_tied = agreement.is_tied;
	it->regret = agreement.regret;
	it->ratio = agreement.ratio;
	return 0;
}

/* What a case adds to the verdict, in which sums and logarithms stand for means. */
static void verdict_add(struct tmap_check_verdict *verdict, const struct tmap_check_case *it, int c)
{
	verdict->cases++;
	verdict->algorithms += it->count;
	if (it->has_rho) {
		verdict->rho_cases++;
		verdict->rho += it->rho;
	}
	verdict->regret += log(it->regret);
	verdict->near += it->regret <= TMAP_CHECK_NEAR;
	verdict->tied += it->regret > TMAP_CHECK_NEAR && it->is_tied;
	verdict->ratio = fmax(verdict->ratio, it->ratio);
	for (int i = 0; i < it->count; i++)
		verdict->drifting += it->row[i].drift > TMAP_CHECK_DRIFT;
	if (it->regret > verdict->worst_regret) {
		verdict->worst_regret = it->regret;
		verdict->worst = c;
	}
}

static int verdict_all(struct tmap_check_verdict *verdict, const struct tmap_check *check,
		       struct tmap_error *err)
{
	double *time = tmap_alloc_raw((size_t)verdict->algorithms, 2 * sizeof *time, err);
	int status = -1;

	if (time) {
		check_collect(check, time, time + verdict->algorithms);
		status = tmap_agreement_even(&verdict->rho_all, time, time + verdict->algorithms,
					     NULL, verdict->algorithms, err);
	}
	free(time);
	return status;
}

int tmap_check_judge(struct tmap_check *check, struct tmap_check_verdict *verdict,
		     struct tmap_error *err)
{
	struct tmap_check_verdict made = { .worst = TMAP_NONE };

	for (int c = 0; c < check->count; c++) {
		if (case_judge(&check->item[c], err) < 0)
			return -1;
		if (check->item[c].counts)
			verdict_add(&made, &check->item[c], c);
	}
	if (made.cases) {
		made.regret = exp(made.regret / made.cases);
		made.rho = made.rho_cases ? made.rho / made.rho_cases : 0;
		if (verdict_all(&made, check, err) < 0)
			return -1;
	}
	*verdict = made;
	return 0;
}
