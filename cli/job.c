#include "cli/job.h"

#include "core/mem.h"
#include "core/seq.h"
#include "formats/json_placement.h"
#include "formats/matrix.h"

#include <stdlib.h>
#include <string.h>

/* Refuses a rank that stands in the list twice. */
static int check_ranks(const int *rank, int count, int size, struct tm_error *err)
{
	bool *seen = tm_alloc((size_t)size, sizeof *seen, err);
	int status = seen ? 0 : -1;

	for (int i = 0; i < count && status == 0; i++) {
		if (seen[rank[i]])
			status = tm_fail(err, TM_INPUT, "rank %d stands in the list twice", rank[i]);
		seen[rank[i]] = true;
	}
	free(seen);
	return status;
}

static int *parse_ranks(const char *text, int size, int *count, struct tm_error *err)
{
	int *rank;

	*count = tm_seq_count(text, err);
	if (*count == 0)
		tm_fail(err, TM_INPUT, "a communicator has at least one rank");
	if (*count < 1)
		return NULL;
	rank = tm_seq_parse(text, *count, size, err);
	if (rank && check_ranks(rank, *count, size, err) < 0) {
		free(rank);
		return NULL;
	}
	return rank;
}

/* Takes the part of the job that the list names, and its part of the matrix. */
static int select_ranks(struct tm_job *job, const char *text, struct tm_error *err)
{
	struct tm_placement part;
	struct tm_matrix matrix;
	int count, *rank = parse_ranks(text, job->placement.size, &count, err);

	if (!rank)
		return tm_wrap(err, "--ranks");
	job->world = rank;
	if (job->is_measured) {
		if (tm_matrix_select(&matrix, &job->matrix, rank, count, err) < 0)
			return -1;
		tm_matrix_fini(&job->matrix);
		job->matrix = matrix;
	}
	if (tm_placement_select(&part, &job->placement, rank, count, err) < 0)
		return -1;
	tm_placement_fini(&job->placement);
	job->placement = part;
	return 0;
}

int tm_job_init(struct tm_job *job, const struct tm_job_args *args, struct tm_error *err)
{
	struct tm_job *made = job;

	*made = (struct tm_job){ .is_measured = args->matrix != NULL };
	if (args->matrix && strcmp(args->matrix, "-") == 0 && strcmp(args->input, "-") == 0)
		return tm_fail(err, TM_USAGE, "the placement and --matrix cannot both be standard "
			       "input");
	if (tm_placement_read_json(&made->placement, args->input, err) < 0)
		return -1;
	if ((args->matrix && tm_matrix_read(&made->matrix, args->matrix, &made->placement,
					    err) < 0) ||
	    (args->ranks && select_ranks(made, args->ranks, err) < 0) ||
	    tm_metric_init(&made->metric, &made->placement,
			   args->matrix ? TM_SCALE_PROCESS : (enum tm_scale)args->scale, err) < 0) {
		tm_job_fini(made);
		return -1;
	}
	return 0;
}

void tm_job_fini(struct tm_job *job)
{
	tm_metric_fini(&job->metric);
	tm_matrix_fini(&job->matrix);
	tm_placement_fini(&job->placement);
	free(job->world);
	*job = (struct tm_job){ 0 };
}

int tm_job_scale(const struct tm_job *job, const struct tm_job_args *args)
{
	return job->is_measured ? TM_NONE : args->scale;
}

const char *tm_job_scale_name(const struct tm_job *job, const struct tm_job_args *args)
{
	return job->is_measured ? "measured" :
	       tm_words_at(&tm_scales, (size_t)args->scale)->name;
}

int tm_job_tree(struct tm_tree *tree, const struct tm_job *job, int root, struct tm_error *err)
{
	return job->is_measured ? tm_matrix_tree(tree, &job->matrix, root, err) :
				  tm_tree_init(tree, &job->metric, root, err);
}

int tm_job_ring(struct tm_ring *ring, const struct tm_job *job, struct tm_error *err)
{
	return job->is_measured ? tm_matrix_ring(ring, &job->matrix, err) :
				  tm_ring_init(ring, &job->metric, err);
}
