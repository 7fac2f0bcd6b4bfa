/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/base/mem.h"
#include "core/base/series.h"
#include "core/base/units.h"
#include "formats/base/format.h"
#include "mpi_run/bench/bench_place.h"
#include "mpi_run/bench/times_write.h"
#include "mpi_run/bench/timing.h"
#include "mpi_run/bench/verbs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct collective_args {
	struct tmap_opt_list collectives, algorithms;
	const char *sizes, *modes, *placement, *seconds, *precision, *output;
	int64_t repetitions;
	int root, format;
	bool check, raw, progress;
};

static const struct tmap_opt options[] = {
	{ TMAP_OPT_LIST(struct collective_args, collectives, 'c', "collective", "COLLECTIVE",
			"collective operation; several may be given"),
	  .required = true },
	{ TMAP_OPT_STRING(
		struct collective_args, sizes, 'b', "bytes", "SIZES", NULL,
		"sizes as MPI counts them: of a rank's block, or of the whole vector if it "
		"is broadcast or reduced: \"8,1KiB,64KiB\", \"1..1MiB\" (doubling) or "
		"\"1..1MiB*4\"; none for a barrier") },
	{ TMAP_OPT_LIST(
		  struct collective_args, algorithms, 'a', "algorithm", "ALGORITHM",
		  "an algorithm of topomap score, with parameters; native: the library's own; "
		  "native:NAME, native:all: that algorithm of the library, or all that can be "
		  "chosen; all: everything; several may be given"),
	  .required = true },
	{ TMAP_OPT_STRING(struct collective_args, modes, 'm', "mode", "LIST", "blocking",
			  "blocking, nonblocking, persistent: how it is called") },
	{ TMAP_OPT_INT(struct collective_args, root, 'r', "root", "RANK", "0", 0, INT_MAX,
		       "where data starts or ends, of collectives with a root") },
	{ TMAP_OPT_FILE(struct collective_args, placement, 0, "placement", "FILE", NULL,
			"the ranks' places are those of this document, and not probed") },
	{ TMAP_OPT_INT64(
		struct collective_args, repetitions, 'i', "repetitions", "N", NULL, 1, INT_MAX,
		"times of each experiment; without it --seconds and --precision end it, and "
		"10000 at most") },
	{ TMAP_OPT_STRING(struct collective_args, seconds, 't', "seconds", "SECONDS", NULL,
			  "end an experiment when so many are used up (1 without --repetitions)") },
	{ TMAP_OPT_STRING(struct collective_args, precision, 0, "precision", "PERCENT", NULL,
			  "end it when the confidence interval of the median is no longer than this "
			  "part of the median (2% without --repetitions)") },
	{ TMAP_OPT_FLAG(struct collective_args, check, 0, "check",
			"look at the result of every repetition, not only of the first call") },
	{ TMAP_OPT_FLAG(struct collective_args, raw, 0, "raw",
			"keep the time of every repetition in the JSON document") },
	{ TMAP_OPT_FLAG(struct collective_args, progress, 0, "progress",
			"say on standard error what is measured, also where that is no terminal") },
	{ TMAP_OPT_FORMAT(struct collective_args, format, "text",
			  TMAP_FORMATS(TEXT) | TMAP_FORMATS(JSON) | TMAP_FORMATS(CSV)) },
	{ TMAP_OPT_OUTPUT(struct collective_args, output) },
	TMAP_OPT_END,
};

static const struct tmap_example examples[] = {
	{ "all algorithms of allgather from 8 bytes to 64 KiB a rank, as a document",
	  "mpirun topomap-bench collective -c allgather -b 8..64KiB*8 -a all -o times.json",
	  "it needs an MPI job" },
	{ "the library's broadcast beside two of topomap's",
	  "mpirun topomap-bench collective -c bcast -b 1MiB -a native -a binomial_near "
	  "-a distance_tree",
	  "it needs an MPI job" },
	{ "100 repetitions of each, every result looked at",
	  "srun -n 64 topomap-bench collective -c allreduce -b 8 -a all -i 100 --check",
	  "it needs an MPI job" },
	{ NULL, NULL, NULL },
};

