/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * defaults - does an MPI library send what topomap says that it sends by itself? For tests under
 * mpirun.
 *
 *     mpirun -n 64 ... defaults LIBRARY NODES PLAN
 *
 * LIBRARY is a name of topomap's; the ranks are on so many NODES, equally many on each, in blocks,
 * or in turn where a 'c' follows ("4c").
 * A line of PLAN is
 *
 *     COLLECTIVE RANKS BYTES ELEMENT ROOT [ALGORITHM|NUMBER/CHILDREN/SEGMENT]
 *
 * which is called on the first RANKS of the job, lines in any order, best with RANKS rising. Its
 * messages (traffic.h) are compared with those of the schedule of the algorithm that
 * tmap_library_choose() says, or the line: by name, or as a rule of Open MPI for that. Pair by pair of
 * ranks: how many that carry data, and how many bytes.
 * Empty messages count for a barrier only. A line for each call that differs, with the rows of the
 * catalogue that would be right; at last "N alike, N unlike, N unknown".
 */
#include "core/library/library.h"
#include "core/schedule/collect.h"
#include "core/tune/tuned_entry.h"
#include "tests/mpi/traffic.h"
#include "tests/support/machines.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct call {
	char name[30];
	enum tmap_collective collective;
	int size, bytes, element, root;
	MPI_Comm comm;
	MPI_Datatype type;
	int count; /* of elements */
	char *send, *receive;
	int *counts;
	char algorithm[TMAP_LIBRARY_ROOM]; /* of the line; "": the library's own choice */
};

static struct tmap_error err;

static void stop(const char *what, const char *value)
{
	fprintf(stderr, "defaults: %s '%s'\n", what, value);
	MPI_Abort(MPI_COMM_WORLD, 3);
	exit(3);
}

static void *allocate(size_t count, size_t each)
{
	void *memory = calloc(count ? count : 1, each);

	if (!memory)
		stop("no memory for", "buffers");
	return memory;
}

static MPI_Op operator_of(const struct call *c)
{
	return c->element <= 8 ? MPI_BXOR : MPI_SUM;
}

static void call_run(const struct call *c)
{
	int n = c->count, root = c->root;
	MPI_Datatype type = c->type;
	MPI_Op op = operator_of(c);
	MPI_Comm comm = c->comm;
	void *in = c->send, *out = c->receive;

	switch (c->collective) {
	case TMAP_ALLGATHER:
		MPI_Allgather(in, n, type, out, n, type, comm);
		break;
	case TMAP_BCAST:
		MPI_Bcast(in, n, type, root, comm);
		break;
	case TMAP_REDUCE:
		MPI_Reduce(in, out, n, type, op, root, comm);
		break;
	case TMAP_ALLREDUCE:
		MPI_Allreduce(in, out, n, type, op, comm);
		break;
	case TMAP_REDUCE_SCATTER:
		MPI_Reduce_scatter(in, out, c->counts, type, op, comm);
		break;
	case TMAP_REDUCE_SCATTER_BLOCK:
		MPI_Reduce_scatter_block(in, out, n, type, op, comm);
		break;
	case TMAP_GATHER:
		MPI_Gather(in, n, type, out, n, type, root, comm);
		break;
	case TMAP_SCATTER:
		MPI_Scatter(in, n, type, out, n, type, root, comm);
		break;
	case TMAP_ALLTOALL:
		MPI_Alltoall(in, n, type, out, n, type, comm);
		break;
	case TMAP_SCAN:
		MPI_Scan(in, out, n, type, op, comm);
		break;
	case TMAP_EXSCAN:
		MPI_Exscan(in, out, n, type, op, comm);
		break;
	case TMAP_BARRIER:
		MPI_Barrier(comm);
		break;
	default:
		stop("no call is known of", c->name);
	}
}

static MPI_Datatype type_of(int element)
{
	return element == 1  ? MPI_BYTE :
		element == 2 ? MPI_SHORT :
		element == 4 ? MPI_INT :
		element == 8 ? MPI_LONG :
			       MPI_C_DOUBLE_COMPLEX;
}

static void call_begin(struct call *c, MPI_Comm comm)
{
	bool is_whole = tmap_collective_rows[c->collective].cuts_vector;
	size_t all = (size_t)c->bytes * (is_whole ? 1 : (size_t)c->size);

	c->comm = comm;
	c->type = type_of(c->element);
	c->count = c->bytes / c->element;
	c->send = allocate(all, 1);
	c->receive = allocate(all, 1);
	c->counts = allocate((size_t)c->size, sizeof *c->counts);
	for (int i = 0; i < c->size; i++)
		c->counts[i] = c->count / c->size + (i < c->count % c->size);
}

static void call_end(struct call *c)
{
	free(c->send);
	free(c->receive);
	free(c->counts);
}

