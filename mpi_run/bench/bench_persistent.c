/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/algorithms/catalogue.h"
#include "core/base/mem.h"
#include "formats/report/times/keeping_report.h"
#include "mpi_run/bench/bench_grid.h"
#include "mpi_run/bench/session.h"
#include "mpi_run/bench/verbs.h"

#include <stdlib.h>

struct persistent_args {
	uint64_t collectives; /* of tmap_collectives */
	struct tmap_opt_list algorithms;
	const char *sizes;
	int root;
	int64_t seed;
	struct tmap_grid_args grid;
	struct tmap_bench_args common;
};

static const struct tmap_opt options[] = {
	{ TMAP_OPT_NAMES(struct persistent_args, collectives, 'c', "collective",
			 "COLLECTIVE[,COLLECTIVE]", &tmap_collectives, "collective operation"),
	  .required = true },
	{ TMAP_OPT_STRING(struct persistent_args, sizes, 'b', "bytes", "SIZES", NULL,
			  "sizes as MPI counts them: \"8,1KiB,64KiB\", \"1..1MiB\" (doubling) or "
			  "\"1..1MiB*4\"; none for a barrier") },
	{ TMAP_OPT_LIST(struct persistent_args, algorithms, 'a', "algorithm", "ALGORITHM",
			"an algorithm of topomap score, with parameters; several may be given; "
			"without it all that can run") },
	{ TMAP_OPT_INT(struct persistent_args, root, 'r', "root", "RANK", "0", 0, INT_MAX,
		       "where data starts or ends, of collectives with a root") },
	TMAP_OPT_GRID(struct persistent_args, grid),
	{ TMAP_BENCH_SEED(struct persistent_args, seed) },
	{ TMAP_BENCH_PLACEMENT(struct persistent_args) },
	{ TMAP_BENCH_REPETITIONS(struct persistent_args,
				 "times of each experiment, at most (500 without it)") },
	{ TMAP_BENCH_SECONDS(struct persistent_args,
			     "end an experiment when so many are used up") },
	{ TMAP_BENCH_PRECISION(struct persistent_args, "") },
	{ TMAP_BENCH_SYNC(struct persistent_args) },
	{ TMAP_BENCH_OFF_CACHE(struct persistent_args) },
	{ TMAP_BENCH_CHECK(struct persistent_args) },
	{ TMAP_BENCH_RAW(struct persistent_args) },
	{ TMAP_BENCH_PROGRESS(struct persistent_args) },
	{ TMAP_BENCH_FORMAT(struct persistent_args) },
	{ TMAP_BENCH_OUTPUT(struct persistent_args) },
	TMAP_OPT_END,
};

static const struct tmap_example examples[] = {
	{ "what a persistent reduce of 4 bytes gains",
	  "mpirun topomap-bench persistent -c reduce -b 4 -a binomial_far", "it needs an MPI job" },
	{ "an alltoall from 4 bytes to 64 KiB, as a document",
	  "mpirun topomap-bench persistent -c alltoall -b 4..64KiB*4 -o times.json",
	  "it needs an MPI job" },
	{ "an exchange with the neighbors in a grid",
	  "mpirun topomap-bench persistent -c neighbor_alltoall -b 8 --stencil cart --cart 0x0",
	  "it needs an MPI job" },
	{ NULL, NULL, NULL },
};

static const enum tmap_mode own_modes[] = { TMAP_NAIVE, TMAP_SCHEDULE, TMAP_BLOCKING,
					    TMAP_PERSISTENT };
static const enum tmap_mode native_modes[] = { TMAP_NONBLOCKING, TMAP_PERSISTENT };

enum { OWN_MODES = sizeof own_modes / sizeof *own_modes, NATIVE_MODES = 2 };

/* The experiments of one collective: each candidate, in each of its modes, at each size. */
struct subject {
	enum tmap_collective collective;
	struct tmap_candidates candidates; /* the first is native */
	int size_count;
};

static int subject_modes(const struct subject *it)
{
	return NATIVE_MODES + (it->candidates.count - 1) * OWN_MODES;
}

/* "native", and all rows of the catalogue, the caller's to free with their array. */
static char **words_of_all(enum tmap_collective collective, size_t *count, struct tmap_error *err)
{
	int rows = tmap_algorithms_tried(collective);
	char **word = tmap_alloc((size_t)rows, sizeof *word, err);

	*count = 0;
	for (int i = 0; word && i < rows; i++) {
		const struct tmap_spec row = tmap_spec_preset(tmap_algorithms(collective), i);

		word[i] = tmap_spec_print(&row, err);
		if (!word[i])
			break;
		++*count;
	}
	if (word && *count == (size_t)rows)
		return word;
	for (size_t i = 0; word && i < *count; i++)
		free(word[i]);
	free(word);
	return NULL;
}

/* Collective: what is named must run, of all what can. */
static int subject_init(struct subject *it, struct tmap_session *session,
			const struct persistent_args *args, struct tmap_error *err)
{
	const char *const native[] = { "native" };
	const struct tmap_opt_list *named = &args->algorithms;
	struct tmap_candidates *all = &it->candidates;
	struct tmap_job *job = &session->startup->job;
	char **word = NULL;
	size_t count = 0;
	int status = 0;

	if (!named->count)
		status = (word = words_of_all(it->collective, &count, err)) ? 0 : -1;
	status = tmap_job_agree(job, status, err);
	if (status == 0)
		status = tmap_session_candidates_add(session, all, it->collective, native, 1, err);
	if (status == 0)
		status = tmap_session_candidates_add(session, all, it->collective,
						     named->count ? named->items :
								    (const char *const *)word,
						     named->count ? named->count : count, err);
	for (int i = 0; i < all->count; i++)
		all->item[i].is_named = named->count && i > 0;
	for (size_t i = 0; i < count; i++)
		free(word[i]);
	free(word);
	return status;
}

