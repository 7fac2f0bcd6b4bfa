/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * collectives - call collectives of the MPI library, each by the algorithm that options select,
 * and say how long they took, or who sent how much to whom. For tests under mpirun.
 *
 *     mpirun ... collectives times REPETITIONS PLAN
 *     mpirun ... collectives traffic PLAN
 *
 * A line of PLAN is
 *
 *     LABEL COLLECTIVE BYTES ROOT [--mca NAME VALUE]...
 *
 * Neighbours are those of a periodic grid of two dimensions, as MPI_Dims_create() divides it.
 *
 * Open MPI looks at its options when a communicator is made, and its tools interface sets them
 * while the job runs: so one job can try many. Each call is on a communicator of its own, and
 * the options are afterwards as they were. What is reduced are bytes, by exclusive or.
 *
 * times prints "LABEL median least" in seconds, of the slowest rank; traffic prints
 * "LABEL,from,to,messages,bytes".
 */
#include "tests/mpi/traffic.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OPTIONS = 8, MOST_REPETITIONS = 100, LINE = 1000 };

#define LONG_S 0.7

struct call {
	MPI_Comm comm, grid; /* a periodic grid of two dimensions */
	int rank, size, root;
	int bytes;
	char *send, *receive;
	int *counts; /* how bytes are cut into blocks, the first ones larger */
};

static void stop(const char *what, const char *value)
{
	fprintf(stderr, "collectives: %s '%s'\n", what, value);
	MPI_Abort(MPI_COMM_WORLD, 3);
}

static void *allocate(size_t count, size_t each)
{
	void *memory = calloc(count ? count : 1, each);

	if (!memory)
		stop("no memory for", "buffers");
	return memory;
}

static void allgather(const struct call *c)
{
	MPI_Allgather(c->send, c->bytes, MPI_BYTE, c->receive, c->bytes, MPI_BYTE, c->comm);
}

static void bcast(const struct call *c)
{
	MPI_Bcast(c->send, c->bytes, MPI_BYTE, c->root, c->comm);
}

static void reduce(const struct call *c)
{
	MPI_Reduce(c->send, c->receive, c->bytes, MPI_BYTE, MPI_BXOR, c->root, c->comm);
}

static void allreduce(const struct call *c)
{
	MPI_Allreduce(c->send, c->receive, c->bytes, MPI_BYTE, MPI_BXOR, c->comm);
}

static void reduce_scatter(const struct call *c)
{
	MPI_Reduce_scatter(c->send, c->receive, c->counts, MPI_BYTE, MPI_BXOR, c->comm);
}

static void reduce_scatter_block(const struct call *c)
{
	MPI_Reduce_scatter_block(c->send, c->receive, c->bytes, MPI_BYTE, MPI_BXOR, c->comm);
}

static void gather(const struct call *c)
{
	MPI_Gather(c->send, c->bytes, MPI_BYTE, c->receive, c->bytes, MPI_BYTE, c->root, c->comm);
}

static void scatter(const struct call *c)
{
	MPI_Scatter(c->send, c->bytes, MPI_BYTE, c->receive, c->bytes, MPI_BYTE, c->root, c->comm);
}

static void alltoall(const struct call *c)
{
	MPI_Alltoall(c->send, c->bytes, MPI_BYTE, c->receive, c->bytes, MPI_BYTE, c->comm);
}

static void scan(const struct call *c)
{
	MPI_Scan(c->send, c->receive, c->bytes, MPI_BYTE, MPI_BXOR, c->comm);
}

static void exscan(const struct call *c)
{
	MPI_Exscan(c->send, c->receive, c->bytes, MPI_BYTE, MPI_BXOR, c->comm);
}

static void barrier(const struct call *c)
{
	MPI_Barrier(c->comm);
}

static void neighbor_allgather(const struct call *c)
{
	MPI_Neighbor_allgather(c->send, c->bytes, MPI_BYTE, c->receive, c->bytes, MPI_BYTE,
			       c->grid);
}