/* Messages and bytes by sender and receiver: 2 for each pair, on rank 0. */
static long *call_count(struct call *c)
{
	size_t each = (size_t)c->size;
	int rank;
	long *sent = allocate(2 * each, sizeof *sent), *all;

	MPI_Comm_rank(c->comm, &rank);
	all = allocate(rank ? 1 : 2 * each * each, sizeof *all);
	memset(traffic_messages, 0, each * sizeof *traffic_messages);
	memset(traffic_bytes, 0, each * sizeof *traffic_bytes);
	memset(traffic_empty, 0, each * sizeof *traffic_empty);
	call_run(c);
	for (int to = 0; to < c->size; to++) {
		bool counts = to != rank;

		sent[2 * to] = counts ? traffic_messages[to] : 0;
		if (c->collective != TMAP_BARRIER && counts)
			sent[2 * to] -= traffic_empty[to];
		sent[2 * to + 1] = counts ? traffic_bytes[to] : 0;
	}
	MPI_Gather(sent, 2 * c->size, MPI_LONG, all, 2 * c->size, MPI_LONG, 0, c->comm);
	free(sent);
	return all;
}

/* The first pair that differs, as text; NULL: none does. */
static const char *call_differs(const struct tmap_call *call, const long *sent)
{
	static char text[200];
	size_t count, size = (size_t)call->size;
	struct tmap_collected_flow *flow = tmap_flows(call, &count, &err);
	long *wanted = allocate(2 * size * size, sizeof *wanted);
	const char *found = NULL;

	if (!flow)
		stop("no schedule:", err.text);
	for (size_t i = 0; i < count; i++) {
		long *at = wanted + 2 * ((size_t)flow[i].from * size + (size_t)flow[i].to);

		at[0] = flow[i].messages;
		at[1] = flow[i].bytes;
	}
	for (size_t i = 0; i < size * size && !found; i++)
		if (memcmp(wanted + 2 * i, sent + 2 * i, 2 * sizeof *sent) != 0) {
			snprintf(text, sizeof text,
				 "%zu -> %zu: %ld messages of %ld bytes, not %ld of %ld", i / size,
				 i % size, sent[2 * i], sent[2 * i + 1], wanted[2 * i],
				 wanted[2 * i + 1]);
			found = text;
		}
	free(wanted);
	free(flow);
	return found;
}

static void print_alike(const struct tmap_call *asked, enum tmap_collective collective,
			const long *sent)
{
	const struct tmap_keywords *words = tmap_algorithms(collective);
	struct tmap_call call = *asked;

	for (int i = 0; tmap_keywords_at(words, (size_t)i); i++) {
		call.choice = tmap_spec_preset(words, i);
		for (int v = 0; v < 2; v++) {
			if (v == 1 &&
			    (!call.choice.row->params ||
			     strcmp(call.choice.row->params[0].key, "fold") != 0))
				break;
			if (v == 1)
				call.choice.value[0] = 1;
			if (tmap_call_check(&call, &err) == 0 && !call_differs(&call, sent))
				printf(" %s%s", call.choice.row->word.name, v ? ",fold=mpich" : "");
		}
	}
}

/* What a line says besides, instead of what the library takes by itself. */
static void choice_of_line(struct tmap_library_choice *choice, const struct call *c,
			   const struct tmap_library_call *call)
{
	struct tmap_rule rule = { .requests = TMAP_NONE };
	char *name = NULL;

	if (!c->algorithm[0])
		return;
	if (!strchr(c->algorithm, '/')) {
		snprintf(choice->algorithm, sizeof choice->algorithm, "%s", c->algorithm);
		return;
	}
	if (sscanf(c->algorithm, "%ld/%ld/%ld", &rule.algorithm, &rule.fan, &rule.segment) != 3 ||
	    tmap_tuned_entry_name(&name, 0, &rule, call, &err) < 0)
		stop("this is no rule:", c->algorithm);
	snprintf(choice->algorithm, sizeof choice->algorithm, "%s", name ? name : "");
	free(name);
}

struct result {
	long alike, unlike, unknown;
};

