/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/base/mem.h"
#include "core/base/series.h"
#include "core/guidelines/guidelines.h"
#include "mpi_run/bench/session.h"
#include "mpi_run/bench/verbs.h"
#include "mpi_run/bench/virtual_options.h"

#include <stdlib.h>
#include <string.h>

struct guidelines_args {
	int collective, root;
	const char *sizes;
	int64_t seed;
	struct tmap_virtual_args on;
	struct tmap_bench_args common;
};

static const struct tmap_opt options[] = {
	{ TMAP_OPT_STRING(struct guidelines_args, sizes, 'b', "bytes", "SIZES", NULL,
			  "sizes as the native call of MPI counts them, on virtual topologies those "
			  "of a block: \"8,1KiB,64KiB\", \"1..1MiB\" (doubling) or "
			  "\"1..1MiB*4\"; none for GL1 to GL3") },
	{ TMAP_OPT_CHOICE(struct guidelines_args, collective, 'c', "collective", "COLLECTIVE", NULL,
			  &tmap_collectives, TMAP_KEYWORDS_ALL & ~TMAP_KEYWORDS_BIT(TMAP_BARRIER),
			  "only the guidelines of this collective") },
	{ TMAP_OPT_INT(struct guidelines_args, root, 'r', "root", "RANK", "0", 0, INT_MAX,
		       "where data starts or ends, of collectives with a root") },
	TMAP_VIRTUAL_OPTIONS(struct guidelines_args),
	{ TMAP_BENCH_SEED(struct guidelines_args, seed) },
	{ TMAP_BENCH_PLACEMENT(struct guidelines_args) },
	{ TMAP_BENCH_REPETITIONS(struct guidelines_args,
				 "times of each experiment, at most (50 without it)") },
	{ TMAP_BENCH_SECONDS(struct guidelines_args,
			     "end an experiment when so many are used up") },
	{ TMAP_BENCH_PRECISION(struct guidelines_args, "") },
	{ TMAP_BENCH_SYNC(struct guidelines_args) },
	{ TMAP_BENCH_OFF_CACHE(struct guidelines_args) },
	{ TMAP_BENCH_CHECK(struct guidelines_args) },
	{ TMAP_BENCH_RAW(struct guidelines_args) },
	{ TMAP_BENCH_PROGRESS(struct guidelines_args) },
	{ TMAP_BENCH_FORMAT(struct guidelines_args) },
	{ TMAP_BENCH_OUTPUT(struct guidelines_args) },
	TMAP_OPT_END,
};

static const struct tmap_example examples[] = {
	{ "one launch of all guidelines, from 8 bytes to 64 KiB",
	  "mpirun topomap-bench guidelines -b 8..64KiB*8 -o launch1.json", "it needs an MPI job" },
	{ "seven launches of those of bcast, judged",
	  "for i in 1 2 3 4 5 6 7; do mpirun topomap-bench guidelines -c bcast -b 1KiB,1MiB -o $i.json; "
	  "done; topomap-bench join [1-7].json -o times.json; topomap guidelines --times times.json",
	  "it needs an MPI job" },
	{ "neighborhood collectives on Cartesian grids and graphs of two dimensions",
	  "mpirun topomap-bench guidelines -g GL4-6,GL9-12 -n vonneumann,moore -d 2 -b 8..64KiB*8 -o "
	  "launch1.json",
	  "it needs an MPI job" },
	{ "how long communicators with topologies take to make",
	  "mpirun topomap-bench guidelines -g GL1-3", "it needs an MPI job" },
	{ NULL, NULL, NULL },
};

/* The native collective and the mock-ups of its guidelines. */
struct subject {
	enum tmap_collective collective;
	struct tmap_candidates candidates;
};

struct plan {
	int subject_count;
	struct subject subject[TMAP_COLLECTIVE_COUNT];
	int size_count;
	int64_t *bytes; /* [size_count] */
	struct tmap_virtual_experiments on;
};

static void plan_fini(struct plan *plan)
{
	for (int i = 0; i < plan->subject_count; i++)
		tmap_candidates_fini(&plan->subject[i].candidates);
	tmap_virtual_experiments_fini(&plan->on);
	free(plan->bytes);
}

