/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_run/operation/arguments.h"

#include "core/schedule/neighborhood.h"
#include "mpi_run/operation/channel.h"

#include <inttypes.h>

static enum tmap_collective collective_of(const struct tmap_call *call)
{
	return tmap_call_algorithm(call)->collective;
}

/* Of each buffer, whatever is in place. */
static int blocks_sent(const struct tmap_call *call, int rank)
{
	switch (collective_of(call)) {
	case TMAP_SCATTER:
		return rank == call->root ? call->size : 0;
	case TMAP_ALLTOALL:
	case TMAP_REDUCE_SCATTER:
	case TMAP_REDUCE_SCATTER_BLOCK:
		return call->size;
	case TMAP_NEIGHBOR_ALLTOALL:
		return call->neighborhood->degree;
	case TMAP_BCAST:
	case TMAP_BARRIER:
		return 0;
	default:
		return 1;
	}
}

static int blocks_received(const struct tmap_call *call, int rank)
{
	switch (collective_of(call)) {
	case TMAP_GATHER:
		return rank == call->root ? call->size : 0;
	case TMAP_ALLGATHER:
	case TMAP_ALLTOALL:
		return call->size;
	case TMAP_NEIGHBOR_ALLGATHER:
	case TMAP_NEIGHBOR_ALLTOALL:
		return call->neighborhood->degree;
	case TMAP_BARRIER:
		return 0;
	default:
		return 1;
	}
}

/* ---- MPI_IN_PLACE ---- */

static bool sends_in_place(const struct tmap_arguments *arguments, const struct tmap_call *call,
			   int rank)
{
	return arguments->send.buffer == MPI_IN_PLACE && blocks_sent(call, rank);
}

/* What is reduced to another rank may be kept in this one's, which means nothing to MPI. */
static bool receives_in_place(const struct tmap_arguments *arguments, const struct tmap_call *call,
			      int rank)
{
	return arguments->recv.buffer == MPI_IN_PLACE && blocks_received(call, rank) &&
		(collective_of(call) != TMAP_REDUCE || rank == call->root);
}

bool tmap_arguments_in_place(const struct tmap_arguments *arguments, const struct tmap_call *call,
			     int rank)
{
	return sends_in_place(arguments, call, rank) || receives_in_place(arguments, call, rank);
}

struct tmap_argument_blocks tmap_arguments_blocks(const struct tmap_arguments *arguments,
						  const struct tmap_call *call, int rank)
{
	/* in place, only a reduce_scatter needs to know the blocks that it is made of */
	bool is_known = sends_in_place(arguments, call, rank) &&
		!tmap_collective_rows[collective_of(call)].reduces;

	return (struct tmap_argument_blocks){
		.sent = is_known ? 0 : blocks_sent(call, rank),
		.received = arguments->recv.buffer == MPI_IN_PLACE ? 0 :
								     blocks_received(call, rank),
	};
}

static int in_place_check(const struct tmap_arguments *arguments, const struct tmap_call *call,
			  int rank, struct tmap_error *err)
{
	const struct tmap_collective_row *row = &tmap_collective_rows[collective_of(call)];
	bool is_scatter = collective_of(call) == TMAP_SCATTER;

	if (sends_in_place(arguments, call, rank) && (is_scatter || row->has_neighbors))
		return tmap_fail(err, TMAP_INPUT, "%s: MPI_IN_PLACE is no send buffer",
				 row->word.name);
	if (receives_in_place(arguments, call, rank) && !is_scatter)
		return tmap_fail(err, TMAP_INPUT, "%s: MPI_IN_PLACE is no receive buffer",
				 row->word.name);
	if (row->has_root && rank != call->root && tmap_arguments_in_place(arguments, call, rank))
		return tmap_fail(err, TMAP_INPUT,
				 "%s: MPI_IN_PLACE is the root's, which is rank %d and not rank %d",
				 row->word.name, call->root, rank);
	return 0;
}

/* ---- counts and handles ---- */

static int argument_check(const struct tmap_argument *argument, const char *buffer, int blocks,
			  const struct tmap_call *call, struct tmap_error *err)
{
	const char *name = tmap_collective_rows[collective_of(call)].word.name;

	for (int b = 0; b < (argument->counts || argument->types ? blocks : 1) && blocks; b++) {
		int64_t count = argument->counts ? argument->counts[b] : argument->count;

		if (count < 0)
			return tmap_fail(err, TMAP_INPUT, "%s: the %s has %" PRId64 " elements",
					 name, buffer, count);
		if ((argument->types ? argument->types[b] : argument->type) == MPI_DATATYPE_NULL)
			return tmap_fail(err, TMAP_INPUT, "%s: the %s has no datatype", name,
					 buffer);
	}
	return 0;
}

static bool is_of_mpi(MPI_Op op)
{
	const MPI_Op known[] = { MPI_SUM, MPI_PROD, MPI_MAX,  MPI_MIN,  MPI_LAND,   MPI_BAND,
				 MPI_LOR, MPI_BOR,  MPI_LXOR, MPI_BXOR, MPI_MAXLOC, MPI_MINLOC };

	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (op == known[i])
			return true;
	return false;
}

static int op_check(const struct tmap_arguments *arguments, const struct tmap_call *call,
		    struct tmap_error *err)
{
	const char *name = tmap_collective_rows[collective_of(call)].word.name;
	int integers, addresses, types, combiner;

	if (arguments->op == MPI_OP_NULL)
		return tmap_fail(err, TMAP_INPUT, "%s: there is no operation", name);
	if (!is_of_mpi(arguments->op))
		return 0;
	if (tmap_mpi_check(MPI_Type_get_envelope(arguments->recv.type, &integers, &addresses,
						 &types, &combiner),
			   "MPI_Type_get_envelope", err) < 0)
		return -1;
	if (combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_DUP ||
	    combiner == MPI_COMBINER_F90_REAL || combiner == MPI_COMBINER_F90_INTEGER ||
	    combiner == MPI_COMBINER_F90_COMPLEX)
		return 0;
	return tmap_fail(err, TMAP_INPUT,
			 "%s: the operation is MPI's own and takes no derived datatypes", name);
}

int tmap_arguments_check(const struct tmap_arguments *arguments, const struct tmap_call *call,
			 int rank, struct tmap_error *err)
{
	struct tmap_argument_blocks blocks = tmap_arguments_blocks(arguments, call, rank);

	if (in_place_check(arguments, call, rank, err) < 0 ||
	    argument_check(&arguments->send, "send", blocks.sent, call, err) < 0 ||
	    argument_check(&arguments->recv, "receive", blocks.received, call, err) < 0)
		return -1;
	return tmap_collective_rows[collective_of(call)].reduces ? op_check(arguments, call, err) :
								   0;
}