/* What the words of the command line are; the same at all ranks. */
struct request {
	int collective_count;
	enum tmap_collective collective[TMAP_COLLECTIVE_COUNT];
	int size_count;
	int64_t *bytes; /* [size_count] */
	int mode_count;
	enum tmap_mode mode[TMAP_PERSISTENT + 1];
	struct tmap_repetition_rule rule;
};

/* A positive number, with that unit at its end or none. */
static int number_parse(const char *text, const char *unit, double *number, struct tmap_error *err)
{
	char *end;

	*number = strtod(text, &end);
	if (end != text && *number > 0 && *number < 1e9 && (!*end || strcmp(end, unit) == 0))
		return 0;
	return tmap_fail(err, TMAP_USAGE, "'%s' is no positive number", text);
}

static int rule_read(struct tmap_repetition_rule *rule, const struct collective_args *args,
		     struct tmap_error *err)
{
	bool is_free = args->repetitions == TMAP_NONE;
	double percent;

	*rule = (struct tmap_repetition_rule){ .repetitions = is_free ? 10000 : args->repetitions,
					       .seconds = is_free ? 1 : 0,
					       .precision = is_free ? 0.02 : 0 };
	if (args->seconds && number_parse(args->seconds, "s", &rule->seconds, err) < 0)
		return tmap_wrap(err, "--seconds");
	if (!args->precision)
		return 0;
	if (number_parse(args->precision, "%", &percent, err) < 0)
		return tmap_wrap(err, "--precision");
	rule->precision = percent / 100;
	return 0;
}

static int collectives_read(struct request *request, const struct collective_args *args,
			    struct tmap_error *err)
{
	bool is_sized = false;

	for (size_t i = 0; i < args->collectives.count; i++) {
		int row = tmap_keywords_find(&tmap_collectives, args->collectives.items[i], err);
		bool is_there = false;

		if (row == TMAP_NONE) {
			err->kind = TMAP_USAGE;
			return tmap_wrap(err, "--collective");
		}
		if (tmap_collective_rows[row].has_neighbors)
			return tmap_fail(
				err, TMAP_USAGE,
				"--collective: %s is not measured: there is no grid of ranks "
				"here",
				tmap_collective_rows[row].word.name);
		for (int k = 0; k < request->collective_count; k++)
			is_there = is_there || (int)request->collective[k] == row;
		if (!is_there)
			request->collective[request->collective_count++] =
				(enum tmap_collective)row;
		is_sized = is_sized || row != TMAP_BARRIER;
	}
	if (is_sized != (args->sizes != NULL))
		return tmap_fail(err, TMAP_USAGE,
				 is_sized ? "--bytes is missing" : "a barrier has no --bytes");
	if (args->sizes &&
	    tmap_series_parse(args->sizes, 0, INT64_MAX, &request->bytes, &request->size_count,
			      err) < 0)
		return tmap_wrap(err, "--bytes");
	return 0;
}

static int modes_read(struct request *request, const char *list, struct tmap_error *err)
{
	char word[32];

	for (const char *at = list; *at;) {
		size_t length = strcspn(at, ",");
		int row;
		bool is_there = false;

		snprintf(word, sizeof word, "%.*s", (int)(length < 31 ? length : 31), at);
		row = tmap_keywords_find(&tmap_modes, word, err);
		if (row == TMAP_NONE) {
			err->kind = TMAP_USAGE;
			return tmap_wrap(err, "--mode");
		}
		for (int k = 0; k < request->mode_count; k++)
			is_there = is_there || (int)request->mode[k] == row;
		if (!is_there)
			request->mode[request->mode_count++] = (enum tmap_mode)row;
		at += length + (at[length] == ',');
	}
	return request->mode_count ? 0 : tmap_fail(err, TMAP_USAGE, "--mode: it names none");
}

