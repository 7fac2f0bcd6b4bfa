/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_run/bench/bench_subject.h"

#include "core/algorithms/catalogue.h"
#include "mpi_run/bench/neighbor_comm.h"

static struct tmap_arguments arguments_of(const struct tmap_bench_data *data)
{
	const struct tmap_collective_row *row = &tmap_collective_rows[data->collective];
	int64_t count = data->bytes / data->element;
	const MPI_Datatype type = tmap_native_type(data);
	struct tmap_arguments made = {
		.send = { .buffer = data->send, .count = count, .type = type },
		.recv = { .buffer = data->recv, .count = count, .type = type },
		.op = row->reduces ? tmap_native_op(data) : MPI_OP_NULL,
	};

	if (data->collective == TMAP_REDUCE_SCATTER) {
		made.send.counts = data->counts;
		made.send.displacements = data->displacements;
		made.recv.count = data->counts[data->rank];
		made.is_irregular = count % data->size != 0;
	}
	return made;
}

/* What an algorithm of ours keeps from call to call. */
static const enum tmap_keeping keeping_of[] = {
	[TMAP_BLOCKING] = TMAP_KEEP_DATATYPES,  [TMAP_NONBLOCKING] = TMAP_KEEP_DATATYPES,
	[TMAP_PERSISTENT] = TMAP_KEEP_REQUESTS, [TMAP_NAIVE] = TMAP_KEEP_NOTHING,
	[TMAP_SCHEDULE] = TMAP_KEEP_SCHEDULE,
};

static int native_begin(struct tmap_bench_subject *it, struct tmap_job *job,
			const struct tmap_candidate *candidate, const struct tmap_call *call,
			struct tmap_error *err)
{
	MPI_Comm comm = job->world;
	int status = 0;

	if (candidate->words) {
		status = tmap_job_agree(
			job, tmap_knob_set(&it->knob, it->data.collective, candidate->words, err),
			err);
		if (status == 0) {
			status = tmap_channel_init(&it->own, job->world, err);
			job->broken = status < 0;
			comm = it->own.comm;
		}
	}
	if (status == 0 && tmap_collective_rows[it->data.collective].has_neighbors) {
		status = tmap_virtual_run_check_library(err);
		if (status == 0)
			status = tmap_job_check(job,
						tmap_neighbor_comm_make(job->world,
									call->neighborhood,
									&it->data, &it->neighbors),
						"a communicator of neighbors", err);
		comm = it->neighbors;
	}
	return status == 0 ?
		tmap_job_check(job, tmap_native_init(&it->native, &it->data, it->mode, comm),
			       "a collective of MPI", err) :
		-1;
}

int tmap_bench_subject_init(struct tmap_bench_subject *subject, struct tmap_job *job,
			    struct tmap_channel *channel, const struct tmap_candidate *candidate,
			    const struct tmap_call *call, enum tmap_mode mode,
			    struct tmap_error *err)
{
	const bool has_neighbors =
		tmap_collective_rows[tmap_call_algorithm(call)->collective].has_neighbors;
	struct tmap_arguments arguments;
	int status = tmap_call_check(call, err);

	*subject = (struct tmap_bench_subject){ .mode = mode,
						.own.comm = MPI_COMM_NULL,
						.neighbors = MPI_COMM_NULL,
						.native.request = MPI_REQUEST_NULL };
	if (status < 0 && candidate->is_native && !candidate->words &&
	    !(has_neighbors && !call->neighborhood))
		status = 0; /* the library's choice is its own */
	if (status == 0)
		status = tmap_bench_data_init(&subject->data, call, job->rank, err);
	status = tmap_job_agree(job, status, err);
	if (status < 0)
		return -1;
	if (candidate->mockup) {
		status = tmap_mockup_init(&subject->mockup, candidate->mockup, &subject->data,
					  job->world, err);
		return tmap_job_agree(job, status, err);
	}
	if (candidate->is_native)
		return native_begin(subject, job, candidate, call, err);
	arguments = arguments_of(&subject->data);
	arguments.by_rounds = candidate->by_rounds;
	subject->operation = tmap_operation_new(channel, call, &arguments, keeping_of[mode], err);
	return tmap_job_agree(job, subject->operation ? 0 : -1, err);
}

static struct tmap_bench_subject subject_idle(void)
{
	return (struct tmap_bench_subject){ .own.comm = MPI_COMM_NULL,
					    .neighbors = MPI_COMM_NULL,
					    .native.request = MPI_REQUEST_NULL,
					    .is_idle = true };
}

