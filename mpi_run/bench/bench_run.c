/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/base/mem.h"
#include "formats/base/input.h"
#include "formats/report/times/campaign.h"
#include "mpi_run/bench/bench_grid.h"
#include "mpi_run/bench/bench_text.h"
#include "mpi_run/bench/session.h"
#include "mpi_run/bench/verbs.h"

#include <stdlib.h>
#include <string.h>

struct run_args {
	const char *file;
	int64_t seed;
	struct tmap_grid_args grid;
	struct tmap_bench_args common;
};

static const struct tmap_opt operands[] = {
	{ TMAP_OPERAND_FILE(struct run_args, file, "FILE", NULL,
			    "experiments as CSV, one a line, below the names of its columns: "
			    "collective, algorithm, bytes, mode, root, repetitions"),
	  .required = true },
	TMAP_OPT_END,
};

static const struct tmap_opt options[] = {
	TMAP_OPT_GRID(struct run_args, grid),
	{ TMAP_BENCH_SEED(struct run_args, seed) },
	{ TMAP_BENCH_PLACEMENT(struct run_args) },
	{ TMAP_BENCH_SYNC(struct run_args) },
	{ TMAP_BENCH_OFF_CACHE(struct run_args) },
	{ TMAP_BENCH_REPETITIONS(
		struct run_args,
		"times of each experiment whose line does not say it; without it --seconds and "
		"--precision end it, and 10000 at most") },
	{ TMAP_BENCH_SECONDS(
		struct run_args,
		"end an experiment when so many are used up (1 without --repetitions)") },
	{ TMAP_BENCH_PRECISION(struct run_args, " (2% without --repetitions)") },
	{ TMAP_BENCH_BY_ROUNDS(struct run_args) },
	{ TMAP_BENCH_CHECK(struct run_args) },
	{ TMAP_BENCH_RAW(struct run_args) },
	{ TMAP_BENCH_PROGRESS(struct run_args) },
	{ TMAP_BENCH_FORMAT(struct run_args) },
	{ TMAP_BENCH_OUTPUT(struct run_args) },
	TMAP_OPT_END,
};

static const struct tmap_example examples[] = {
	{ "the experiments of a file, in random order",
	  "mpirun topomap-bench run campaign.csv -o times.json", "it needs an MPI job" },
	{ "the experiments that were measured once, again",
	  "topomap-bench join times.json -f csv -o again.csv; "
	  "mpirun topomap-bench run again.csv -o more.json",
	  "it needs an MPI job" },
	{ NULL, NULL, NULL },
};

struct plan {
	const char *name; /* of the file */
	struct tmap_campaign campaign;
	struct tmap_neighborhood neighborhood; /* of its neighborhood collectives */
	struct tmap_candidates *candidates;    /* [campaign.count], one each */
	struct tmap_repetition_rule rule;      /* of lines that do not say it */
};

static void plan_fini(struct plan *plan)
{
	for (int i = 0; plan->candidates && i < plan->campaign.count; i++)
		tmap_candidates_fini(&plan->candidates[i]);
	free(plan->candidates);
	tmap_neighborhood_fini(&plan->neighborhood);
	tmap_campaign_fini(&plan->campaign);
}

/* Collective: rank 0 reads the file. */
static int campaign_read(struct plan *plan, struct tmap_job *job, const char *path,
			 struct tmap_error *err)
{
	char *text = NULL;
	size_t length = 0;
	int status = 0;

	if (job->rank == 0) {
		status = tmap_input_read_text(path, TMAP_INPUT_MOST_TABLE, &text, err);
		length = text ? strlen(text) : 0;
	}
	status = tmap_job_agree(job, status, err);
	if (status == 0)
		status = tmap_bench_text_spread(job, &text, &length, err);
	if (status == 0 && tmap_campaign_parse(&plan->campaign, text, err) < 0)
		status = tmap_at(err, plan->name, 0);
	free(text);
	return job->broken ? -1 : tmap_job_agree(job, status, err);
}

/* One neighborhood for all lines that have neighbors. */
static int grid_read(struct plan *plan, const struct run_args *args, int size,
		     struct tmap_error *err)
{
	struct tmap_bench_what what = { .collective_count = 1 };

	for (int i = 0; i < plan->campaign.count; i++) {
		enum tmap_collective collective = plan->campaign.line[i].call.collective;

		if (i == 0 || tmap_collective_rows[collective].has_neighbors)
			what.collective[0] = collective;
	}
	return tmap_bench_grid_init(&plan->neighborhood, &args->grid, &what, size, err);
}

/* What it is on these ranks. */
static int line_check(const struct tmap_session *session, const struct plan *plan, int i,
		      struct tmap_error *err)
{
	const struct tmap_experiment *it = &plan->campaign.line[i].call;
	const struct tmap_bench_what what = { .collective_count = 1,
					      .collective = { it->collective },
					      .size_count = 1,
					      .bytes = (int64_t[]){ it->bytes } };
	int size = session->startup->job.size;

	return tmap_root_check(it->root, size, err) < 0 ||
			tmap_bench_what_check(&what, size, err) < 0 ||
			tmap_session_check_all(session, &plan->candidates[i], &what, it->collective,
					       it->root, err) < 0 ?
		-1 :
		0;
}

/* Collective. */
static int line_prepare(struct tmap_session *session, struct plan *plan, int i,
			struct tmap_error *err)
{
	struct tmap_job *job = &session->startup->job;
	const struct tmap_campaign_line *line = &plan->campaign.line[i];
	const char *word = line->call.algorithm;
	int status;

