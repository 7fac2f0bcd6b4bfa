/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/base/mem.h"
#include "core/base/series.h"
#include "core/base/units.h"
#include "core/group/lanes.h"
#include "core/measure/lane_times.h"
#include "formats/base/format.h"
#include "formats/report/times/lane_times_report.h"
#include "mpi_run/bench/session.h"
#include "mpi_run/bench/verbs.h"

#include <stdlib.h>
#include <string.h>

struct lanes_args {
	int collective;
	const char *sizes, *lanes;
	int64_t exchanges, seed;
	struct tmap_bench_args common;
};

/* Without bytes there is nothing to share among lanes, and without a grid there are no neighbors. */
#define LANE_COLLECTIVES (TMAP_KEYWORDS_BIT(TMAP_BARRIER) - 1)

static const struct tmap_opt options[] = {
	{ TMAP_OPT_STRING(struct lanes_args, sizes, 'b', "bytes", "SIZES", NULL,
			  "what each node sends and receives in an exchange; with --collective, "
			  "the size as MPI counts it: \"64KiB,1MiB\", \"1..1MiB\" (doubling) or "
			  "\"1..1MiB*4\""),
	  .required = true },
	{ TMAP_OPT_STRING(
		struct lanes_args, lanes, 'k', "lanes", "LIST", NULL,
		"by how many ranks of each node: \"1,2,4\"; without it 1, 2, 4, ... and all") },
	{ TMAP_OPT_CHOICE(struct lanes_args, collective, 'c', "collective", "COLLECTIVE", NULL,
			  &tmap_collectives, LANE_COLLECTIVES,
			  "instead of exchanges: that collective of the library on so many lane "
			  "communicators at once") },
	{ TMAP_OPT_INT64(struct lanes_args, exchanges, 0, "exchanges", "N", NULL, 1, INT_MAX,
			 "exchanges of a repetition, one after the other without a barrier (100)") },
	{ TMAP_BENCH_SEED(struct lanes_args, seed) },
	{ TMAP_BENCH_PLACEMENT(struct lanes_args) },
	{ TMAP_BENCH_REPETITIONS(struct lanes_args,
				 "times of each experiment, at most (80 without it)") },
	{ TMAP_BENCH_SECONDS(struct lanes_args, "end an experiment when so many are used up") },
	{ TMAP_BENCH_PRECISION(struct lanes_args, "") },
	{ TMAP_BENCH_SYNC(struct lanes_args) },
	{ TMAP_BENCH_CHECK(struct lanes_args) },
	{ TMAP_BENCH_RAW(struct lanes_args) },
	{ TMAP_BENCH_PROGRESS(struct lanes_args) },
	{ TMAP_BENCH_FORMAT(struct lanes_args) },
	{ TMAP_BENCH_OUTPUT(struct lanes_args) },
	TMAP_OPT_END,
};

static const struct tmap_example examples[] = {
	{ "over how many ranks of a node its bytes go fastest",
	  "mpirun topomap-bench lanes -b 64KiB,1MiB,16MiB", "it needs an MPI job" },
	{ "how many alltoalls at once cost no more than one",
	  "mpirun topomap-bench lanes -c alltoall -b 64KiB -k 1..32 -o lanes.json",
	  "it needs an MPI job" },
	{ NULL, NULL, NULL },
};

/* What is measured, the same at all ranks; and where this one is among the lanes. */
struct plan {
	const struct lanes_args *args;
	int size_count, k_count;
	int64_t *bytes; /* [size_count] */
	int64_t *k;     /* [k_count] */
	struct tmap_lane_place place;
	MPI_Comm lane; /* the ranks of this one's lane, by node */
	struct tmap_lane_times times;
};

static void plan_fini(struct plan *plan, const struct tmap_job *job)
{
	if (plan->lane != MPI_COMM_NULL && !job->broken)
		MPI_Comm_free(&plan->lane);
	tmap_lane_times_fini(&plan->times);
	free(plan->bytes);
	free(plan->k);
}

/* Before anything is measured: what the words say. */
static int plan_read(struct plan *plan, struct tmap_repetition_rule *rule, struct tmap_error *err)
{
	const struct lanes_args *args = plan->args;
	int collective = args->collective;

	*rule = (struct tmap_repetition_rule){ .repetitions = 80 };
	if (collective != TMAP_NONE && args->exchanges != TMAP_NONE)
		return tmap_fail(err, TMAP_USAGE,
				 "--exchanges and --collective cannot be combined");
	if (tmap_series_parse(args->sizes, 0, INT64_MAX, &plan->bytes, &plan->size_count, err) < 0)
		return tmap_wrap(err, "--bytes");
	plan->times.has_collective = collective != TMAP_NONE;
	if (plan->times.has_collective)
		plan->times.collective = (enum tmap_collective)collective;
	plan->times.exchanges = args->exchanges != TMAP_NONE ? args->exchanges :
		plan->times.has_collective                   ? 1 :
							       100;
	return tmap_bench_rule(rule, &args->common, err);
}