static void neighbor_alltoall(const struct call *c)
{
	MPI_Neighbor_alltoall(c->send, c->bytes, MPI_BYTE, c->receive, c->bytes, MPI_BYTE, c->grid);
}

static const struct {
	const char *name;
	void (*run)(const struct call *c);
} collectives[] = {
	{ "allgather", allgather },
	{ "bcast", bcast },
	{ "reduce", reduce },
	{ "allreduce", allreduce },
	{ "reduce_scatter", reduce_scatter },
	{ "reduce_scatter_block", reduce_scatter_block },
	{ "gather", gather },
	{ "scatter", scatter },
	{ "alltoall", alltoall },
	{ "scan", scan },
	{ "exscan", exscan },
	{ "barrier", barrier },
	{ "neighbor_allgather", neighbor_allgather },
	{ "neighbor_alltoall", neighbor_alltoall },
};

static void (*find(const char *name))(const struct call *c)
{
	for (size_t i = 0; i < sizeof collectives / sizeof collectives[0]; i++)
		if (strcmp(collectives[i].name, name) == 0)
			return collectives[i].run;
	stop("there is no collective", name);
	return NULL;
}

/* Sets an option of the library to a number, which is all that those of coll/tuned are, and
 * returns what it was. */
static int set_option(const char *name, int value)
{
	MPI_T_cvar_handle handle;
	int index, count, was;

	if (MPI_T_cvar_get_index(name, &index) != MPI_SUCCESS ||
	    MPI_T_cvar_handle_alloc(index, NULL, &handle, &count) != MPI_SUCCESS)
		stop("the library has no option", name);
	if (MPI_T_cvar_read(handle, &was) != MPI_SUCCESS ||
	    (was != value && MPI_T_cvar_write(handle, &value) != MPI_SUCCESS))
		stop("the library does not let one set", name);
	MPI_T_cvar_handle_free(&handle);
	return was;
}

/* A communicator as it is with the options of the rest of a plan's line. Whether rules are
 * dynamic at all is decided when the job starts. */
static MPI_Comm communicator_with(char *words)
{
	char *name[MOST_OPTIONS], *word = strtok(words, " \n");
	int was[MOST_OPTIONS], count = 0;
	MPI_Comm comm;

	for (; word; word = strtok(NULL, " \n")) {
		char *value;

		if (strcmp(word, "--mca") != 0 || count == MOST_OPTIONS)
			stop("no option of Open MPI is", word);
		name[count] = strtok(NULL, " \n");
		value = strtok(NULL, " \n");
		if (!name[count] || !value)
			stop("a name and a value are missing after", word);
		if (strcmp(name[count], "coll_tuned_use_dynamic_rules") == 0)
			continue;
		was[count] = set_option(name[count], atoi(value));
		count++;
	}
	MPI_Comm_dup(MPI_COMM_WORLD, &comm);
	while (count-- > 0)
		set_option(name[count], was[count]);
	return comm;
}

static void begin(struct call *c, MPI_Comm comm)
{
	int dims[] = { 0, 0 }, periods[] = { 1, 1 };
	size_t all;

	c->comm = comm;
	MPI_Comm_rank(comm, &c->rank);
	MPI_Comm_size(comm, &c->size);
	MPI_Dims_create(c->size, 2, dims);
	MPI_Cart_create(comm, 2, dims, periods, 0, &c->grid);
	all = (size_t)c->bytes * (size_t)(c->size > 4 ? c->size : 4);
	c->send = allocate(all, 1);
	c->receive = allocate(all, 1);
	c->counts = allocate((size_t)c->size, sizeof *c->counts);
	for (int i = 0; i < c->size; i++)
		c->counts[i] = c->bytes / c->size + (i < c->bytes % c->size);
}

