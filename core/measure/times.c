/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/measure/times.h"

#include "core/base/mem.h"
#include "core/base/sum.h"
#include "core/guidelines/guidelines.h"
#include "core/lint/compare.h"
#include "core/measure/left_out.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const struct tmap_keyword modes[] = {
	[TMAP_BLOCKING] = { "blocking",
			    "MPI_Allgather; a schedule that is kept, begun and waited for" },
	[TMAP_NONBLOCKING] = { "nonblocking",
			       "MPI_Iallgather and MPI_Wait; a schedule that is kept, begun and tested "
			       "until it ends" },
	[TMAP_PERSISTENT] = { "persistent",
			      "MPI_Allgather_init, then MPI_Start and MPI_Wait; a schedule that is kept "
			      "with its requests" },
	[TMAP_NAIVE] = { "naive", "topomap's alone: a schedule that is made anew in each call" },
	[TMAP_SCHEDULE] = { "schedule",
			    "topomap's alone: a schedule that is kept, whose datatypes and "
			    "requests are made anew in each call" },
	[TMAP_MODES] = { NULL, NULL },
};

const struct tmap_keywords tmap_modes = TMAP_KEYWORDS("mode", modes);

static const struct tmap_keyword syncs[] = {
	[TMAP_SYNC_BARRIER] = { "barrier", "a dissemination barrier over point-to-point" },
	[TMAP_SYNC_CLOCK] = { "clock",
			      "a common clock shows an agreed time; whom it finds late makes a "
			      "repetition that does not count" },
	[TMAP_SYNC_SLICES] = { "slices",
			       "the same, with the next time agreed on when the last repetition is "
			       "over everywhere: as many as fit in --seconds" },
	[TMAP_SYNC_SLICES + 1] = { NULL, NULL },
};

const struct tmap_keywords tmap_syncs = TMAP_KEYWORDS("synchronization", syncs);

void tmap_experiment_fini(struct tmap_experiment *experiment)
{
	free(experiment->algorithm);
	free(experiment->run);
	free(experiment->box);
	free(experiment->raw);
	*experiment = (struct tmap_experiment){ 0 };
}

void tmap_times_fini(struct tmap_times *times)
{
	for (int i = 0; i < times->count; i++)
		tmap_experiment_fini(&times->experiment[i]);
	for (int i = 0; i < times->left_out_count; i++)
		tmap_left_out_fini(&times->left_out[i]);
	free(times->left_out);
	free(times->experiment);
	free(times->mpi);
	free(times->date);
	free(times->sync);
	free(times->seeds);
	free(times->neighborhood.stencil);
	free(times->neighborhood.cart);
	free(times->neighborhood.periods);
	free(times->neighborhood.order);
	tmap_placement_fini(&times->placement);
	*times = (struct tmap_times){ 0 };
}

int tmap_times_add_take(struct tmap_times *times, struct tmap_experiment *experiment,
			struct tmap_error *err)
{
	if (tmap_grow(&times->experiment, &times->capacity, (size_t)times->count + 1,
		      sizeof *times->experiment, err) < 0)
		return -1;
	times->experiment[times->count++] = *experiment;
	*experiment = (struct tmap_experiment){ 0 };
	return 0;
}

const char *tmap_experiment_call(const struct tmap_experiment *experiment)
{
	return experiment->on.call == TMAP_NO_VIRTUAL ?
		tmap_collective_rows[experiment->collective].word.name :
		tmap_virtual_call_rows[experiment->on.call].word.name;
}

int tmap_experiment_compare(const struct tmap_experiment *a, const struct tmap_experiment *b)
{
	int on;

	if (a->collective != b->collective)
		return a->collective < b->collective ? -1 : 1;
	on = tmap_virtual_key_compare(&a->on, &b->on);
	if (on)
		return on;
	if (a->root != b->root)
		return a->root < b->root ? -1 : 1;
	if (a->bytes != b->bytes)
		return a->bytes < b->bytes ? -1 : 1;
	if (a->mode != b->mode)
		return a->mode < b->mode ? -1 : 1;
	return strcmp(a->algorithm, b->algorithm);
}

bool tmap_experiment_is_native(const struct tmap_experiment *experiment)
{
	static const char native[] = "native";

	return strncmp(experiment->algorithm, native, strlen(native)) == 0;
}

const char *tmap_experiment_native_name(const struct tmap_experiment *experiment)
{
	static const char native[] = "native:";

	return strncmp(experiment->algorithm, native, strlen(native)) == 0 ?
		experiment->algorithm + strlen(native) :
		NULL;
}

bool tmap_experiment_is_own(const struct tmap_experiment *experiment)
{
	return !tmap_experiment_is_native(experiment) &&
		strncmp(experiment->algorithm, TMAP_MOCKUP, strlen(TMAP_MOCKUP)) != 0;
}