/* The same number of ranks on several nodes, or there are no lanes of equal parts. */
static int lanes_check(const struct tmap_lanes *lanes, struct tmap_error *err)
{
	if (lanes->node_count < 2)
		return lanes->placement->size == 1 ?
			tmap_fail(err, TMAP_INPUT,
				  "lanes are between nodes, and there is one rank") :
			tmap_fail(err, TMAP_INPUT,
				  "lanes are between nodes, and all %d ranks are on one",
				  lanes->placement->size);
	for (int i = 1; i < lanes->node_count; i++)
		if (tmap_lanes_ranks(lanes, i) != tmap_lanes_ranks(lanes, 0))
			return tmap_fail(err, TMAP_INPUT,
					 "lanes are of nodes with equally many ranks, and here "
					 "some have %d, others %d",
					 tmap_lanes_ranks(lanes, 0), tmap_lanes_ranks(lanes, i));
	return 0;
}

static void place_find(struct tmap_lane_place *place, const struct tmap_lanes *lanes, int rank)
{
	int nodes = lanes->node_count;

	for (int i = 0; i < nodes; i++)
		for (int k = 0; k < tmap_lanes_ranks(lanes, i); k++)
			if (lanes->rank[lanes->first[i] + k] == rank)
				*place = (struct tmap_lane_place){
					.lane = k,
					.node = i,
					.node_count = nodes,
					.next = lanes->rank[lanes->first[(i + 1) % nodes] + k],
					.previous =
						lanes->rank[lanes->first[(i + nodes - 1) % nodes] +
							    k],
				};
}

/* By how many ranks, of the *all that each node has. */
static int k_read(struct plan *plan, int all, struct tmap_error *err)
{
	char doubling[32];

	snprintf(doubling, sizeof doubling, "1..%d", all);
	if (tmap_series_parse(plan->args->lanes ? plan->args->lanes : doubling, 1, all, &plan->k,
			      &plan->k_count, err) < 0)
		return tmap_wrap(err, "--lanes");
	return 0;
}

/* What the first rank of each node exchanges at once is counted by MPI. */
static int sizes_check(const struct plan *plan, int nodes, struct tmap_error *err)
{
	int status = 0;

	if (plan->times.has_collective)
		return tmap_bench_sizes_check(plan->times.collective, plan->bytes, plan->size_count,
					      nodes, err);
	for (int i = 0; i < plan->size_count; i++)
		for (int k = 0; k < plan->k_count && status == 0; k++)
			status =
				tmap_lane_exchange_check_size(plan->bytes[i], (int)plan->k[k], err);
	return status == 0 ? 0 : tmap_wrap(err, "--bytes");
}

/* Collective: where the ranks are has been found out. */
static int plan_place(struct plan *plan, struct tmap_session *session, struct tmap_error *err)
{
	struct tmap_job *job = &session->startup->job;
	struct tmap_lanes lanes;
	int status = tmap_lanes_init(&lanes, &session->times.placement, TMAP_NONE, err);

	if (status == 0) {
		status = lanes_check(&lanes, err);
		if (status == 0)
			status = k_read(plan, tmap_lanes_ranks(&lanes, 0), err);
		if (status == 0)
			status = sizes_check(plan, lanes.node_count, err);
		place_find(&plan->place, &lanes, job->rank);
		tmap_lanes_fini(&lanes);
	}
	plan->times.job = &session->times;
	status = tmap_job_agree(job, status, err);
	return status == 0 ? tmap_job_check(job,
					    MPI_Comm_split(job->world, plan->place.lane,
							   plan->place.node, &plan->lane),
					    "MPI_Comm_split", err) :
			     -1;
}

/* Collective: a collective on each of the first lanes, or the lane pattern. */
static int subject_init(struct tmap_bench_subject *subject, const struct plan *plan,
			struct tmap_session *session, int64_t bytes, int lanes,
			struct tmap_error *err)
{
	struct tmap_job *job = &session->startup->job;
	bool has_part = plan->place.lane < lanes;
	struct tmap_lane_exchange exchange = { 0 };
	int status = 0;

