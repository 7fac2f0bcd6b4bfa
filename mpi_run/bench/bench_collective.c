/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/base/mem.h"
#include "formats/report/times/like_report.h"
#include "mpi_run/bench/bench_grid.h"
#include "mpi_run/bench/session.h"
#include "mpi_run/bench/verbs.h"

#include <stdlib.h>
#include <string.h>

struct collective_args {
	uint64_t collectives; /* of tmap_collectives */
	struct tmap_opt_list algorithms;
	const char *sizes, *modes;
	int root;
	int64_t seed, warm_up;
	uint64_t like; /* of tmap_likes */
	struct tmap_grid_args grid;
	struct tmap_bench_args common;
};

static const struct tmap_opt options[] = {
	{ TMAP_OPT_NAMES(struct collective_args, collectives, 'c', "collective",
			 "COLLECTIVE[,COLLECTIVE]", &tmap_collectives, "collective operation"),
	  .required = true },
	{ TMAP_OPT_STRING(
		struct collective_args, sizes, 'b', "bytes", "SIZES", NULL,
		"sizes as MPI counts them: of a rank's block, or of the whole vector if it "
		"is broadcast or reduced: \"8,1KiB,64KiB\", \"1..1MiB\" (doubling) or "
		"\"1..1MiB*4\"; none for a barrier; with --like those of these benchmarks if not "
		"given") },
	{ TMAP_OPT_LIST(
		  struct collective_args, algorithms, 'a', "algorithm", "ALGORITHM",
		  "an algorithm of topomap score, with parameters; native: the library's own; "
		  "native:NAME, native:all: that algorithm of the library, or all that can be "
		  "chosen; mockup:NAME: other collectives of the library that do the same; all: "
		  "all of topomap's that can run, native and native:all"),
	  .required = true },
	{ TMAP_OPT_STRING(
		struct collective_args, modes, 'm', "mode", "LIST", "blocking",
		"blocking, nonblocking, persistent: how it is called; naive, schedule: what of "
		"topomap's is kept from call to call") },
	{ TMAP_OPT_INT(struct collective_args, root, 'r', "root", "RANK", "0", 0, INT_MAX,
		       "where data starts or ends, of collectives with a root") },
	TMAP_OPT_GRID(struct collective_args, grid),
	{ TMAP_OPT_NAMES(
		struct collective_args, like, 0, "like", "BENCHMARK[,BENCHMARK]", &tmap_likes,
		"also measure each call by the loop of this benchmark, and show what it would "
		"say beside topomap's time") },
	{ TMAP_OPT_INT64(
		struct collective_args, warm_up, 'x', "warm-up", "N", NULL, 0, INT_MAX,
		"calls before those that count in the loops of --like, of imb one at least, by "
		"which it knows how many fit; without it as many as the benchmarks make") },
	{ TMAP_BENCH_SEED(struct collective_args, seed) },
	{ TMAP_BENCH_PLACEMENT(struct collective_args) },
	{ TMAP_BENCH_REPETITIONS(
		struct collective_args,
		"times of each experiment, and calls of the loops of --like; without it --seconds "
		"and --precision end it, and 10000 at most") },
	{ TMAP_BENCH_SECONDS(
		struct collective_args,
		"end an experiment when so many are used up (1 without --repetitions); the loops of "
		"imb make no more calls than fit into that (10)") },
	{ TMAP_BENCH_PRECISION(struct collective_args, " (2% without --repetitions)") },
	{ TMAP_BENCH_SYNC(struct collective_args) },
	{ TMAP_BENCH_OFF_CACHE(struct collective_args) },
	{ TMAP_BENCH_BY_ROUNDS(struct collective_args) },
	{ TMAP_BENCH_CHECK(struct collective_args) },
	{ TMAP_BENCH_RAW(struct collective_args) },
	{ TMAP_BENCH_PROGRESS(struct collective_args) },
	{ TMAP_BENCH_FORMAT(struct collective_args) },
	{ TMAP_BENCH_OUTPUT(struct collective_args) },
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
	  "srun -n 64 topomap-bench collective -c allreduce,bcast -b 8 -a all -i 100 --check",
	  "it needs an MPI job" },
	{ "an exchange with all neighbors in a periodic grid, topomap's and the library's",
	  "mpirun topomap-bench collective -c neighbor_alltoall -b 1KiB -a all --stencil moore:1 "
	  "--cart 8x8 --periods 1,1",
	  "it needs an MPI job" },
	{ "what OSU's and Intel's benchmarks would say of the library's allreduce",
	  "mpirun topomap-bench collective -c allreduce -b 8..64KiB*8 -a native --like osu,imb",
	  "it needs an MPI job" },
	{ NULL, NULL, NULL },
};

/* What the words of the command line are; the same at all ranks. */
struct request {
	struct tmap_bench_what what;
	int mode_count;
	enum tmap_mode mode[TMAP_MODES];
	int root;
	struct tmap_neighborhood neighborhood;
	struct tmap_repetition_rule rule;
	struct tmap_like_request like;
};

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

/* The sizes of all benchmarks that are asked for, the caller's to free; "" without any. */
static char *like_sizes(uint64_t ways, struct tmap_error *err)
{
	char *sizes = tmap_strdup("", err);

	for (int i = 0; i < TMAP_LIKES && sizes; i++) {
		char *longer;

		if (!(ways >> i & 1))
			continue;
		longer = tmap_format(err, "%s%s%s", sizes, *sizes ? "," : "",
				     tmap_like_rows[i].sizes);
		free(sizes);
		sizes = longer;
	}
	return sizes;
}

