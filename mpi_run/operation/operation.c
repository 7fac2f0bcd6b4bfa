/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_run/operation/operation.h"

#include "core/algorithms/catalogue.h"
#include "core/base/mem.h"
#include "core/base/rare.h"
#include "core/schedule/neighborhood.h"

#include <inttypes.h>
#include <stdlib.h>

/* What MPI's ints are to the layout. */
struct described {
	int64_t *counts, *offsets;
	int *types;
};

struct tmap_operation {
	struct tmap_call call;
	int rank;
	struct tmap_layout layout;
	int type_count;
	MPI_Datatype *type;
	struct tmap_data_element *element;
	struct described send, recv;
	int *sources;
	char *area[TMAP_AREAS];
	MPI_Op op;
	enum tmap_keeping keeping;
	bool by_rounds;
	const struct tmap_channel *channel;
	int tag;

	/* the schedule, and what executes it */
	struct tmap_steps steps;
	char *scratch;
	struct tmap_mpi_transport transport;
	struct tmap_execution execution;
};

static enum tmap_collective collective_of(const struct tmap_operation *it)
{
	return tmap_call_algorithm(&it->call)->collective;
}

static int type_add(struct tmap_operation *it, MPI_Datatype type, int *number,
		    struct tmap_error *err)
{
	for (*number = 0; *number < it->type_count; ++*number)
		if (it->type[*number] == type)
			return 0;
	it->type[it->type_count] = type;
	return tmap_element_of_type(type, &it->element[it->type_count++], err);
}

static int blocks_count_check(const struct tmap_operation *it, const struct tmap_blocks *blocks,
			      int count, const char *buffer, struct tmap_error *err)
{
	const struct tmap_data_element *element = &it->element[blocks->type];
	int64_t wide = element->extent < 0 ? -element->extent : element->extent, bytes;

	wide = wide < element->span ? element->span : wide;
	if (!__builtin_mul_overflow(blocks->count, wide, &bytes) &&
	    !__builtin_mul_overflow(count, bytes, &bytes))
		return 0;
	return tmap_fail(err, TMAP_INPUT,
			 "%s: the %s has %" PRId64 " elements of %" PRId64
			 " bytes%s, more than 64 bits count",
			 tmap_collective_rows[collective_of(it)].word.name, buffer, blocks->count,
			 wide, count > 1 ? " for each rank" : "");
}

/* Blocks of any counts, and of any types. */
static int describe_irregular(struct tmap_operation *it, const struct tmap_argument *argument,
			      int blocks, struct described *described, struct tmap_blocks *to,
			      struct tmap_error *err)
{
	size_t count = (size_t)blocks;

	described->counts = tmap_alloc_raw(count, sizeof *described->counts, err);
	described->offsets = tmap_alloc_raw(count, sizeof *described->offsets, err);
	if (!described->counts || !described->offsets)
		return -1;
	if (argument->types) {
		described->types = tmap_alloc_raw(count, sizeof *described->types, err);
		if (!described->types)
			return -1;
	}
	for (int b = 0; b < blocks; b++) {
		if (argument->types &&
		    type_add(it, argument->types[b], &described->types[b], err) < 0)
			return -1;
		described->counts[b] = argument->counts[b];
		described->offsets[b] = argument->byte_displacements ?
			argument->byte_displacements[b] :
			argument->displacements[b] *
				(argument->types ? 1 : it->element[to->type].extent);
	}
	to->counts = described->counts;
	to->offsets = described->offsets;
	to->types = described->types;
	return 0;
}

static int describe(struct tmap_operation *it, const struct tmap_argument *argument,
		    const char *buffer, int blocks, struct described *described,
		    struct tmap_blocks *to, struct tmap_error *err)
{
	to->count = argument->count;
	if (!blocks)
		return 0;
	if (!argument->types && type_add(it, argument->type, &to->type, err) < 0)
		return -1;
	return argument->counts ? describe_irregular(it, argument, blocks, described, to, err) :
				  blocks_count_check(it, to, blocks, buffer, err);
}

static int layout_init(struct tmap_operation *it, const struct tmap_arguments *arguments,
		       struct tmap_argument_blocks blocks, struct tmap_error *err)
{
	size_t most = (arguments->send.types ? (size_t)blocks.sent : 1) +
		(arguments->recv.types ? (size_t)blocks.received : 1);