double tmap_experiment_low(const struct tmap_experiment *experiment)
{
	return experiment->seconds.has_interval ? experiment->seconds.low : experiment->seconds.min;
}

double tmap_experiment_high(const struct tmap_experiment *experiment)
{
	return experiment->seconds.has_interval ? experiment->seconds.high :
						  experiment->seconds.max;
}

bool tmap_times_have_own(const struct tmap_times *times)
{
	for (int i = 0; i < times->count; i++)
		if (tmap_experiment_is_own(&times->experiment[i]))
			return true;
	return false;
}

bool tmap_times_differ_by_rounds(const struct tmap_times *a, const struct tmap_times *b)
{
	return a->by_rounds != b->by_rounds && tmap_times_have_own(a) && tmap_times_have_own(b);
}

static int compare_by_place(const void *a, const void *b, void *experiments)
{
	const struct tmap_experiment *experiment = experiments;
	int left = *(const int *)a, right = *(const int *)b;
	int order = tmap_experiment_compare(&experiment[left], &experiment[right]);

	return order ? order : (left > right) - (left < right);
}

int tmap_times_sort(const struct tmap_times *times, int **order, struct tmap_error *err)
{
	int *made = tmap_alloc_raw((size_t)times->count, sizeof *made, err);

	if (!made)
		return -1;
	for (int i = 0; i < times->count; i++)
		made[i] = i;
	qsort_r(made, (size_t)times->count, sizeof *made, compare_by_place, times->experiment);
	*order = made;
	return 0;
}

static int text_check_same(const char *what, const char *ours, const char *other,
			   struct tmap_error *err)
{
	return strcmp(ours, other) == 0 ?
		0 :
		tmap_fail(err, TMAP_INPUT, "its %s is '%.100s', not '%.100s' as before", what,
			  other, ours);
}

/* "2x3x4" has 3. */
static int cart_dimensions(const char *cart)
{
	int count = 1;

	for (; *cart; cart++)
		count += *cart == 'x';
	return count;
}

int tmap_times_check_neighbors(const struct tmap_times_neighborhood *ours,
			       const struct tmap_times_neighborhood *other, bool same_grid,
			       struct tmap_error *err)
{
	const char *const word[][3] = { { "stencil", ours->stencil, other->stencil },
					{ "cart", ours->cart, other->cart },
					{ "periods", ours->periods, other->periods },
					{ "order", ours->order, other->order } };

	if (!ours->stencil || !other->stencil)
		return 0;
	for (size_t i = 0; i < sizeof word / sizeof *word; i++) {
		const char *before = word[i][1] ? word[i][1] : "none";
		const char *now = word[i][2] ? word[i][2] : "none";

		if (!same_grid && strcmp(word[i][0], "cart") == 0 && word[i][1] && word[i][2] &&
		    cart_dimensions(before) == cart_dimensions(now))
			continue;
		if (strcmp(before, now) != 0)
			return tmap_fail(err, TMAP_INPUT,
					 "the %s of its neighborhood is %.100s, not %.100s as "
					 "before",
					 word[i][0], now, before);
	}
	return 0;
}

/* Are these of the same job, but for the launch? */
static int join_check(const struct tmap_times *times, const struct tmap_times *other,
		      struct tmap_error *err)
{
	struct tmap_comparison comparison;
	int64_t moved;

	if (times->placement.size != other->placement.size)
		return tmap_fail(err, TMAP_INPUT, "it is of %d ranks, not of %d as before",
				 other->placement.size, times->placement.size);
	if (times->off_cache != other->off_cache)
		return tmap_fail(err, TMAP_INPUT, "its off_cache is %lld bytes, not %lld as before",
				 (long long)other->off_cache, (long long)times->off_cache);
	if (tmap_times_differ_by_rounds(times, other))
		return tmap_fail(err, TMAP_INPUT,
				 "one was measured by rounds and the other was not: they cannot be "
				 "added");
	if (tmap_times_check_neighbors(&times->neighborhood, &other->neighborhood, true, err) < 0)
		return -1;
	if (text_check_same("MPI library", times->mpi, other->mpi, err) < 0 ||
	    text_check_same("sync", times->sync, other->sync, err) < 0 ||
	    tmap_comparison_init(&comparison, &times->placement, &other->placement,
				 TMAP_SCALE_PROCESS, err) < 0)
		return -1;
	moved = tmap_comparison_moved(&comparison) + comparison.closer + comparison.further;
	tmap_comparison_fini(&comparison);
	return moved ? tmap_fail(err, TMAP_INPUT, "its ranks are placed otherwise than before") : 0;
}

/* Beyond any number of launches that somebody makes. */
enum { MOST_RUNS_COMPARED = 10000000 };