/* Collective: "native", and the right side of every row. */
static int subject_init(struct subject *it, struct tmap_session *session, struct tmap_error *err)
{
	int rows = tmap_guideline_rows(), status = 0;
	size_t count = 1;
	char **word = tmap_alloc((size_t)rows + 1, sizeof *word, err);

	if (!word || !(word[0] = tmap_strdup("native", err)))
		status = -1;
	for (int row = 0; row < rows && status == 0; row++) {
		if (tmap_guideline_native(row) != it->collective)
			continue;
		word[count] = tmap_guideline_mockup(row, err);
		status = word[count++] ? 0 : -1;
	}
	status = tmap_job_agree(&session->startup->job, status, err);
	if (status == 0)
		status = tmap_session_candidates_add(session, &it->candidates, it->collective,
						     (const char *const *)word, count, err);
	for (int i = 0; i < it->candidates.count; i++)
		it->candidates.item[i].is_named = false;
	for (size_t i = 0; word && i < count; i++)
		free(word[i]);
	free(word);
	return status;
}

static bool has_guidelines(enum tmap_collective collective)
{
	for (int row = 0; row < tmap_guideline_rows(); row++)
		if (tmap_guideline_native(row) == collective)
			return true;
	return false;
}

/* Are mock-ups of a collective to be measured? */
static bool is_wanted(const struct plan *plan, int collective, int wanted)
{
	return (plan->on.set & TMAP_MOCKUP_GUIDELINES) &&
		has_guidelines((enum tmap_collective)collective) &&
		(wanted == TMAP_NONE || wanted == collective);
}

/* Collective. */
static int plan_fill(struct plan *plan, struct tmap_session *session, int wanted,
		     struct tmap_error *err)
{
	for (int c = 0; c < TMAP_COLLECTIVE_COUNT; c++) {
		struct subject *it = &plan->subject[plan->subject_count];

		if (!is_wanted(plan, c, wanted))
			continue;
		plan->subject_count++;
		it->collective = (enum tmap_collective)c;
		if (subject_init(it, session, err) < 0)
			return -1;
	}
	return 0;
}

/* Collective: experiment @p number of the plan, in the order of its subjects; behind them come those
 * on virtual topologies. */
static int experiment_measure(struct tmap_session *session, const struct plan *plan, int number,
			      int root, struct tmap_error *err)
{
	const struct tmap_virtual_key *key;
	int64_t bytes;

	for (int i = 0; i < plan->subject_count; i++) {
		const struct subject *it = &plan->subject[i];

		if (number < it->candidates.count * plan->size_count)
			return tmap_session_measure(
				session, &it->candidates.item[number / plan->size_count],
				it->collective, plan->bytes[number % plan->size_count], root,
				TMAP_BLOCKING, err);
		number -= it->candidates.count * plan->size_count;
	}
	key = tmap_virtual_experiments_at(&plan->on, number, &bytes);
	return tmap_session_measure_virtual(session, key, bytes, err);
}

/* Collective. */
static int plan_measure(struct tmap_session *session, const struct plan *plan,
			const struct guidelines_args *args, struct tmap_error *err)
{
	int count = tmap_virtual_experiments_count(&plan->on), *order, status;

	for (int i = 0; i < plan->subject_count; i++)
		count += plan->subject[i].candidates.count * plan->size_count;
	tmap_session_plan(session, count);
	status = tmap_session_order(session, args->seed, count, &order, err);
	for (int i = 0; i < count && status == 0; i++)
		status = experiment_measure(session, plan, order[i], args->root, err);
	free(order);
	return status;
}

/* Does a guideline of this set have such a collective on its left? */
static bool set_has(unsigned set, int collective)
{
	return collective == TMAP_NONE ||
		((set & TMAP_MOCKUP_GUIDELINES) &&
		 has_guidelines((enum tmap_collective)collective)) ||
		((set & ~TMAP_MOCKUP_GUIDELINES) &&
		 (collective == TMAP_ALLGATHER || collective == TMAP_ALLTOALL ||
		  tmap_collective_rows[collective].has_neighbors));
}

/* What the words say of sizes, and whether MPI can count these. */
static int sizes_read(struct plan *plan, const struct guidelines_args *args, int size,
		      struct tmap_error *err)
{
	int collective = args->collective;