static int like_read(struct tmap_like_request *like, const struct collective_args *args,
		     const struct tmap_repetition_rule *rule, struct tmap_error *err)
{
	if (args->like && args->common.off_cache > 0)
		return tmap_fail(err, TMAP_USAGE,
				 "--off-cache and --like cannot be combined: these loops have no "
				 "time between their calls");
	if (args->warm_up != TMAP_NONE && !args->like)
		return tmap_fail(err, TMAP_USAGE,
				 "--warm-up: it is of the loops of --like, which is not given");
	*like = (struct tmap_like_request){ args->like, args->common.repetitions, args->warm_up,
					    args->common.seconds ? rule->seconds : 0 };
	return 0;
}

static int request_read(struct request *request, const struct collective_args *args, int size,
			struct tmap_error *err)
{
	char *sizes = like_sizes(args->like, err);
	int status = sizes ? 0 : -1;

	request->rule = (struct tmap_repetition_rule){ 10000, 1, 0.02 };
	if (status == 0)
		status = tmap_bench_what_init(&request->what, args->collectives, args->sizes,
					      *sizes ? sizes : NULL, err);
	free(sizes);
	if (status < 0 || modes_read(request, args->modes, err) < 0 ||
	    tmap_bench_rule(&request->rule, &args->common, err) < 0 ||
	    like_read(&request->like, args, &request->rule, err) < 0)
		return -1;
	if (tmap_bench_root_check(&request->what, args->root, size, err) < 0)
		return -1;
	return tmap_bench_grid_init(&request->neighborhood, &args->grid, &request->what, size,
				    err) < 0 ?
		-1 :
		tmap_bench_what_check(&request->what, size, err);
}

/* The experiments of one collective: each candidate, in each mode, at each size. */
struct subject {
	enum tmap_collective collective;
	struct tmap_candidates candidates;
	int size_count;
};

static int subject_count(const struct subject *it, const struct request *request)
{
	return it->candidates.count * request->mode_count * it->size_count;
}

/* Collective: experiment @p number of a subject. */
static int experiment_measure(struct tmap_session *session, const struct request *request,
			      const struct subject *it, int number, struct tmap_error *err)
{
	int candidate = number % it->candidates.count;

	number /= it->candidates.count;
	return tmap_session_measure(
		session, &it->candidates.item[candidate], it->collective,
		tmap_bench_what_bytes(&request->what, it->collective, number / request->mode_count),
		request->root, request->mode[number % request->mode_count], err);
}

/* Collective: all subjects' experiments in random order. */
static int subjects_measure(struct tmap_session *session, const struct request *request,
			    const struct subject *subject, int64_t seed, struct tmap_error *err)
{
	int count = 0, *order, status;

	for (int i = 0; i < request->what.collective_count; i++)
		count += subject_count(&subject[i], request);
	tmap_session_plan(session, count);
	status = tmap_session_order(session, seed, count, &order, err);
	for (int i = 0; i < count && status == 0; i++) {
		const struct subject *it = subject;
		int number = order[i];

		for (; number >= subject_count(it, request); it++)
			number -= subject_count(it, request);
		status = experiment_measure(session, request, it, number, err);
	}
	free(order);
	return status;
}

/* Collective: all that was named is known and can run before anything is measured. */
static int subject_init(struct subject *it, struct tmap_session *session,
			const struct request *request, const struct tmap_opt_list *words,
			struct tmap_error *err)
{
	const struct tmap_bench_what *what = &request->what;

	it->size_count = tmap_bench_what_sizes(what, it->collective);
	if (tmap_session_candidates_add(session, &it->candidates, it->collective, words->items,
					words->count, err) < 0)
		return -1;
	return tmap_job_agree(&session->startup->job,
			      tmap_session_check_all(session, &it->candidates, what, it->collective,
						     request->root, err),
			      err);
}

/* Collective. */
static int collectives_run(struct tmap_session *session, const struct request *request,
			   const struct collective_args *args, struct tmap_error *err)
{
	const struct tmap_bench_what *what = &request->what;
	struct subject subject[TMAP_COLLECTIVE_COUNT] = { 0 };
	int status = 0;

	for (int i = 0; i < what->collective_count && status == 0; i++) {
		subject[i].collective = what->collective[i];
		status = subject_init(&subject[i], session, request, &args->algorithms, err);
	}
	if (status == 0)
		status = tmap_session_check_by_rounds(session, err);
	if (status == 0)
		status = subjects_measure(session, request, subject, args->seed, err);
	for (int i = 0; i < what->collective_count; i++)
		tmap_candidates_fini(&subject[i].candidates);
	return status;
}

int tmap_bench_collective(struct tmap_startup *startup, const void *data, struct tmap_error *err)
{
	const struct collective_args *args = data;
	struct request request = { .root = args->root };
	struct tmap_session session;
	int status = request_read(&request, args, startup->job.size, err);

	status = tmap_job_agree(&startup->job, status, err);
	if (status == 0) {
		status = tmap_session_init(&session, startup, &args->common, &request.rule, err);
		session.also = TMAP_CANDIDATE_ANY;
		if (args->like) {
			session.timing.like = &request.like;
			session.write_text = tmap_text_write_like;
		}
		if (status == 0)
			status = tmap_bench_grid_use(&session, &request.neighborhood, &args->grid,
						     err);
		if (status == 0)
			status = collectives_run(&session, &request, args, err);
		status = tmap_session_end(&session, status, err);
		tmap_session_fini(&session);
	}
	tmap_neighborhood_fini(&request.neighborhood);
	tmap_bench_what_fini(&request.what);
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