/* Are all runs of the other one among these? */
static bool runs_have(const struct tmap_experiment *experiment, const struct tmap_experiment *other)
{
	if (experiment->run_count > MOST_RUNS_COMPARED / other->run_count)
		return false;
	for (int j = 0, i = 0; j < other->run_count; j++) {
		for (i = 0; i < experiment->run_count && experiment->run[i] != other->run[j]; i++)
			;
		if (i == experiment->run_count)
			return false;
	}
	return true;
}

/* Is the first launch of the other one among those of these, as far as seeds say? */
static bool has_seed_of(const struct tmap_times *times, const struct tmap_times *other)
{
	bool is_there = times->has_seed && times->seed == other->seed;

	for (int i = 0; i < times->seed_count && !is_there; i++)
		is_there = times->seeds[i] == other->seed;
	return is_there && other->has_seed;
}

static int seed_add(struct tmap_times *times, int64_t seed, struct tmap_error *err)
{
	if (tmap_grow(&times->seeds, &times->seed_capacity, (size_t)times->seed_count + 1,
		      sizeof *times->seeds, err) < 0)
		return -1;
	times->seeds[times->seed_count++] = seed;
	return 0;
}

static int seeds_join(struct tmap_times *times, const struct tmap_times *other,
		      struct tmap_error *err)
{
	int status = 0;

	if (!times->seeds && times->has_seed)
		status = seed_add(times, times->seed, err);
	if (!other->seeds && other->has_seed && status == 0)
		status = seed_add(times, other->seed, err);
	for (int i = 0; i < other->seed_count && status == 0; i++)
		status = seed_add(times, other->seeds[i], err);
	return status;
}

/* Two launches do not take the same times in all calls. A launch that counts twice would make
 * differences look sure that are not. @p ours and @p theirs: the experiments in order. */
static int launches_check(const struct tmap_times *times, const int *ours,
			  const struct tmap_times *other, const int *theirs, struct tmap_error *err)
{
	bool is_same = has_seed_of(times, other);
	int shared = 0;

	for (int i = 0, j = 0; i < times->count && j < other->count;) {
		const struct tmap_experiment *a = &times->experiment[ours[i]];
		const struct tmap_experiment *b = &other->experiment[theirs[j]];
		int order = tmap_experiment_compare(a, b);

		if (order == 0 && !runs_have(a, b))
			return 0;
		shared += order == 0;
		i += order <= 0;
		j += order >= 0;
	}
	return shared >= (is_same ? 1 : 4) ?
		tmap_fail(err, TMAP_INPUT,
			  "all its times are there already: it is of the same launch") :
		0;
}

/* What is of one launch alone. */
static void losses_add(struct tmap_join_losses *lost, const struct tmap_experiment *experiment)
{
	lost->raw = lost->raw || experiment->raw;
	for (int way = 0; way < TMAP_LIKES; way++)
		lost->like = lost->like || experiment->like[way].repetitions;
}

static void experiment_forget_launch(struct tmap_experiment *experiment)
{
	free(experiment->raw);
	experiment->raw = NULL;
	memset(experiment->like, 0, sizeof experiment->like);
}

bool tmap_experiment_box(const struct tmap_experiment *experiment, int run, struct tmap_box *box)
{
	const struct tmap_sample_statistics *it = &experiment->seconds;

	if (!experiment->box && experiment->run_count > 1)
		return false;
	*box = experiment->box ? experiment->box[run] :
				 (struct tmap_box){ it->min, it->q1, it->median, it->q3, it->max };
	return true;
}

/* *boxes = those of the launches of both, or NULL where some are not known; @p other may be NULL. */
static int boxes_join(struct tmap_box **boxes, const struct tmap_experiment *experiment,
		      const struct tmap_experiment *other, struct tmap_error *err)
{
	int first = experiment->run_count, count = first + (other ? other->run_count : 0);
	struct tmap_box *made = tmap_alloc_raw((size_t)count, sizeof *made, err);

	*boxes = NULL;
	if (!made)
		return -1;
	for (int i = 0; i < count; i++)
		if (!tmap_experiment_box(i < first ? experiment : other, i < first ? i : i - first,
					 &made[i])) {
			free(made);
			return 0;
		}
	*boxes = made;
	return 0;
}

static int experiment_copy(struct tmap_experiment *copy, const struct tmap_experiment *from,
			   struct tmap_error *err)
{
	*copy = *from;
	copy->raw = NULL;
	copy->box = NULL;
	memset(copy->like, 0, sizeof copy->like);
	copy->algorithm = tmap_strdup(from->algorithm, err);
	copy->run = tmap_alloc_raw((size_t)from->run_count, sizeof *copy->run, err);
	if (copy->algorithm && copy->run && boxes_join(&copy->box, from, NULL, err) == 0) {
		memcpy(copy->run, from->run, (size_t)from->run_count * sizeof *copy->run);
		return 0;
	}
	tmap_experiment_fini(copy);
	return -1;
}

