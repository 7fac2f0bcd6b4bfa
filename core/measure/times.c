/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/measure/times.h"

#include "core/base/mem.h"
#include "core/base/sum.h"
#include "core/lint/compare.h"

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

void tmap_experiment_fini(struct tmap_experiment *experiment)
{
	free(experiment->algorithm);
	free(experiment->run);
	free(experiment->raw);
	*experiment = (struct tmap_experiment){ 0 };
}

void tmap_times_fini(struct tmap_times *times)
{
	for (int i = 0; i < times->count; i++)
		tmap_experiment_fini(&times->experiment[i]);
	free(times->experiment);
	free(times->mpi);
	free(times->date);
	free(times->sync);
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

int tmap_experiment_compare(const struct tmap_experiment *a, const struct tmap_experiment *b)
{
	if (a->collective != b->collective)
		return a->collective < b->collective ? -1 : 1;
	if (a->root != b->root)
		return a->root < b->root ? -1 : 1;
	if (a->bytes != b->bytes)
		return a->bytes < b->bytes ? -1 : 1;
	if (a->mode != b->mode)
		return a->mode < b->mode ? -1 : 1;
	return strcmp(a->algorithm, b->algorithm);
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

/* Are these of the same job, but for the launch? */
static int join_check(const struct tmap_times *times, const struct tmap_times *other,
		      struct tmap_error *err)
{
	struct tmap_comparison comparison;
	int64_t moved;

	if (times->placement.size != other->placement.size)
		return tmap_fail(err, TMAP_INPUT, "it is of %d ranks, not of %d as before",
				 other->placement.size, times->placement.size);
	if (text_check_same("MPI library", times->mpi, other->mpi, err) < 0 ||
	    text_check_same("sync", times->sync, other->sync, err) < 0 ||
	    tmap_comparison_init(&comparison, &times->placement, &other->placement,
				 TMAP_SCALE_PROCESS, err) < 0)
		return -1;
	moved = tmap_comparison_moved(&comparison) + comparison.closer + comparison.further;
	tmap_comparison_fini(&comparison);
	return moved ? tmap_fail(err, TMAP_INPUT, "its ranks are placed otherwise than before") : 0;
}

static int experiment_copy(struct tmap_experiment *copy, const struct tmap_experiment *from,
			   struct tmap_error *err)
{
	*copy = *from;
	copy->raw = NULL;
	copy->algorithm = tmap_strdup(from->algorithm, err);
	copy->run = tmap_alloc_raw((size_t)from->run_count, sizeof *copy->run, err);
	if (copy->algorithm && copy->run) {
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

	if (__builtin_add_overflow(experiment->run_count, other->run_count, &count))
		return tmap_fail(err, TMAP_INPUT, "the most runs of an experiment are %d", INT_MAX);
	run = tmap_alloc_raw((size_t)count, sizeof *run, err);
	if (!run)
		return -1;
	memcpy(run, experiment->run, (size_t)experiment->run_count * sizeof *run);
	memcpy(run + experiment->run_count, other->run, (size_t)other->run_count * sizeof *run);
	if (tmap_sample_statistics_init(&experiment->seconds, run, (size_t)count, err) < 0) {
		free(run);
		return -1;
	}
	free(experiment->run);
	free(experiment->raw);
	experiment->run = run;
	experiment->raw = NULL;
	experiment->run_count = count;
	tmap_sum_add(&experiment->repetitions, other->repetitions);
	experiment->is_correct = experiment->is_correct && other->is_correct;
	return 0;
}

/* Both in order, as two sorted lists are merged. */
int tmap_times_join(struct tmap_times *times, const struct tmap_times *other,
		    struct tmap_error *err)
{
	int *ours = NULL, *theirs = NULL, count = times->count, status;

	status = join_check(times, other, err);
	if (status == 0)
		status = tmap_times_sort(times, &ours, err);
	if (status == 0)
		status = tmap_times_sort(other, &theirs, err);
	for (int i = 0, j = 0; j < other->count && status == 0; j++) {
		const struct tmap_experiment *from = &other->experiment[theirs[j]];
		struct tmap_experiment copy;
		int order = 1;

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
	return status;
}