	if (plan->times.has_collective) {
		enum tmap_collective collective = plan->times.collective;
		struct tmap_call call = { .choice =
						  tmap_spec_preset(tmap_algorithms(collective), 0),
					  .size = plan->place.node_count,
					  .bytes = bytes };

		return tmap_bench_subject_init_native(subject, job,
						      has_part ? plan->lane : MPI_COMM_NULL,
						      plan->place.node, &call, err);
	}
	if (has_part)
		status = tmap_lane_exchange_init(&exchange, &plan->place, session->channel.comm,
						 bytes, lanes, plan->times.exchanges, err);
	tmap_bench_subject_init_exchange_take(subject, has_part ? &exchange : NULL);
	return tmap_job_agree(job, status, err);
}

struct addition {
	struct tmap_lane_times *times;
	int64_t bytes;
	int lanes;
	struct tmap_experiment *from;
};

static int experiment_add(void *data, struct tmap_error *err)
{
	const struct addition *it = data;

	return tmap_lane_times_add_take(it->times, it->bytes, it->lanes, it->from, err);
}

/* Collective: one experiment. */
static int lanes_measure(struct plan *plan, struct tmap_session *session, int64_t bytes, int lanes,
			 struct tmap_error *err)
{
	struct tmap_job *job = &session->startup->job;
	const char *call = plan->times.has_collective ?
		tmap_collective_rows[plan->times.collective].word.name :
		"the exchange";
	struct tmap_bench_subject subject;
	struct tmap_experiment it = { 0 };
	char size[TMAP_UNITS_ROOM], next[100], what[100];
	int status;

	tmap_units_print_bytes(bytes, size);
	snprintf(what, sizeof what, "%s over %d lane%s (%s)", call, lanes, lanes == 1 ? "" : "s",
		 size);
	snprintf(next, sizeof next, "%s over %d lane%s, %s", call, lanes, lanes == 1 ? "" : "s",
		 size);
	tmap_session_note_next(session, next);
	status = subject_init(&subject, plan, session, bytes, lanes, err);
	if (status == 0)
		status = tmap_session_time(
			session, &subject,
			&(struct tmap_session_addition){
				what, &it, experiment_add,
				&(struct addition){ &plan->times, bytes, lanes, &it } },
			err);
	if (!job->broken)
		tmap_bench_subject_fini(&subject);
	tmap_experiment_fini(&it);
	return status;
}

/* Collective: all sizes and numbers of lanes, in random order. */
static int plan_measure(struct plan *plan, struct tmap_session *session, struct tmap_error *err)
{
	int count = plan->size_count * plan->k_count, *order, status;

	tmap_session_plan(session, count);
	status = tmap_session_order(session, plan->args->seed, count, &order, err);
	for (int i = 0; i < count && status == 0; i++)
		status = lanes_measure(plan, session, plan->bytes[order[i] / plan->k_count],
				       (int)plan->k[order[i] % plan->k_count], err);
	free(order);
	return status;
}

/* Rank 0. */
static int times_write(struct tmap_session *session, struct tmap_error *err)
{
	struct plan *plan = session->write_data;
	const struct tmap_bench_args *args = session->args;
	FILE *out = session->out.file;
	int status = tmap_lane_times_finish(&plan->times, err);

	if (status == 0)
		status = args->format == TMAP_FORMAT_JSON ?
			tmap_json_write_lane_times(out, &plan->times, args->raw, err) :
			args->format == TMAP_FORMAT_CSV ?
			tmap_csv_write_lane_times(out, &plan->times, err) :
			tmap_text_write_lane_times(out, &plan->times, err);
	return tmap_output_end(&session->out, status, err);
}

int tmap_bench_lanes(struct tmap_startup *startup, const void *data, struct tmap_error *err)
{
	struct plan plan = { .args = data, .lane = MPI_COMM_NULL };
	struct tmap_repetition_rule rule;
	struct tmap_session session;
	struct tmap_job *job = &startup->job;
	int status = tmap_job_agree(job, plan_read(&plan, &rule, err), err);

	if (status == 0) {
		status = tmap_session_init(&session, startup, &plan.args->common, &rule, err);
		session.timing.keeps_raw = true;
		session.write = times_write;
		session.write_data = &plan;
		if (status == 0)
			status = plan_place(&plan, &session, err);
		if (status == 0)
			status = plan_measure(&plan, &session, err);
		status = tmap_session_end(&session, status, err);
		tmap_session_fini(&session);
	}
	plan_fini(&plan, job);
	return status;
}

const struct tmap_command tmap_bench_lanes_command = {
	.name = "bench-lanes",
	.invocation = "topomap-bench lanes",
	.summary = "measure over how many ranks a node communicates fastest",
	.description =
		"An MPI program: start it as you start your job, with its ranks close to different "
		"network adapters. Each node sends its bytes to the next one and receives as "
		"many, over 1, 2 and more of its ranks; the speed-up says how many lanes there are.",
	.options = options,
	.args_size = sizeof(struct lanes_args),
	.examples = examples,
};