static int experiment_join(struct tmap_experiment *experiment, const struct tmap_experiment *other,
			   struct tmap_error *err)
{
	int count;
	double *run;
	struct tmap_box *box;

	if (__builtin_add_overflow(experiment->run_count, other->run_count, &count))
		return tmap_fail(err, TMAP_INPUT, "the most runs of an experiment are %d", INT_MAX);
	run = tmap_alloc_raw((size_t)count, sizeof *run, err);
	if (!run)
		return -1;
	memcpy(run, experiment->run, (size_t)experiment->run_count * sizeof *run);
	memcpy(run + experiment->run_count, other->run, (size_t)other->run_count * sizeof *run);
	if (boxes_join(&box, experiment, other, err) < 0 ||
	    tmap_sample_statistics_init(&experiment->seconds, run, (size_t)count, err) < 0) {
		free(box);
		free(run);
		return -1;
	}
	free(experiment->run);
	free(experiment->box);
	experiment->box = box;
	experiment->run = run;
	experiment->run_count = count;
	tmap_sum_add(&experiment->repetitions, other->repetitions);
	experiment->is_correct = experiment->is_correct && other->is_correct;
	return 0;
}

static void clock_join(struct tmap_clock_use *clock, const struct tmap_clock_use *other)
{
	clock->clocks = other->clocks > clock->clocks ? other->clocks : clock->clocks;
	if (other->uncertainty_s > clock->uncertainty_s)
		clock->uncertainty_s = other->uncertainty_s;
	tmap_sum_add(&clock->late, other->late);
}

/* Those of the library alone say nothing of rounds, and go with either way. */
static void rounds_join(struct tmap_times *times, const struct tmap_times *other)
{
	if (!tmap_times_have_own(other))
		return;
	times->says_rounds = other->says_rounds &&
		(times->says_rounds || !tmap_times_have_own(times));
	times->by_rounds = other->by_rounds;
}

static int word_copy(char **copy, const char *word, struct tmap_error *err)
{
	*copy = word ? tmap_strdup(word, err) : NULL;
	return word && !*copy ? -1 : 0;
}

/* Whatever the other one measured on neighbors stays with them. */
static int neighborhood_join(struct tmap_times *times, const struct tmap_times *other,
			     struct tmap_error *err)
{
	struct tmap_times_neighborhood *it = &times->neighborhood;
	const struct tmap_times_neighborhood *from = &other->neighborhood;

	if (it->stencil || !from->stencil)
		return 0;
	return word_copy(&it->stencil, from->stencil, err) < 0 ||
			word_copy(&it->cart, from->cart, err) < 0 ||
			word_copy(&it->periods, from->periods, err) < 0 ||
			word_copy(&it->order, from->order, err) < 0 ?
		-1 :
		0;
}

/* Both in order, as two sorted lists are merged. */
int tmap_times_join(struct tmap_times *times, const struct tmap_times *other,
		    struct tmap_error *err)
{
	int *ours = NULL, *theirs = NULL, count = times->count, status;

	status = join_check(times, other, err);
	if (status == 0)
		times->is_interrupted |= other->is_interrupted;
	if (status == 0)
		status = tmap_times_sort(times, &ours, err);
	if (status == 0)
		status = tmap_times_sort(other, &theirs, err);
	if (status == 0)
		status = launches_check(times, ours, other, theirs, err);
	if (status == 0)
		rounds_join(times, other);
	if (status == 0)
		status = neighborhood_join(times, other, err);
	for (int i = 0; i < count && status == 0; i++) {
		losses_add(&times->lost, &times->experiment[i]);
		experiment_forget_launch(&times->experiment[i]);
	}
	for (int i = 0, j = 0; j < other->count && status == 0; j++) {
		const struct tmap_experiment *from = &other->experiment[theirs[j]];
		struct tmap_experiment copy;
		int order = 1;

		losses_add(&times->lost, from);
		while (i < count &&
		       (order = tmap_experiment_compare(&times->experiment[ours[i]], from)) < 0)
			i++;
		if (i < count && order == 0) {
			status = experiment_join(&times->experiment[ours[i]], from, err);
		} else {
			status = experiment_copy(&copy, from, err);
			if (status == 0 && tmap_times_add_take(times, &copy, err) < 0) {
				tmap_experiment_fini(&copy);
				status = -1;
			}
		}
	}
	free(ours);
	free(theirs);
	if (status == 0)
		status = tmap_left_out_join(times, other, err);
	if (status == 0)
		status = seeds_join(times, other, err);
	if (status == 0)
		clock_join(&times->clock, &other->clock);
	return status;
}