	it->type = tmap_alloc_raw(most, sizeof(MPI_Datatype), err);
	it->element = tmap_alloc_raw(most, sizeof *it->element, err);
	if (!it->type || !it->element)
		return -1;
	it->layout.type = it->element;
	it->layout.in_place = tmap_arguments_in_place(arguments, &it->call, it->rank);
	return describe(it, &arguments->send, "send", blocks.sent, &it->send, &it->layout.send,
			err) < 0 ||
			describe(it, &arguments->recv, "receive", blocks.received, &it->recv,
				 &it->layout.recv, err) < 0 ?
		-1 :
		0;
}

/* Bytes of the element that the call counts in, and of all of it. */
static void call_fill(struct tmap_operation *it, struct tmap_argument_blocks known,
		      bool is_irregular)
{
	const struct tmap_blocks *blocks = known.received ? &it->layout.recv : &it->layout.send;
	enum tmap_collective collective = collective_of(it);
	int64_t size;

	it->call.element = it->call.bytes = 0;
	if (collective == TMAP_BARRIER)
		return;
	if (is_irregular) { /* any size that leaves no block empty */
		it->call.bytes = collective == TMAP_REDUCE_SCATTER ? it->call.size : 1;
		return;
	}
	size = it->element[blocks->type].size;
	it->call.bytes = blocks->count * size;
	if (collective == TMAP_REDUCE_SCATTER)
		it->call.bytes *= it->call.size;
	if (size && tmap_collective_rows[collective].cuts_vector)
		it->call.element = size;
}

/* A row that could make this call and keeps the order of what it reduces; NULL: there is none. */
static const char *name_in_order(const struct tmap_call *call)
{
	const struct tmap_keywords *words = tmap_algorithms(tmap_call_algorithm(call)->collective);
	struct tmap_call other = *call;
	struct tmap_error err;

	for (int row = 0; tmap_keywords_at(words, (size_t)row); row++) {
		other.choice = tmap_spec_preset(words, row);
		if (tmap_call_algorithm(&other)->in_order && tmap_call_check(&other, &err) == 0)
			return other.choice.row->word.name;
	}
	return NULL;
}

/* What MPI asks of an operation, and of blocks of any sizes. */
static int check(const struct tmap_operation *it, const struct tmap_arguments *arguments,
		 bool is_irregular, struct tmap_error *err)
{
	const struct tmap_algorithm *algorithm = tmap_call_algorithm(&it->call);
	const struct tmap_collective_row *row = &tmap_collective_rows[algorithm->collective];
	int commutes = 1;

	if (row->reduces &&
	    tmap_mpi_check(MPI_Op_commutative(arguments->op, &commutes), "MPI_Op_commutative",
			   err) < 0)
		return -1;
	if (!commutes && !algorithm->in_order) {
		const char *other = name_in_order(&it->call);

		return tmap_fail(err, TMAP_INPUT,
				 "%s changes the order of what it reduces, and the operation does "
				 "not commute%s%s%s",
				 algorithm->choice.word.name, other ? "; " : "", other ? other : "",
				 other ? " keeps it" : "");
	}
	if (is_irregular && !tmap_call_is_direct(&it->call) &&
	    (algorithm->collective == TMAP_GATHER || algorithm->collective == TMAP_SCATTER ||
	     algorithm->collective == TMAP_ALLTOALL))
		return tmap_fail(err, TMAP_INPUT,
				 "%s %s hands on blocks whose sizes only other ranks know",
				 row->word.name, algorithm->choice.word.name);
	return tmap_call_check(&it->call, err);
}

static int schedule_init(struct tmap_operation *it, struct tmap_error *err)
{
	if (tmap_steps_init(&it->steps, &it->call, it->rank, &it->layout, it->by_rounds, err) < 0)
		return -1;
	it->scratch = tmap_alloc_raw((size_t)it->steps.scratch_bytes, 1, err);
	it->area[TMAP_SCRATCH_AREA] = it->scratch;
	return it->scratch &&
			tmap_mpi_transport_init(&it->transport, it->channel, it->tag, &it->steps,
						it->type, it->element, it->op, it->keeping,
						it->area, err) == 0 ?
		tmap_execution_init(&it->execution, &it->steps, it->area, &it->transport.transport,
				    err) :
		-1;
}