void tmap_bench_subject_init_exchange_take(struct tmap_bench_subject *subject,
					   struct tmap_lane_exchange *exchange)
{
	*subject = subject_idle();
	if (!exchange)
		return;
	subject->is_idle = false;
	subject->exchange = *exchange;
	*exchange = (struct tmap_lane_exchange){ 0 };
}

int tmap_bench_subject_init_native(struct tmap_bench_subject *subject, struct tmap_job *job,
				   MPI_Comm comm, int rank, const struct tmap_call *call,
				   struct tmap_error *err)
{
	int status = 0;

	*subject = subject_idle();
	if (comm != MPI_COMM_NULL) {
		subject->is_idle = false;
		status = tmap_bench_data_init(&subject->data, call, rank, err);
	}
	status = tmap_job_agree(job, status, err);
	if (status == 0 && !subject->is_idle)
		tmap_native_init(&subject->native, &subject->data, TMAP_BLOCKING, comm);
	return status;
}

int tmap_bench_subject_init_virtual(struct tmap_bench_subject *subject, struct tmap_job *job,
				    const struct tmap_virtual_key *key, int64_t bytes,
				    struct tmap_error *err)
{
	*subject = subject_idle();
	subject->is_idle = false;
	return tmap_virtual_run_init(&subject->virtual_run, job, key, bytes, err);
}

static bool is_virtual(const struct tmap_bench_subject *subject)
{
	return subject->virtual_run.key.call != TMAP_NO_VIRTUAL;
}

void tmap_bench_subject_fill(struct tmap_bench_subject *subject, uint64_t round)
{
	if (is_virtual(subject)) {
		tmap_virtual_run_fill(&subject->virtual_run, round);
		return;
	}
	if (subject->exchange.exchanges)
		tmap_lane_exchange_fill(&subject->exchange, round);
	else if (!subject->is_idle)
		tmap_bench_data_fill(&subject->data, round);
}

bool tmap_bench_subject_check(struct tmap_bench_subject *subject, struct tmap_bench_fault *fault)
{
	if (is_virtual(subject))
		return tmap_virtual_run_check(&subject->virtual_run, fault);
	if (subject->exchange.exchanges)
		return tmap_lane_exchange_check(&subject->exchange, fault);
	return subject->is_idle || tmap_bench_data_check(&subject->data, fault);
}

void tmap_bench_subject_fini(struct tmap_bench_subject *subject)
{
	tmap_operation_free(subject->operation);
	tmap_native_fini(&subject->native);
	tmap_mockup_fini(&subject->mockup);
	tmap_lane_exchange_fini(&subject->exchange);
	tmap_virtual_run_fini(&subject->virtual_run);
	if (subject->neighbors != MPI_COMM_NULL)
		MPI_Comm_free(&subject->neighbors);
	tmap_channel_fini(&subject->own);
	tmap_knob_reset(&subject->knob);
	tmap_bench_data_fini(&subject->data);
	subject->operation = NULL;
}

int tmap_bench_subject_call(struct tmap_bench_subject *subject, struct tmap_error *err)
{
	bool ended = false;

	if (subject->is_idle)
		return 0;
	if (is_virtual(subject))
		return tmap_mpi_check(tmap_virtual_run_call(&subject->virtual_run),
				      "a call on a virtual topology", err);
	if (subject->exchange.exchanges)
		return tmap_mpi_check(tmap_lane_exchange_call(&subject->exchange), "MPI_Sendrecv",
				      err);
	if (subject->mockup.row)
		return tmap_mpi_check(tmap_mockup_call(&subject->mockup), "a collective of MPI",
				      err);
	if (!subject->operation)
		return tmap_mpi_check(tmap_native_call(&subject->native), "a collective of MPI",
				      err);
	if (subject->mode != TMAP_NONBLOCKING)
		return tmap_operation_run(subject->operation, err);
	if (tmap_operation_start(subject->operation, err) < 0)
		return -1;
	while (!ended)
		if (tmap_operation_test(subject->operation, false, &ended, err) < 0)
			return -1;
	return 0;
}

int tmap_bench_subject_rest(struct tmap_bench_subject *subject, struct tmap_error *err)
{
	return is_virtual(subject) ?
		tmap_mpi_check(tmap_virtual_run_rest(&subject->virtual_run), "MPI_Comm_free", err) :
		0;
}