static int request_read(struct request *request, const struct collective_args *args, int size,
			struct tmap_error *err)
{
	if (collectives_read(request, args, err) < 0 || modes_read(request, args->modes, err) < 0 ||
	    rule_read(&request->rule, args, err) < 0)
		return -1;
	if (tmap_root_check(args->root, size, err) < 0)
		return tmap_wrap(err, "--root");
	return 0;
}

/* A measurement under way. */
struct bench {
	struct tmap_startup *startup;
	const struct collective_args *args;
	struct request request;
	struct tmap_metric metric;
	struct tmap_order order;
	char *library; /* its name and version */
	struct tmap_channel channel;
	struct tmap_timing timing;
	struct tmap_times times;    /* on rank 0; the placement on all */
	struct tmap_error left_out; /* why the last call that could not be made was not */
	bool has_left_out, speaks;
	int done, wrong; /* experiments */
	char first_wrong[256];
};

static bool is_rank_0(const struct bench *bench)
{
	return bench->startup->job.rank == 0;
}

/* Rank 0 says why something is not measured that nobody has named. */
static void note_left_out(struct bench *bench, const char *collective, const char *what,
			  const struct tmap_error *err)
{
	bench->left_out = *err;
	bench->has_left_out = true;
	if (is_rank_0(bench) && bench->speaks)
		fprintf(stderr, "%s: left out: %s %s: %s\n", bench->startup->program, collective,
			what, err->text);
}

static void note_wrong(struct bench *bench, const struct tmap_experiment *it,
		       const struct tmap_wrong *wrong)
{
	char size[TMAP_UNITS_ROOM];

	if (wrong->rank == TMAP_NONE || bench->wrong++ > 0)
		return;
	snprintf(bench->first_wrong, sizeof bench->first_wrong,
		 "the result of %s %s (%s, %s) is wrong at rank %d: block %lld, byte %lld",
		 tmap_collective_rows[it->collective].word.name, it->algorithm,
		 tmap_keywords_at(&tmap_modes, it->mode)->name,
		 tmap_units_print_bytes(it->bytes, size), wrong->rank,
		 (long long)wrong->fault.block, (long long)wrong->fault.byte);
}

static void note_progress(const struct bench *bench, const struct tmap_experiment *it)
{
	char size[TMAP_UNITS_ROOM];

	if (is_rank_0(bench) && bench->speaks)
		fprintf(stderr, "%s: %d: %s %s, %s, %s\n", bench->startup->program, bench->done,
			tmap_collective_rows[it->collective].word.name, it->algorithm,
			tmap_keywords_at(&tmap_modes, it->mode)->name,
			tmap_units_print_bytes(it->bytes, size));
}

/* Collective. */
static int experiment_run(struct bench *bench, const struct tmap_candidate *candidate,
			  const struct tmap_call *call, enum tmap_mode mode, struct tmap_error *err)
{
	struct tmap_job *job = &bench->startup->job;
	struct tmap_experiment it = {
		.collective = tmap_call_algorithm(call)->collective,
		.mode = mode,
		.bytes = call->bytes,
		.root = call->root,
	};
	struct tmap_bench_subject subject;
	struct tmap_wrong wrong;
	int status;

	it.algorithm = tmap_strdup(candidate->name, err);
	status = tmap_job_agree(job, it.algorithm ? 0 : -1, err);
	if (status < 0) {
		tmap_experiment_fini(&it);
		return -1;
	}
	note_progress(bench, &it);
	status =
		tmap_bench_subject_init(&subject, job, &bench->channel, candidate, call, mode, err);
	if (status < 0 && err->kind == TMAP_INPUT && !job->broken && !candidate->is_named) {
		note_left_out(bench, tmap_collective_rows[it.collective].word.name, it.algorithm,
			      err);
		status = 0;
	} else if (status < 0) {
		tmap_wrap(err, "%s %s", tmap_collective_rows[it.collective].word.name,
			  it.algorithm);
	} else {
		status = tmap_timing_run(&bench->timing, &subject, &it, &wrong, err);
		if (status < 0)
			tmap_wrap(err, "%s %s", tmap_collective_rows[it.collective].word.name,
				  it.algorithm);
		bench->done += status == 0;
		if (status == 0) {
			note_wrong(bench, &it, &wrong);
			if (is_rank_0(bench))
				status = tmap_times_add_take(&bench->times, &it, err);
			status = tmap_job_agree(job, status, err);
		}
	}
	if (!job->broken)
		tmap_bench_subject_fini(&subject);
	tmap_experiment_fini(&it);
	return status;
}