/* On rank 0. */
static void call_compare(struct result *result, int library, const struct tmap_placement *whole,
			 const struct call *c, const long *sent)
{
	int *first = allocate((size_t)c->size, sizeof *first);
	struct tmap_placement p = { 0 };
	struct tmap_metric metric = { 0 };
	struct tmap_order order;
	struct tmap_call call = { .size = c->size,
				  .bytes = c->collective == TMAP_BARRIER ? 0 : c->bytes,
				  .element = c->element,
				  .root = c->root };
	struct tmap_library_call question;
	struct tmap_library_choice choice;
	const char *differs = "";

	for (int r = 0; r < c->size; r++)
		first[r] = r;
	if (tmap_placement_select(&p, whole, first, c->size, &err) < 0 ||
	    tmap_order_find(&order, &p, &err) < 0 ||
	    tmap_metric_init(&metric, &p, TMAP_SCALE_PROCESS, &err) < 0)
		stop("no placement:", err.text);
	call.metric = &metric;
	question = (struct tmap_library_call){ c->collective, c->size, call.bytes,
					       c->element,    c->root, &order };
	choice = tmap_library_choose(library, &question);
	choice_of_line(&choice, c, &question);
	call.element = tmap_library_cut(&choice, call.element);
	if (choice.algorithm[0]) {
		if (tmap_call_parse(&call, c->collective, choice.algorithm, &err) < 0 ||
		    tmap_call_check(&call, &err) < 0)
			stop("topomap refuses its own choice:", err.text);
		differs = call_differs(&call, sent);
	}
	result->unknown += !choice.algorithm[0];
	result->alike += !differs;
	result->unlike += choice.algorithm[0] && differs;
	if (differs) {
		printf("%s: %s of %d bytes in elements of %d, %d ranks, root %d: %s%s%s; right:",
		       choice.algorithm[0] ? "unlike" : "unknown", c->name, c->bytes, c->element,
		       c->size, c->root, choice.algorithm, choice.algorithm[0] ? ": " : "",
		       differs);
		print_alike(&call, c->collective, sent);
		printf("\n");
		fflush(stdout);
	}
	tmap_metric_fini(&metric);
	tmap_placement_fini(&p);
	free(first);
}

/* Ranks that have nothing to do wait without turning. */
static void wait_for_all(void)
{
	MPI_Request request;
	int done = 0;

	MPI_Ibarrier(MPI_COMM_WORLD, &request);
	while (MPI_Test(&request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && !done)
		usleep(2000);
}

/* What a library makes when a communicator is used for the first time. */
static void warm_up(MPI_Comm comm, int size)
{
	struct call c = { .name = "all", .size = size, .bytes = 8, .element = 1 };

	call_begin(&c, comm);
	for (int k = 0; k < 2; k++)
		for (int i = 0; i <= TMAP_BARRIER; i++) {
			c.collective = (enum tmap_collective)i;
			call_run(&c);
		}
	call_end(&c);
}

static void follow(struct result *result, FILE *plan, int library,
		   const struct tmap_placement *placement, int rank)
{
	MPI_Comm comm = MPI_COMM_NULL;
	char line[400];
	int size = 0;

	while (fgets(line, sizeof line, plan)) {
		struct call c = { .size = 0 };
		long *sent;
		int found;

		if (sscanf(line, "%29s %d %d %d %d %159s", c.name, &c.size, &c.bytes, &c.element,
			   &c.root, c.algorithm) < 5)
			stop("no line of a plan is", line);
		found = tmap_keywords_find(&tmap_collectives, c.name, &err);
		if (found == TMAP_NONE || c.size > placement->size)
			stop("no line of a plan is", line);
		c.collective = (enum tmap_collective)found;
		if (c.size != size) {
			if (comm != MPI_COMM_NULL)
				MPI_Comm_free(&comm);
			wait_for_all();
			size = c.size;
			MPI_Comm_split(MPI_COMM_WORLD, rank < size ? 0 : MPI_UNDEFINED, rank,
				       &comm);
			if (comm != MPI_COMM_NULL)
				warm_up(comm, size);
		}
		if (comm == MPI_COMM_NULL)
			continue;
		call_begin(&c, comm);
		sent = call_count(&c);
		if (rank == 0)
			call_compare(result, library, placement, &c, sent);
		free(sent);
		call_end(&c);
	}
	if (comm != MPI_COMM_NULL)
		MPI_Comm_free(&comm);
	wait_for_all();
}

int main(int argc, char **argv)
{
	struct tmap_placement placement = { 0 };
	struct result result = { 0, 0, 0 };
	int rank, size, library, *place, nodes = argc == 4 ? atoi(argv[2]) : 0;
	const char *problem;
	FILE *plan;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (nodes < 1 || size % nodes)
		stop("arguments are LIBRARY NODES PLAN, not", argc > 2 ? argv[2] : "");
	library = tmap_keywords_find(&tmap_libraries, argv[1], &err);
	plan = fopen(argv[3], "r");
	if (library == TMAP_NONE || !plan)
		stop("there is no library or no plan", argv[3]);
	place = allocate((size_t)size, sizeof *place);
	for (int r = 0; r < size; r++)
		place[r] = strchr(argv[2], 'c') ? r % nodes * (size / nodes) + r / nodes : r;
	placement_seats_take(
		&placement,
		machine_regular(nodes,
				(const struct test_level[]){ { TMAP_CORE, size / nodes },
							     { TMAP_CORE, 0 } }),
		place, size);
	free(place);
	problem = traffic_start(size);
	if (problem)
		stop("traffic cannot be counted:", problem);
	follow(&result, plan, library, &placement, rank);
	fclose(plan);
	if (rank == 0)
		printf("%ld alike, %ld unlike, %ld unknown\n", result.alike, result.unlike,
		       result.unknown);
	fflush(stdout);
	tmap_placement_fini(&placement);
	MPI_Finalize();
	return 0;
}
