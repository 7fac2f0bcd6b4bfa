/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_run/bench/session.h"
#include "mpi_run/bench/verbs.h"

#include <stdlib.h>
#include <string.h>

struct collective_args {
	struct tmap_opt_list collectives, algorithms;
	const char *sizes, *modes;
	int root;
	struct tmap_bench_args common;
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
	{ TMAP_OPT_STRING(
		struct collective_args, modes, 'm', "mode", "LIST", "blocking",
		"blocking, nonblocking, persistent: how it is called; naive, schedule: what of "
		"topomap's is kept from call to call") },
	{ TMAP_OPT_INT(struct collective_args, root, 'r', "root", "RANK", "0", 0, INT_MAX,
		       "where data starts or ends, of collectives with a root") },
	{ TMAP_BENCH_PLACEMENT(struct collective_args) },
	{ TMAP_BENCH_REPETITIONS(
		struct collective_args,
		"times of each experiment; without it --seconds and --precision end it, and "
		"10000 at most") },
	{ TMAP_BENCH_SECONDS(
		struct collective_args,
		"end an experiment when so many are used up (1 without --repetitions)") },
	{ TMAP_BENCH_PRECISION(struct collective_args, " (2% without --repetitions)") },
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
	  "srun -n 64 topomap-bench collective -c allreduce -b 8 -a all -i 100 --check",
	  "it needs an MPI job" },
	{ NULL, NULL, NULL },
};

/* What the words of the command line are; the same at all ranks. */
struct request {
	struct tmap_bench_what what;
	int mode_count;
	enum tmap_mode mode[TMAP_MODES];
	int root;
	struct tmap_repetition_rule rule;
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

static int request_read(struct request *request, const struct collective_args *args, int size,
			struct tmap_error *err)
{
	request->rule = (struct tmap_repetition_rule){ 10000, 1, 0.02 };
	if (tmap_bench_what_init(&request->what, &args->collectives, args->sizes, err) < 0 ||
	    modes_read(request, args->modes, err) < 0 ||
	    tmap_bench_rule(&request->rule, &args->common, err) < 0)
		return -1;
	if (tmap_root_check(args->root, size, err) < 0)
		return tmap_wrap(err, "--root");
	return tmap_bench_what_check(&request->what, size, err);
}

static int size_run(struct tmap_session *session, const struct request *request,
		    enum tmap_collective collective, int64_t bytes,
		    const struct tmap_candidates *candidates, struct tmap_error *err)
{
	for (int m = 0; m < request->mode_count; m++)
		for (int i = 0; i < candidates->count; i++)
			if (tmap_session_measure(session, &candidates->item[i], collective, bytes,
						 request->root, request->mode[m], err) < 0)
				return -1;
	return 0;
}

static int collective_run(struct tmap_session *session, const struct request *request,
			  enum tmap_collective collective, const struct tmap_opt_list *words,
			  struct tmap_error *err)
{
	const struct tmap_bench_what *what = &request->what;
	struct tmap_candidates candidates = { 0 };
	int status = tmap_session_candidates_add(session, &candidates, collective, words->items,
						 words->count, err);

	for (int i = 0; status == 0 && i < tmap_bench_what_sizes(what, collective); i++)
		status = size_run(session, request, collective,
				  tmap_bench_what_bytes(what, collective, i), &candidates, err);
	tmap_candidates_fini(&candidates);
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
		for (int i = 0; i < request.what.collective_count && status == 0; i++)
			status = collective_run(&session, &request, request.what.collective[i],
						&args->algorithms, err);
		if (status == 0)
			status = tmap_session_end(&session, err);
		tmap_session_fini(&session);
	}
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
