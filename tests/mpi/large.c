/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * large - collectives of more bytes, and of more elements, than an int counts, executed over MPI.
 * Oracle: every word of the result follows from its place and from whose it is.
 *
 *     large copy         one rank: an allgather of elements with gaps, 2.3 GB of data
 *     large allgather    two ranks: blocks of 2^31 + 1008 bytes, in place: the second one begins
 *                        behind what an int counts
 *     large allreduce    two ranks: as many bytes, in place, exclusive or
 *
 * Each process takes about 4.5 GB.
 */
#include "core/algorithms/catalogue.h"
#include "mpi_run/operation/operation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DATA = 1 << 20, GAP = 64, ELEMENTS = 2200 };

static const int64_t many = ((int64_t)1 << 31) + 1008;
static int rank, size;
static struct tmap_error err;

static void stop(const char *what, int64_t at)
{
	fprintf(stderr, "large: rank %d: %s (%lld)\n", rank, what, (long long)at);
	MPI_Abort(MPI_COMM_WORLD, 1);
}

static char *room(int64_t bytes)
{
	char *made = malloc((size_t)bytes);

	if (!made)
		stop("no memory", bytes);
	return made;
}

static uint64_t word_of(int whose, int64_t i)
{
	return ((uint64_t)i + 1) * 0x9e3779b97f4a7c15 + (uint64_t)whose * 0x632be59bd9b4e019;
}

static void fill(char *data, int whose, int64_t bytes)
{
	for (int64_t i = 0; i < bytes / 8; i++) {
		uint64_t word = word_of(whose, i);

		memcpy(data + 8 * i, &word, sizeof word);
	}
}

/* Whose: of one rank; TMAP_NONE: all of them combined. */
static void check(const char *data, int whose, int64_t bytes)
{
	for (int64_t i = 0; i < bytes / 8; i++) {
		uint64_t word = 0, is;

		for (int r = 0; r < size; r++)
			if (whose == TMAP_NONE || whose == r)
				word ^= word_of(r, i);
		memcpy(&is, data + 8 * i, sizeof is);
		if (is != word)
			stop("a word is wrong", i);
	}
}

static void execute(enum tmap_collective collective, const char *algorithm,
		    const struct tmap_arguments *arguments)
{
	struct tmap_call call = { 0 };
	struct tmap_channel channel;
	struct tmap_operation *operation = NULL;
	bool ended;

	if (tmap_channel_init(&channel, MPI_COMM_WORLD, &err) < 0 ||
	    tmap_call_parse(&call, collective, algorithm, &err) < 0 ||
	    !(operation =
		      tmap_operation_new(&channel, &call, arguments, TMAP_KEEP_SCHEDULE, &err)) ||
	    tmap_operation_start(operation, &err) < 0 ||
	    tmap_operation_test(operation, true, &ended, &err) < 0)
		stop(err.text, 0);
	tmap_operation_free(operation);
	tmap_channel_fini(&channel);
}

static void copy(void)
{
	struct tmap_arguments arguments = { .op = MPI_OP_NULL };
	const int64_t extent = DATA + GAP;
	MPI_Datatype data, gapped;
	char *send = room(extent * ELEMENTS), *recv = room(extent * ELEMENTS);

	MPI_Type_contiguous(DATA, MPI_BYTE, &data);
	MPI_Type_create_resized(data, 0, extent, &gapped);
	MPI_Type_commit(&gapped);
	memset(recv, 0x5a, (size_t)(extent * ELEMENTS));
	fill(send, 0, extent * ELEMENTS);
	arguments.send =
		(struct tmap_argument){ .buffer = send, .count = ELEMENTS, .type = gapped };
	arguments.recv =
		(struct tmap_argument){ .buffer = recv, .count = ELEMENTS, .type = gapped };
	execute(TMAP_ALLGATHER, "ring", &arguments);
	for (int64_t i = 0; i < ELEMENTS; i++) {
		if (memcmp(send + i * extent, recv + i * extent, DATA) != 0)
			stop("an element is wrong", i);
		for (int64_t k = i * extent + DATA; k < (i + 1) * extent; k++)
			if (recv[k] != 0x5a)
				stop("a gap is written to", i);
	}
	MPI_Type_free(&gapped);
	MPI_Type_free(&data);
	free(send);
	free(recv);
}

static void allgather(void)
{
	struct tmap_arguments arguments = { .op = MPI_OP_NULL };
	char *recv = room(many * size);

	fill(recv + many * rank, rank, many);
	arguments.send = (struct tmap_argument){ .buffer = MPI_IN_PLACE };
	arguments.recv = (struct tmap_argument){ .buffer = recv, .count = many, .type = MPI_BYTE };
	execute(TMAP_ALLGATHER, "ring", &arguments);
	for (int r = 0; r < size; r++)
		check(recv + many * r, r, many);
	free(recv);
}

static void allreduce(void)
{
	struct tmap_arguments arguments = { .op = MPI_BXOR };
	char *recv = room(many);

	fill(recv, rank, many);
	arguments.send =
		(struct tmap_argument){ .buffer = MPI_IN_PLACE, .count = many, .type = MPI_BYTE };
	arguments.recv = (struct tmap_argument){ .buffer = recv, .count = many, .type = MPI_BYTE };
	execute(TMAP_ALLREDUCE, "recursive_doubling", &arguments);
	check(recv, TMAP_NONE, many);
	free(recv);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (strcmp(what, "copy") == 0)
		copy();
	else if (strcmp(what, "allgather") == 0)
		allgather();
	else if (strcmp(what, "allreduce") == 0)
		allreduce();
	else
		stop("usage: large copy|allgather|allreduce", 0);
	if (rank == 0)
		printf("%s of %d ranks is right\n", what, size);
	MPI_Finalize();
	return 0;
}