	if (args->sizes &&
	    tmap_series_parse(args->sizes, 0, INT64_MAX, &plan->bytes, &plan->size_count, err) < 0)
		return tmap_wrap(err, "--bytes");
	if (tmap_virtual_experiments_init(&plan->on, &args->on, collective, size, plan->bytes,
					  plan->size_count, err) < 0)
		return -1;
	if (plan->on.has_sizes != (args->sizes != NULL))
		return tmap_fail(err, TMAP_USAGE,
				 plan->on.has_sizes ? "--bytes is missing" :
						      "communicators are made of no --bytes");
	for (int c = 0; c < TMAP_COLLECTIVE_COUNT; c++)
		if (is_wanted(plan, c, collective) &&
		    tmap_bench_sizes_check((enum tmap_collective)c, plan->bytes, plan->size_count,
					   size, err) < 0)
			return -1;
	return 0;
}

static int request_read(struct plan *plan, struct tmap_repetition_rule *rule,
			const struct guidelines_args *args, int size, struct tmap_error *err)
{
	unsigned set = TMAP_MOCKUP_GUIDELINES;

	*rule = (struct tmap_repetition_rule){ .repetitions = 50 };
	if (args->on.guidelines &&
	    tmap_virtual_guidelines_parse(args->on.guidelines, &set, err) < 0)
		return tmap_wrap(err, "--guideline");
	if (!set_has(set, args->collective))
		return tmap_fail(err, TMAP_USAGE,
				 args->on.guidelines ?
					 "--guideline: none of these is about %s" :
					 "--guideline is missing: those of %s are on virtual "
					 "topologies (GL4 and others)",
				 tmap_collective_rows[args->collective].word.name);
	if (!(set & TMAP_MOCKUP_GUIDELINES) && args->root)
		return tmap_fail(err, TMAP_USAGE,
				 "--root is of mock-ups: no call on a virtual topology has one");
	if (sizes_read(plan, args, size, err) < 0 || tmap_bench_rule(rule, &args->common, err) < 0)
		return -1;
	return tmap_root_check(args->root, size, err) < 0 ? tmap_wrap(err, "--root") : 0;
}

/* Open MPI 4.1.4 hangs in one of some thousand calls of MPI_Dist_graph_create: all ranks wait for each
 * other in topo/treematch's, and never with topo/basic. That is said before it is measured. */
static void hang_note(const struct tmap_session *session, const struct plan *plan)
{
	bool is_made = false;

	for (int i = 0; i < plan->on.plan.count; i++)
		is_made = is_made ||
			plan->on.plan.key[i].topology.constructor == TMAP_DIST_GRAPH_CREATE;
	if (is_made && session->startup->job.rank == 0 &&
	    strncmp(session->library, "Open MPI v4.", 12) == 0 && !getenv("OMPI_MCA_topo"))
		fprintf(stderr,
			"%s: %s can hang in MPI_Dist_graph_create; with mpirun --mca topo basic it "
			"does not\n",
			session->startup->program, session->library);
}

int tmap_bench_guidelines(struct tmap_startup *startup, const void *data, struct tmap_error *err)
{
	const struct guidelines_args *args = data;
	struct plan plan = { 0 };
	struct tmap_repetition_rule rule;
	struct tmap_session session;
	int status = request_read(&plan, &rule, args, startup->job.size, err);

	status = tmap_job_agree(&startup->job, status, err);
	if (status == 0) {
		status = tmap_session_init(&session, startup, &args->common, &rule, err);
		session.timing.drops_outliers = true;
		if (status == 0)
			status = plan_fill(&plan, &session, args->collective, err);
		if (status == 0)
			hang_note(&session, &plan);
		if (status == 0)
			status = plan_measure(&session, &plan, args, err);
		status = tmap_session_end(&session, status, err);
		tmap_session_fini(&session);
	}
	plan_fini(&plan);
	return status;
}

const struct tmap_command tmap_bench_guidelines_command = {
	.name = "bench-guidelines",
	.invocation = "topomap-bench guidelines",
	.summary = "measure what the library's collectives should not be slower than",
	.description =
		"An MPI program: start it as you start your job. It measures the collectives of the "
		"library and, for each guideline of topomap guidelines, what does the same by other "
		"collectives of the library or over lanes, in random order; with --guideline, "
		"neighborhood collectives and the communicators that they need. Launch it several "
		"times, join the documents, and topomap guidelines judges them.",
	.options = options,
	.args_size = sizeof(struct guidelines_args),
	.examples = examples,
};
