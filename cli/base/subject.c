/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/base/subject.h"

#include "cli/base/other_file.h"
#include "core/base/mem.h"
#include "core/base/string.h"
#include "core/base/units.h"
#include "formats/base/amount.h"
#include "formats/machine/json_placement.h"
#include "formats/machine/matrix_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The part of a measured matrix that is the sub-communicator's. */
static int select_matrix(struct tmap_subject *job, const char *comm, struct tmap_error *err)
{
	struct tmap_matrix matrix;
	int count, *rank = tmap_communicator_parse(&count, &job->placement, comm, err), status;

	if (!rank)
		return -1;
	status = tmap_matrix_select(&matrix, &job->matrix, rank, count, err);
	free(rank);
	if (status < 0)
		return -1;
	tmap_matrix_fini(&job->matrix);
	job->matrix = matrix;
	return 0;
}

static int init_metric(struct tmap_metric *metric, const struct tmap_subject *job,
		       struct tmap_error *err)
{
	if (tmap_metric_init(metric, &job->placement, job->scale, err) < 0)
		return -1;
	if (tmap_scale_rows[job->scale].by_profile)
		tmap_metric_set_latencies(metric, &job->profile.profile);
	return 0;
}

static int read_job(struct tmap_subject *job, const struct tmap_subject_args *args,
		    struct tmap_error *err)
{
	if (tmap_placement_operand(&job->placement, args->input, err) < 0 ||
	    tmap_adapters_option(&job->placement, args->adapters, err) < 0 ||
	    tmap_profile_option(&job->profile, args->profile, &job->placement, err) < 0)
		return -1;
	if (args->matrix && tmap_matrix_read(&job->matrix, args->matrix, &job->placement, err) < 0)
		return tmap_refuse_other_file(TMAP_FILE_DISTANCES, err);
	if (args->matrix && args->comm && select_matrix(job, args->comm, err) < 0)
		return -1;
	return tmap_communicator_take(&job->placement, args->comm, err);
}

/* "1,2,3" */
static int parse_distances(const char *text, double *value, int most, int *count,
			   struct tmap_error *err)
{
	for (*count = 0; *count < most; text++) {
		char *end;

		value[*count] = strtod(text, &end);
		if (end == text || (*end && *end != ',') || !isfinite(value[*count]) ||
		    value[*count] < 0)
			return tmap_fail(err, TMAP_USAGE, "'%s' does not begin with a distance",
					 text);
		++*count;
		text = end;
		if (!*text)
			return 0;
	}
	return tmap_fail(err, TMAP_USAGE, "more than %d distances", most);
}

/* Appends "1 2 3 as one", for each distance that ranks have and that others joined. */
static int add_merged(struct tmap_str *note, const struct tmap_metric *apart,
		      const struct tmap_metric *merged, struct tmap_error *err)
{
	int64_t *pairs = tmap_metric_count_pairs(apart, err);
	int count = 0, groups = 0, m = 0;
	struct tmap_str group = TMAP_STR_INIT;

	for (int s = 0; pairs && s < apart->step_count; s++) {
		if (pairs[s]) {
			tmap_str_addf(&group, " %.12g", apart->step[s].value);
			count++;
		}
		if (apart->step[s].value < merged->step[m].value)
			continue;
		if (count > 1 && !group.failed)
			tmap_str_addf(note, "%s%s as one", groups++ ? ", " : "", group.text + 1);
		group.length = 0;
		count = 0;
		m++;
	}
	if (!groups)
		tmap_str_add(note, "none");
	note->failed = note->failed || group.failed;
	tmap_str_fini(&group);
	free(pairs);
	return pairs ? 0 : -1;
}

/* Chooses; *gain becomes "12 us instead of 14 us". */
static int merge_auto(struct tmap_subject *job, const struct tmap_subject_args *args, int root,
		      struct tmap_str *gain, struct tmap_error *err)
{
	char merged[TMAP_SECONDS_ROOM], apart[TMAP_SECONDS_ROOM], bytes[TMAP_UNITS_ROOM];
	struct tmap_merging merging = { 0 };

	if (root == TMAP_NONE)
		return tmap_fail(err, TMAP_USAGE,
				 "'auto' is for trees; for a ring name the distances");
	if (args->bytes == TMAP_NONE)
		return tmap_fail(err, TMAP_USAGE, "'auto' needs the size of the message: --bytes");
	if (tmap_merging_choose(&merging, &job->metric, &job->process, root, &job->profile.profile,
				args->bytes, args->chunk, err) < 0)
		return -1;
	tmap_metric_drop(&job->metric, merging.drop);
	tmap_str_addf(gain, " (messages of %s: %s instead of %s)",
		      tmap_units_print_bytes(args->bytes, bytes),
		      tmap_seconds_print(merging.merged.seconds, merged),
		      tmap_seconds_print(merging.apart.seconds, apart));
	tmap_merging_fini(&merging);
	return 0;
}