/* Collective: experiment @p number of a subject. */
static int experiment_measure(struct tmap_session *session, const struct subject *it,
			      const struct tmap_bench_what *what, int number, int root,
			      struct tmap_error *err)
{
	int modes = subject_modes(it), mode = number % modes, own = mode - NATIVE_MODES;
	int64_t bytes = tmap_bench_what_bytes(what, it->collective, number / modes);

	if (own < 0)
		return tmap_session_measure(session, &it->candidates.item[0], it->collective, bytes,
					    root, native_modes[mode], err);
	return tmap_session_measure(session, &it->candidates.item[1 + own / OWN_MODES],
				    it->collective, bytes, root, own_modes[own % OWN_MODES], err);
}

/* Collective: what was named can run. */
static int subjects_check(struct tmap_session *session, const struct subject *subject,
			  const struct tmap_bench_what *what, int root, struct tmap_error *err)
{
	int status = 0;

	for (int i = 0; i < what->collective_count && status == 0; i++)
		status = tmap_session_check_all(session, &subject[i].candidates, what,
						what->collective[i], root, err);
	return tmap_job_agree(&session->startup->job, status, err);
}

/* Collective: all subjects' experiments in random order. */
static int subjects_measure(struct tmap_session *session, const struct subject *subject,
			    const struct tmap_bench_what *what, const struct persistent_args *args,
			    struct tmap_error *err)
{
	int count = 0, *order, status;

	for (int i = 0; i < what->collective_count; i++)
		count += subject_modes(&subject[i]) * subject[i].size_count;
	tmap_session_plan(session, count);
	status = tmap_session_order(session, args->seed, count, &order, err);
	for (int i = 0; i < count && status == 0; i++) {
		const struct subject *it = subject;
		int number = order[i];

		for (; number >= subject_modes(it) * it->size_count; it++)
			number -= subject_modes(it) * it->size_count;
		status = experiment_measure(session, it, what, number, args->root, err);
	}
	free(order);
	return status;
}

/* Collective. */
static int persistent_run(struct tmap_session *session, const struct tmap_bench_what *what,
			  const struct persistent_args *args, struct tmap_error *err)
{
	struct subject subject[TMAP_COLLECTIVE_COUNT] = { 0 };
	int status = 0;

	for (int i = 0; i < what->collective_count && status == 0; i++) {
		subject[i].collective = what->collective[i];
		subject[i].size_count = tmap_bench_what_sizes(what, what->collective[i]);
		status = subject_init(&subject[i], session, args, err);
	}
	if (status == 0)
		status = subjects_check(session, subject, what, args->root, err);
	if (status == 0)
		status = subjects_measure(session, subject, what, args, err);
	for (int i = 0; i < what->collective_count; i++)
		tmap_candidates_fini(&subject[i].candidates);
	return tmap_session_end(session, status, err);
}

static int request_read(struct tmap_bench_what *what, struct tmap_neighborhood *neighborhood,
			struct tmap_repetition_rule *rule, const struct persistent_args *args,
			int size, struct tmap_error *err)
{
	*rule = (struct tmap_repetition_rule){ .repetitions = 500 };
	if (tmap_bench_what_init(what, args->collectives, args->sizes, NULL, err) < 0 ||
	    tmap_bench_rule(rule, &args->common, err) < 0)
		return -1;
	for (size_t i = 0; i < args->algorithms.count; i++)
		if (tmap_candidate_is_native(args->algorithms.items[i]))
			return tmap_fail(err, TMAP_USAGE,
					 "--algorithm %s: only topomap's are kept in several ways; "
					 "native is always measured",
					 args->algorithms.items[i]);
	return tmap_bench_root_check(what, args->root, size, err) < 0 ||
			tmap_bench_grid_init(neighborhood, &args->grid, what, size, err) < 0 ?
		-1 :
		tmap_bench_what_check(what, size, err);
}

int tmap_bench_persistent(struct tmap_startup *startup, const void *data, struct tmap_error *err)
{
	const struct persistent_args *args = data;
	struct tmap_bench_what what = { 0 };
	struct tmap_neighborhood neighborhood = { 0 };
	struct tmap_repetition_rule rule;
	struct tmap_session session;
	int status = request_read(&what, &neighborhood, &rule, args, startup->job.size, err);

	status = tmap_job_agree(&startup->job, status, err);
	if (status == 0) {
		status = tmap_session_init(&session, startup, &args->common, &rule, err);
		session.write_text = tmap_text_write_keeping;
		if (status == 0)
			status = tmap_bench_grid_use(&session, &neighborhood, &args->grid, err);
		if (status == 0)
			status = persistent_run(&session, &what, args, err);
		tmap_session_fini(&session);
	}
	tmap_neighborhood_fini(&neighborhood);
	tmap_bench_what_fini(&what);
	return status;
}

const struct tmap_command tmap_bench_persistent_command = {
	.name = "bench-persistent",
	.invocation = "topomap-bench persistent",
	.summary = "measure what it gains to keep schedules and requests",
	.description =
		"An MPI program: start it as you start your job. It executes algorithms of topomap's "
		"catalogue over point-to-point and keeps nothing from call to call, or the "
		"schedule, or its datatypes too, or persistent requests too; beside them it measures "
		"the library's own nonblocking and persistent collectives.",
	.options = options,
	.args_size = sizeof(struct persistent_args),
	.examples = examples,
};