/* Is it a mode that this is not called in? Then nobody asked for it, or there is no such thing. */
static bool mode_is_missing(struct bench *bench, const struct tmap_candidate *candidate,
			    enum tmap_collective collective, enum tmap_mode mode)
{
	struct tmap_error err;

	if (!candidate->is_native)
		return false;
	if (!tmap_native_has(mode))
		tmap_fail(&err, TMAP_INPUT, "%s has no persistent collectives", bench->library);
	else if (candidate->words && mode != TMAP_BLOCKING)
		tmap_fail(&err, TMAP_INPUT, "its variables are of blocking calls");
	else
		return false;
	note_left_out(bench, tmap_collective_rows[collective].word.name, candidate->name, &err);
	return true;
}

static int size_run(struct bench *bench, enum tmap_collective collective, int64_t bytes,
		    const struct tmap_candidates *candidates, struct tmap_error *err)
{
	const struct request *request = &bench->request;
	const struct tmap_collective_row *row = &tmap_collective_rows[collective];
	struct tmap_call call = { .size = bench->times.placement.size,
				  .root = row->has_root ? bench->args->root : 0,
				  .bytes = bytes,
				  .metric = &bench->metric };

	if (row->reduces && row->cuts_vector)
		call.element = tmap_library_element(collective, bytes);
	for (int m = 0; m < request->mode_count; m++)
		for (int i = 0; i < candidates->count; i++) {
			const struct tmap_candidate *candidate = &candidates->item[i];

			call.choice = candidate->choice;
			if (!mode_is_missing(bench, candidate, collective, request->mode[m]) &&
			    experiment_run(bench, candidate, &call, request->mode[m], err) < 0)
				return -1;
		}
	return 0;
}

static int collective_run(struct bench *bench, enum tmap_collective collective,
			  struct tmap_error *err)
{
	const struct tmap_opt_list *words = &bench->args->algorithms;
	const struct tmap_candidate_library library = { bench->library,
							tmap_library_of(bench->library),
							&bench->order };
	bool is_barrier = collective == TMAP_BARRIER;
	struct tmap_candidates candidates;
	int status = tmap_candidates_init(&candidates, collective, words->items, words->count,
					  bench->times.placement.size, &library, err);

	status = tmap_job_agree(&bench->startup->job, status, err);
	for (int i = 0; status == 0 && i < (is_barrier ? 1 : bench->request.size_count); i++)
		status = size_run(bench, collective, is_barrier ? 0 : bench->request.bytes[i],
				  &candidates, err);
	tmap_candidates_fini(&candidates);
	return status;
}

/* Collective. */
static int bench_init(struct bench *bench, struct tmap_error *err)
{
	struct tmap_job *job = &bench->startup->job;
	int level, status;

	if (tmap_bench_place(bench->startup, bench->args->placement, &bench->times.placement, err) <
	    0)
		return -1;
	status = tmap_metric_init(&bench->metric, &bench->times.placement, TMAP_SCALE_PROCESS, err);
	if (status == 0)
		status = tmap_order_find(&bench->order, &bench->times.placement, err);
	if (status == 0)
		status = (bench->library = tmap_startup_library(bench->startup, err)) ? 0 : -1;
	status = tmap_job_agree(job, status, err);
	if (status < 0)
		return -1;
	bench->timing = (struct tmap_timing){ .job = job,
					      .rule = bench->request.rule,
					      .checks_all = bench->args->check,
					      .keeps_raw = bench->args->raw };
	if (tmap_job_check(job, MPI_T_init_thread(MPI_THREAD_SINGLE, &level), "MPI_T_init_thread",
			   err) < 0)
		return -1;
	status = tmap_channel_init(&bench->channel, job->world, err);
	if (status == 0)
		status = tmap_channel_init(&bench->timing.sync, job->world, err);
	job->broken = job->broken || status < 0;
	return status;
}