static int merge_listed(struct tmap_subject *job, const char *text, struct tmap_error *err)
{
	double value[64];
	int count;

	if (parse_distances(text, value, 64, &count, err) < 0)
		return -1;
	return tmap_metric_merge(&job->metric, value, count, err);
}

static int merge(struct tmap_subject *job, const struct tmap_subject_args *args, int root,
		 struct tmap_error *err)
{
	struct tmap_str note = TMAP_STR_INIT, gain = TMAP_STR_INIT;
	int status;

	if (job->is_measured)
		return tmap_fail(err, TMAP_USAGE,
				 "measured distances do not nest, so they cannot be "
				 "merged");
	status = strcmp(args->merge, "auto") == 0 ? merge_auto(job, args, root, &gain, err) :
						    merge_listed(job, args->merge, err);
	job->is_merged = true;
	tmap_str_add(&note, "merged distances: ");
	if (status == 0)
		status = add_merged(&note, &job->apart, &job->metric, err);
	if (gain.length)
		tmap_str_add(&note, gain.text);
	note.failed = note.failed || gain.failed;
	tmap_str_fini(&gain);
	if (status < 0) {
		tmap_str_fini(&note);
		return -1;
	}
	job->note = tmap_str_take(&note, err);
	return job->note ? 0 : -1;
}

/* No option is ignored in silence. */
static int check(const struct tmap_subject_args *args, struct tmap_error *err)
{
	if (args->matrix && strcmp(args->matrix, "-") == 0 && strcmp(args->input, "-") == 0)
		return tmap_fail(err, TMAP_USAGE,
				 "the placement and --matrix cannot both be standard "
				 "input");
	if (args->matrix && args->scale != 0)
		return tmap_fail(err, TMAP_USAGE,
				 "--scale and --matrix cannot be combined: a matrix "
				 "has distances of its own");
	if (args->chunk > 0 && args->bytes == TMAP_NONE)
		return tmap_fail(err, TMAP_USAGE, "--chunk needs the size of the message: --bytes");
	return 0;
}

int tmap_subject_init(struct tmap_subject *job, const struct tmap_subject_args *args, int root,
		      struct tmap_error *err)
{
	*job = (struct tmap_subject){ .is_measured = args->matrix != NULL,
				      .scale = args->matrix ? TMAP_SCALE_MEASURED :
							      (enum tmap_scale)args->scale };
	if (check(args, err) < 0)
		return -1;
	if (read_job(job, args, err) < 0 ||
	    tmap_metric_init(&job->process, &job->placement, TMAP_SCALE_PROCESS, err) < 0 ||
	    init_metric(&job->apart, job, err) < 0 || init_metric(&job->metric, job, err) < 0)
		return -1;
	if (args->merge && merge(job, args, root, err) < 0)
		return tmap_wrap(err, "--merge");
	return 0;
}

void tmap_subject_fini(struct tmap_subject *job)
{
	tmap_metric_fini(&job->process);
	tmap_metric_fini(&job->apart);
	tmap_metric_fini(&job->metric);
	tmap_matrix_fini(&job->matrix);
	tmap_placement_fini(&job->placement);
	tmap_profile_request_fini(&job->profile);
	free(job->note);
	*job = (struct tmap_subject){ 0 };
}

int tmap_subject_tree(struct tmap_tree *tree, const struct tmap_subject *job, int root,
		      struct tmap_error *err)
{
	if (job->is_measured)
		return tmap_matrix_tree(tree, &job->matrix, root, err);
	if (tmap_tree_init(tree, &job->metric, root, err) < 0)
		return -1;
	if (job->is_merged)
		tmap_tree_set_distances(tree, &job->apart);
	return 0;
}

int tmap_subject_ring(struct tmap_ring *ring, const struct tmap_subject *job,
		      struct tmap_error *err)
{
	if (job->is_measured)
		return tmap_matrix_ring(ring, &job->matrix, err);
	if (tmap_ring_init(ring, &job->metric, err) < 0)
		return -1;
	if (job->is_merged)
		tmap_ring_set_distances(ring, &job->apart);
	return 0;
}

int tmap_subject_shape_tree(struct tmap_tree *tree, const struct tmap_subject *job,
			    const struct tmap_spec *choice, int root, struct tmap_error *err)
{
	if (tmap_shape_tree(tree, choice, &job->apart, root, err) < 0)
		return -1;
	if (job->is_measured)
		tmap_matrix_set_tree(tree, &job->matrix);
	return 0;
}

int tmap_subject_shape_ring(struct tmap_ring *ring, const struct tmap_subject *job,
			    const struct tmap_spec *choice, struct tmap_error *err)
{
	if (tmap_shape_ring(ring, choice, &job->apart, err) < 0)
		return -1;
	if (job->is_measured)
		tmap_matrix_set_ring(ring, &job->matrix);
	return 0;
}