static void end(struct call *c)
{
	MPI_Comm_free(&c->grid);
	free(c->send);
	free(c->receive);
	free(c->counts);
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* What takes long is done once. */
static void time_it(const struct call *c, const char *label, void (*run)(const struct call *),
		    int repetitions)
{
	double seconds[MOST_REPETITIONS], took = 0;
	int count = 0;

	while (count < repetitions && took < LONG_S) {
		MPI_Barrier(MPI_COMM_WORLD);
		took = MPI_Wtime();
		run(c);
		took = MPI_Wtime() - took;
		MPI_Allreduce(MPI_IN_PLACE, &took, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
		seconds[count++] = took;
	}
	if (c->rank == 0) {
		qsort(seconds, (size_t)count, sizeof *seconds, compare);
		printf("%s %.6f %.6f\n", label, seconds[count / 2], seconds[0]);
		fflush(stdout);
	}
}

/* Connections are made with the first message, and fast after some more. */
static void warm_up(MPI_Comm comm)
{
	struct call c = { .bytes = 4096 };

	begin(&c, comm);
	for (int i = 0; i < 3; i++)
		alltoall(&c);
	end(&c);
}

/* What a rank sends to itself goes nowhere. */
static void print_traffic(const char *label, const long *sent, int from, int size)
{
	for (int to = 0; to < size; to++)
		if (sent[to] && to != from)
			printf("%s,%d,%d,%ld,%ld\n", label, from, to, sent[to], sent[size + to]);
	fflush(stdout);
}

/* Rank 0 prints for all, which it hears by messages: collectives are what is tested. */
static void print_in_turn(const char *label, long *sent, const struct call *c)
{
	if (c->rank > 0) {
		MPI_Send(sent, 2 * c->size, MPI_LONG, 0, 0, MPI_COMM_WORLD);
		return;
	}
	print_traffic(label, sent, 0, c->size);
	for (int from = 1; from < c->size; from++) {
		MPI_Recv(sent, 2 * c->size, MPI_LONG, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		print_traffic(label, sent, from, c->size);
	}
}

/* The first call on a communicator may make others. What others have sent for this call may be on
 * its way when it ends here, but not uncounted. */
static void count_it(const struct call *c, const char *label, void (*run)(const struct call *))
{
	size_t size = (size_t)c->size, each = size * sizeof(long);
	long *sent = allocate(2, each);

	run(c);
	MPI_Barrier(MPI_COMM_WORLD);
	memset(traffic_messages, 0, each);
	memset(traffic_bytes, 0, each);
	run(c);
	memcpy(sent, traffic_messages, each);
	memcpy(sent + size, traffic_bytes, each);
	print_in_turn(label, sent, c);
	free(sent);
}

static void follow(FILE *plan, int repetitions)
{
	char line[LINE], label[200], collective[30];

	while (fgets(line, sizeof line, plan)) {
		struct call c = { .rank = 0 };
		void (*run)(const struct call *);
		int at = 0;

		if (sscanf(line, "%199s %29s %d %d %n", label, collective, &c.bytes, &c.root, &at) <
		    4)
			stop("no line of a plan is", line);
		run = find(collective);
		begin(&c, communicator_with(line + at));
		if (repetitions)
			time_it(&c, label, run, repetitions);
		else
			count_it(&c, label, run);
		end(&c);
		MPI_Comm_free(&c.comm);
	}
}

int main(int argc, char **argv)
{
	int repetitions = argc == 4 && strcmp(argv[1], "times") == 0 ? atoi(argv[2]) : 0;
	const char *problem;
	int level, size;
	FILE *plan;

	MPI_Init(&argc, &argv);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_T_init_thread(MPI_THREAD_SINGLE, &level);
	if (argc < 3 || repetitions < 0 || repetitions > MOST_REPETITIONS ||
	    (repetitions == 0 && strcmp(argv[1], "traffic") != 0))
		stop("arguments are 'times REPETITIONS PLAN' or 'traffic PLAN', not", argv[1]);
	plan = fopen(argv[argc - 1], "r");
	if (!plan)
		stop("cannot open", argv[argc - 1]);
	warm_up(MPI_COMM_WORLD);
	problem = repetitions ? NULL : traffic_start(size);
	if (problem)
		stop("traffic cannot be counted:", problem);
	follow(plan, repetitions);
	fclose(plan);
	MPI_T_finalize();
	MPI_Finalize();
	return 0;
}
