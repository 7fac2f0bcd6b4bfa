#include "cli/base/job.h"

#include "cli/base/subset.h"
#include "core/base/mem.h"
#include "core/base/string.h"
#include "core/base/units.h"
#include "formats/machine/json_placement.h"
#include "formats/machine/matrix_read.h"
#include "formats/report/baseline/text_versus.h"
#include "formats/base/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Takes the part of the job that the list names, and its part of the matrix. */
static int select_ranks(struct tm_job *job, const char *text, struct tm_error *err)
{
	struct tm_matrix matrix;

	if (tm_subset_take(&job->placement, &job->world, text, err) < 0)
		return -1;
	if (!job->is_measured)
		return 0;
	if (tm_matrix_select(&matrix, &job->matrix, job->world, job->placement.size, err) < 0)
		return -1;
	tm_matrix_fini(&job->matrix);
	job->matrix = matrix;
	return 0;
}

static const struct tm_word scale_rows[] = {
	[TM_JOB_PROCESS] = { "process", "1 shared cache ... 6 other board, 7 other node, 8 ..." },
	[TM_JOB_LEVEL] = { "level", "how many levels, network included, have different objects" },
	[TM_JOB_LATENCY] = { "latency", "seconds that a small message takes, by the profile" },
	{ NULL, NULL },
};

const struct tm_words tm_job_scales = TM_WORDS("scale", scale_rows);

/* The distances on the scale; those of a measured job are process distances here. */
static int init_metric(struct tm_metric *metric, const struct tm_job *job, int scale,
		       struct tm_error *err)
{
	bool levels = scale == TM_JOB_LEVEL && !job->is_measured;

	if (tm_metric_init(metric, &job->placement, levels ? TM_SCALE_LEVEL : TM_SCALE_PROCESS,
			   err) < 0)
		return -1;
	if (scale == TM_JOB_LATENCY && !job->is_measured)
		tm_metric_set_latencies(metric, &job->profile.profile);
	return 0;
}

static int read_job(struct tm_job *job, const struct tm_job_args *args, struct tm_error *err)
{
	if (tm_profile_choose(&job->profile, args->profile, err) < 0)
		return tm_wrap(err, "--profile");
	if (tm_placement_read_json(&job->placement, args->input, err) < 0)
		return -1;
	if (args->matrix && tm_matrix_read(&job->matrix, args->matrix, &job->placement, err) < 0)
		return -1;
	return args->ranks ? select_ranks(job, args->ranks, err) : 0;
}

/* "1,2,3" */
static int parse_distances(const char *text, double *value, int most, int *count,
			   struct tm_error *err)
{
	for (*count = 0; *count < most; text++) {
		char *end;

		value[*count] = strtod(text, &end);
		if (end == text || (*end && *end != ',') || !isfinite(value[*count]) ||
		    value[*count] < 0)
			return tm_fail(err, TM_USAGE, "'%s' does not begin with a distance", text);
		++*count;
		text = end;
		if (!*text)
			return 0;
	}
	return tm_fail(err, TM_USAGE, "more than %d distances", most);
}

/* Appends "1 2 3 as one", for each distance that ranks have and that others joined. */
static int add_merged(struct tm_str *note, const struct tm_metric *apart,
		      const struct tm_metric *merged, struct tm_error *err)
{
	int64_t *pairs = tm_metric_count_pairs(apart, err);
	int count = 0, groups = 0, m = 0;
	struct tm_str group = TM_STR_INIT;

	for (int s = 0; pairs && s < apart->step_count; s++) {
		if (pairs[s]) {
			tm_str_addf(&group, " %.12g", apart->step[s].value);
			count++;
		}
		if (apart->step[s].value < merged->step[m].value)
			continue;
		if (count > 1 && !group.failed)
			tm_str_addf(note, "%s%s as one", groups++ ? ", " : "", group.text + 1);
		group.length = 0;
		count = 0;
		m++;
	}
	if (!groups)
		tm_str_add(note, "none");
	note->failed = note->failed || group.failed;
	tm_str_fini(&group);
	free(pairs);
	return pairs ? 0 : -1;
}

/* Chooses; *gain becomes "12 us instead of 14 us". */
static int merge_auto(struct tm_job *job, const struct tm_job_args *args, int root,
		      struct tm_str *gain, struct tm_error *err)
{
	char merged[TM_SECONDS_ROOM], apart[TM_SECONDS_ROOM], bytes[TM_UNITS_ROOM];
	struct tm_merging merging = { 0 };

	if (root == TM_NONE)
		return tm_fail(err, TM_USAGE, "'auto' is for trees: name the distances of a ring");
	if (args->bytes == TM_NONE)
		return tm_fail(err, TM_USAGE, "'auto' needs the size of the message: --bytes");
	if (tm_merging_choose(&merging, &job->metric, &job->process, root, &job->profile.profile,
			      args->bytes, args->chunk, err) < 0)
		return -1;
	tm_metric_drop(&job->metric, merging.drop);
	tm_str_addf(gain, " (messages of %s: %s instead of %s)",
		    tm_units_print_bytes(args->bytes, bytes),
		    tm_text_seconds(merging.merged.seconds, merged),
		    tm_text_seconds(merging.apart.seconds, apart));
	tm_merging_fini(&merging);
	return 0;
}