static void schedule_fini(struct tmap_operation *it)
{
	tmap_execution_fini(&it->execution);
	if (tmap_mpi_transport_fini(&it->transport))
		free(it->scratch);
	tmap_steps_fini(&it->steps);
	it->scratch = NULL;
}

/* What is the same whatever is kept: the call and the layout of its buffers. */
static int call_init(struct tmap_operation *it, const struct tmap_arguments *arguments,
		     struct tmap_error *err)
{
	const struct tmap_neighborhood *neighborhood = it->call.neighborhood;
	struct tmap_argument_blocks blocks;

	if (tmap_root_check(it->call.root, it->call.size, err) < 0 ||
	    tmap_arguments_check(arguments, &it->call, it->rank, err) < 0)
		return -1;
	blocks = tmap_arguments_blocks(arguments, &it->call, it->rank);
	if (layout_init(it, arguments, blocks, err) < 0)
		return -1;
	call_fill(it, blocks, arguments->is_irregular);
	if (check(it, arguments, arguments->is_irregular, err) < 0 ||
	    tmap_call_resolve(&it->call, &it->call.choice, err) < 0)
		return -1;
	if (!neighborhood)
		return 0;
	it->layout.sources = it->sources =
		tmap_alloc_raw((size_t)neighborhood->degree, sizeof *it->sources, err);
	if (!it->sources)
		return -1;
	tmap_neighborhood_sources(neighborhood, it->rank, it->sources);
	return 0;
}

struct tmap_operation *tmap_operation_new(struct tmap_channel *channel,
					  const struct tmap_call *call,
					  const struct tmap_arguments *arguments,
					  enum tmap_keeping keeping, struct tmap_error *err)
{
	/* first: also where one rank's is refused, the tags of the next are the same everywhere */
	int tag = tmap_channel_tag(channel);
	struct tmap_operation *it = tmap_alloc(1, sizeof *it, err);

	if (!it)
		return NULL;
	it->call = *call;
	it->call.size = channel->size;
	it->rank = channel->rank;
	it->channel = channel;
	it->tag = tag;
	it->keeping = keeping;
	it->op = arguments->op;
	it->by_rounds = arguments->by_rounds;
	it->area[TMAP_SEND_AREA] = arguments->send.buffer;
	it->area[TMAP_RECV_AREA] = arguments->recv.buffer;
	if (call_init(it, arguments, err) < 0 ||
	    (keeping != TMAP_KEEP_NOTHING && schedule_init(it, err) < 0)) {
		tmap_operation_free(it);
		return NULL;
	}
	return it;
}

void tmap_operation_free(struct tmap_operation *operation)
{
	if (!operation)
		return;
	schedule_fini(operation);
	free(operation->sources);
	free(operation->type);
	free(operation->element);
	free(operation->send.counts);
	free(operation->send.offsets);
	free(operation->send.types);
	free(operation->recv.counts);
	free(operation->recv.offsets);
	free(operation->recv.types);
	free(operation);
}

/* Where nothing is kept the schedule is made anew. */
static TMAP_RARE int schedule_begin(struct tmap_operation *it, struct tmap_error *err)
{
	schedule_fini(it);
	return schedule_init(it, err);
}

static void schedule_end(struct tmap_operation *it)
{
	if (it->keeping == TMAP_KEEP_NOTHING)
		schedule_fini(it);
}

int tmap_operation_start(struct tmap_operation *operation, struct tmap_error *err)
{
	if (operation->keeping == TMAP_KEEP_NOTHING && schedule_begin(operation, err) < 0)
		return -1;
	return tmap_execution_start(&operation->execution, err);
}

int tmap_operation_test(struct tmap_operation *operation, bool waits, bool *ended,
			struct tmap_error *err)
{
	if (tmap_execution_test(&operation->execution, waits, ended, err) < 0)
		return -1;
	if (*ended)
		schedule_end(operation);
	return 0;
}

static TMAP_RARE int run_anew(struct tmap_operation *operation, struct tmap_error *err)
{
	if (schedule_begin(operation, err) < 0 ||
	    tmap_execution_run(&operation->execution, err) < 0)
		return -1;
	schedule_end(operation);
	return 0;
}

int tmap_operation_run(struct tmap_operation *operation, struct tmap_error *err)
{
	return operation->keeping == TMAP_KEEP_NOTHING ?
		run_anew(operation, err) :
		tmap_execution_run(&operation->execution, err);
}