	if (strcmp(word, "all") == 0 || strcmp(word, "native:all") == 0)
		status = tmap_fail(err, TMAP_INPUT, "'%s' is not one algorithm", word);
	else
		status = tmap_session_candidates_add(session, &plan->candidates[i],
						     line->call.collective, &word, 1, err);
	if (status == 0)
		status = tmap_job_agree(job, line_check(session, plan, i, err), err);
	if (status == 0)
		return 0;
	if (err->kind == TMAP_USAGE)
		err->kind = TMAP_INPUT;
	return tmap_at(err, plan->name, line->number);
}

/* A call that stands twice would have two answers. */
static int plan_check_distinct(struct plan *plan, struct tmap_error *err)
{
	const struct tmap_campaign *campaign = &plan->campaign;
	struct tmap_times calls = { .count = campaign->count };
	int *order = NULL, status = 0;

	calls.experiment = tmap_alloc((size_t)campaign->count, sizeof *calls.experiment, err);
	if (!calls.experiment)
		return -1;
	for (int i = 0; i < campaign->count; i++) {
		calls.experiment[i] = campaign->line[i].call;
		calls.experiment[i].algorithm = plan->candidates[i].item[0].name;
	}
	status = tmap_times_sort(&calls, &order, err);
	for (int i = 1; i < campaign->count && status == 0; i++)
		if (tmap_experiment_compare(&calls.experiment[order[i - 1]],
					    &calls.experiment[order[i]]) == 0) {
			tmap_fail(err, TMAP_INPUT, "it is the call of line %d again",
				  campaign->line[order[i - 1]].number);
			status = tmap_at(err, plan->name, campaign->line[order[i]].number);
		}
	free(order);
	free(calls.experiment);
	return status;
}

/* Collective. */
static int plan_prepare(struct plan *plan, struct tmap_session *session, struct tmap_error *err)
{
	struct tmap_job *job = &session->startup->job;
	int status;

	plan->candidates = tmap_alloc((size_t)plan->campaign.count, sizeof *plan->candidates, err);
	status = tmap_job_agree(job, plan->candidates ? 0 : -1, err);
	for (int i = 0; i < plan->campaign.count && status == 0; i++)
		status = line_prepare(session, plan, i, err);
	if (status == 0)
		status = tmap_job_agree(job, plan_check_distinct(plan, err), err);
	return status == 0 ? tmap_session_check_by_rounds(session, err) : -1;
}

/* Collective. */
static int plan_measure(struct plan *plan, struct tmap_session *session, int64_t seed,
			struct tmap_error *err)
{
	int count = plan->campaign.count, *order, status;

	tmap_session_plan(session, count);
	status = tmap_session_order(session, seed, count, &order, err);
	for (int i = 0; i < count && status == 0; i++) {
		const struct tmap_experiment *it = &plan->campaign.line[order[i]].call;

		session->timing.rule = it->repetitions ?
			(struct tmap_repetition_rule){ .repetitions = it->repetitions } :
			plan->rule;
		status = tmap_session_measure(session, &plan->candidates[order[i]].item[0],
					      it->collective, it->bytes, it->root, it->mode, err);
	}
	free(order);
	return status;
}

int tmap_bench_run(struct tmap_startup *startup, const void *data, struct tmap_error *err)
{
	const struct run_args *args = data;
	struct plan plan = { .name = tmap_input_name(args->file), .rule = { 10000, 1, 0.02 } };
	struct tmap_session session;
	struct tmap_job *job = &startup->job;
	int status = tmap_job_agree(job, tmap_bench_rule(&plan.rule, &args->common, err), err);

	if (status == 0)
		status = campaign_read(&plan, job, args->file, err);
	if (status == 0)
		status = tmap_job_agree(job, grid_read(&plan, args, job->size, err), err);
	if (status == 0) {
		status = tmap_session_init(&session, startup, &args->common, &plan.rule, err);
		session.also = TMAP_CANDIDATE_ONE;
		if (status == 0)
			status =
				tmap_bench_grid_use(&session, &plan.neighborhood, &args->grid, err);
		if (status == 0)
			status = plan_prepare(&plan, &session, err);
		if (status == 0)
			status = plan_measure(&plan, &session, args->seed, err);
		status = tmap_session_end(&session, status, err);
		tmap_session_fini(&session);
	}
	plan_fini(&plan);
	return status;
}

/* As of collective: where the file cannot be read yet, nothing speaks against it. */
void tmap_bench_run_prepare(const void *data)
{
	const struct run_args *args = data;
	struct tmap_error ignored;
	char *text = NULL;

	if (!tmap_input_is_file(args->file) ||
	    tmap_input_read_text(args->file, TMAP_INPUT_MOST_TABLE, &text, &ignored) < 0 ||
	    strstr(text, "native:"))
		setenv("OMPI_MCA_coll_tuned_use_dynamic_rules", "1", 0);
	free(text);
}

const struct tmap_command tmap_bench_run_command = {
	.name = "bench-run",
	.invocation = "topomap-bench run",
	.summary = "measure the experiments of a file in random order",
	.description =
		"An MPI program: start it as you start your job. Rank 0 reads a campaign, a line an "
		"experiment, and the ranks measure as topomap-bench collective does; another "
		"launch has another order. What was measured, as CSV, is a campaign, too.",
	.operands = operands,
	.options = options,
	.args_size = sizeof(struct run_args),
	.examples = examples,
};