static int merge_listed(struct tm_job *job, const char *text, struct tm_error *err)
{
	double value[64];
	int count;

	if (parse_distances(text, value, 64, &count, err) < 0)
		return -1;
	return tm_metric_merge(&job->metric, value, count, err);
}

static int merge(struct tm_job *job, const struct tm_job_args *args, int root,
		 struct tm_error *err)
{
	struct tm_str note = TM_STR_INIT, gain = TM_STR_INIT;
	int status;

	if (job->is_measured)
		return tm_fail(err, TM_USAGE, "measured distances do not nest, so they cannot be "
			       "merged");
	status = strcmp(args->merge, "auto") == 0 ? merge_auto(job, args, root, &gain, err) :
		 merge_listed(job, args->merge, err);
	job->is_merged = true;
	tm_str_add(&note, "merged distances: ");
	if (status == 0)
		status = add_merged(&note, &job->apart, &job->metric, err);
	if (gain.length)
		tm_str_add(&note, gain.text);
	note.failed = note.failed || gain.failed;
	tm_str_fini(&gain);
	if (status < 0) {
		tm_str_fini(&note);
		return -1;
	}
	job->note = tm_str_take(&note, err);
	return job->note ? 0 : -1;
}

/* No option is ignored in silence. */
static int check(const struct tm_job_args *args, struct tm_error *err)
{
	if (args->matrix && strcmp(args->matrix, "-") == 0 && strcmp(args->input, "-") == 0)
		return tm_fail(err, TM_USAGE, "the placement and --matrix cannot both be standard "
			       "input");
	if (args->matrix && args->scale != 0)
		return tm_fail(err, TM_USAGE, "--scale and --matrix cannot be combined: a matrix "
			       "has distances of its own");
	if (args->chunk > 0 && args->bytes == TM_NONE)
		return tm_fail(err, TM_USAGE, "--chunk needs the size of the message: --bytes");
	return 0;
}

int tm_job_init(struct tm_job *job, const struct tm_job_args *args, int root, struct tm_error *err)
{
	*job = (struct tm_job){ .is_measured = args->matrix != NULL };
	if (check(args, err) < 0)
		return -1;
	if (read_job(job, args, err) < 0 ||
	    tm_metric_init(&job->process, &job->placement, TM_SCALE_PROCESS, err) < 0 ||
	    init_metric(&job->apart, job, args->scale, err) < 0 ||
	    init_metric(&job->metric, job, args->scale, err) < 0)
		return -1;
	if (args->merge && merge(job, args, root, err) < 0)
		return tm_wrap(err, "--merge");
	return 0;
}

void tm_job_fini(struct tm_job *job)
{
	tm_metric_fini(&job->process);
	tm_metric_fini(&job->apart);
	tm_metric_fini(&job->metric);
	tm_matrix_fini(&job->matrix);
	tm_placement_fini(&job->placement);
	tm_profile_choice_fini(&job->profile);
	free(job->world);
	free(job->note);
	*job = (struct tm_job){ 0 };
}

int tm_job_view_scale(const struct tm_job *job, const struct tm_job_args *args)
{
	static const int scale[] = { TM_SCALE_PROCESS, TM_SCALE_LEVEL, TM_LATENCIES };

	return job->is_measured ? TM_NONE : scale[args->scale];
}

const char *tm_job_scale_name(const struct tm_job *job, const struct tm_job_args *args)
{
	return job->is_measured ? "measured" : scale_rows[args->scale].name;
}

int tm_job_tree(struct tm_tree *tree, const struct tm_job *job, int root, struct tm_error *err)
{
	if (job->is_measured)
		return tm_matrix_tree(tree, &job->matrix, root, err);
	if (tm_tree_init(tree, &job->metric, root, err) < 0)
		return -1;
	if (job->is_merged)
		tm_tree_set_distances(tree, &job->apart);
	return 0;
}

int tm_job_ring(struct tm_ring *ring, const struct tm_job *job, struct tm_error *err)
{
	if (job->is_measured)
		return tm_matrix_ring(ring, &job->matrix, err);
	if (tm_ring_init(ring, &job->metric, err) < 0)
		return -1;
	if (job->is_merged)
		tm_ring_set_distances(ring, &job->apart);
	return 0;
}

int tm_job_shape_tree(struct tm_tree *tree, const struct tm_job *job,
		      const struct tm_choice *choice, int root, struct tm_error *err)
{
	if (tm_shape_tree(tree, choice, &job->apart, root, err) < 0)
		return -1;
	if (job->is_measured)
		tm_matrix_set_tree(tree, &job->matrix);
	return 0;
}

int tm_job_shape_ring(struct tm_ring *ring, const struct tm_job *job,
		      const struct tm_choice *choice, struct tm_error *err)
{
	if (tm_shape_ring(ring, choice, &job->apart, err) < 0)
		return -1;
	if (job->is_measured)
		tm_matrix_set_ring(ring, &job->matrix);
	return 0;
}