static void bench_fini(struct bench *bench)
{
	if (bench->startup->job.broken)
		return;
	if (bench->channel.size) {
		tmap_channel_fini(&bench->timing.sync);
		tmap_channel_fini(&bench->channel);
		MPI_T_finalize();
	}
	tmap_metric_fini(&bench->metric);
	tmap_times_fini(&bench->times);
	free(bench->library);
	free(bench->request.bytes);
}

/* Rank 0: what describes the experiments. */
static int times_describe(struct bench *bench, struct tmap_error *err)
{
	struct tmap_origin origin = { 0 };
	int status = tmap_startup_describe(bench->startup, NULL, &origin, err);

	bench->times.mpi = tmap_strdup(bench->library, err);
	bench->times.sync = tmap_strdup("barrier", err);
	bench->times.date = origin.date;
	free(origin.by);
	free(origin.mpi);
	free(origin.launcher);
	return status < 0 || !bench->times.mpi || !bench->times.sync ? -1 : 0;
}

static int bench_end(struct bench *bench, struct tmap_output *out, struct tmap_error *err)
{
	int status = 0;

	if (!bench->done)
		return tmap_fail(err, TMAP_INPUT, "nothing can be measured here%s%s",
				 bench->has_left_out ? ": " : "",
				 bench->has_left_out ? bench->left_out.text : "");
	if (is_rank_0(bench))
		status = tmap_times_write(out, &bench->times, bench->args->format, err);
	status = tmap_job_agree(&bench->startup->job, status, err);
	if (status == 0 && bench->wrong)
		return bench->wrong == 1 ?
			tmap_fail(err, TMAP_FINDINGS, "%s", bench->first_wrong) :
			tmap_fail(err, TMAP_FINDINGS, "%s; so are %d other experiments",
				  bench->first_wrong, bench->wrong - 1);
	return status;
}

int tmap_bench_collective(struct tmap_startup *startup, const void *data, struct tmap_error *err)
{
	const struct collective_args *args = data;
	struct bench bench = { .startup = startup, .args = args };
	struct tmap_output out = { 0 };
	int status = request_read(&bench.request, args, startup->job.size, err);

	bench.speaks = args->progress || isatty(STDERR_FILENO);
	if (status == 0 && startup->job.rank == 0)
		status = tmap_output_init(&out, args->output, err);
	status = tmap_job_agree(&startup->job, status, err);
	if (status == 0)
		status = bench_init(&bench, err);
	if (status == 0) {
		if (startup->job.rank == 0)
			status = times_describe(&bench, err);
		status = tmap_job_agree(&startup->job, status, err);
	}
	for (int i = 0; i < bench.request.collective_count && status == 0; i++)
		status = collective_run(&bench, bench.request.collective[i], err);
	if (status == 0)
		status = bench_end(&bench, &out, err);
	tmap_output_fini(&out);
	bench_fini(&bench);
	return status;
}

/* Open MPI reads this one only before it begins; the others are set while it runs. */
void tmap_bench_collective_prepare(const void *data)
{
	const struct collective_args *args = data;

	if (tmap_candidates_set_knobs(args->algorithms.items, args->algorithms.count))
		setenv("OMPI_MCA_coll_tuned_use_dynamic_rules", "1", 0);
}

const struct tmap_command tmap_bench_collective_command = {
	.name = "bench-collective",
	.invocation = "topomap-bench collective",
	.summary = "measure algorithms of collectives, topomap's and the library's",
	.description =
		"An MPI program: start it as you start your job. It executes algorithms of topomap's "
		"catalogue over point-to-point, and the library's own, and looks at the results. The "
		"time of a repetition is that of the slowest rank; rank 0 writes statistics of them, "
		"with the placement of the ranks.",
	.options = options,
	.args_size = sizeof(struct collective_args),
	.examples = examples,
};
