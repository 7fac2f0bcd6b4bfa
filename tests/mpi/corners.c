/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * corners - what a program may give the executor by mistake, or rightly but seldom. Under mpirun.
 *
 *     corners            the names of all cases, one a line
 *     corners CASE       that one; status 0: it is as MPI has it
 *
 * Oracles: what MPI (4.0) allows, so that the rest is refused, by TMAP_INPUT and in one sentence,
 * in a program whose errors are fatal and that goes on as if nothing had been; of data, what MPI
 * says each element is (Open MPI 4.1 fails in an allgather of a datatype without data).
 */
#include "core/algorithms/catalogue.h"
#include "mpi_run/operation/operation.h"
#include "tests/support/machines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 4096, MIDDLE = ROOM / 2, COUNT = 5, SKIPPED = 77, MOST_COMMUNICATORS = 5000 };

static int rank, size;
static struct tmap_channel channel;
static struct tmap_error err;
static char send[ROOM], recv[ROOM], expected[ROOM];

static void must(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "corners: rank %d: %s (%s)\n", rank, what, err.text);
	MPI_Abort(MPI_COMM_WORLD, 1);
}

static struct tmap_operation *make(enum tmap_collective collective, const char *algorithm,
				   const struct tmap_arguments *arguments, int root,
				   enum tmap_keeping keeping)
{
	struct tmap_call call = { .root = root };

	must(tmap_call_parse(&call, collective, algorithm, &err) == 0, "no such algorithm");
	err = (struct tmap_error){ 0 };
	return tmap_operation_new(&channel, &call, arguments, keeping, &err);
}

static void run(struct tmap_operation *operation)
{
	must(operation != NULL, "is refused");
	must(tmap_operation_run(operation, &err) == 0, "does not end");
}

static struct tmap_arguments plain(MPI_Datatype type, MPI_Op op)
{
	return (struct tmap_arguments){ .send = { .buffer = send, .count = COUNT, .type = type },
					.recv = { .buffer = recv, .count = COUNT, .type = type },
					.op = op };
}

/* Refused on the ranks from @p first to @p last; the others make theirs; and what comes then is
 * not mixed up. */
static void refused(const char *sentence, enum tmap_collective collective, const char *algorithm,
		    const struct tmap_arguments *arguments, int first, int last)
{
	struct tmap_arguments next = plain(MPI_INT, MPI_SUM);
	struct tmap_operation *it = make(collective, algorithm, arguments, 0, TMAP_KEEP_SCHEDULE);

	if (rank >= first && rank <= last) {
		must(!it && err.kind == TMAP_INPUT, "is not refused as input");
		if (strcmp(err.text, sentence) != 0) {
			fprintf(stderr, "wanted: %s\n", sentence);
			must(false, "another sentence");
		}
	} else {
		must(it != NULL, "is refused where it is right");
	}
	tmap_operation_free(it);
	for (int i = 0; i < COUNT; i++)
		((int *)(void *)send)[i] = rank + i;
	it = make(TMAP_ALLREDUCE, "recursive_doubling", &next, 0, TMAP_KEEP_REQUESTS);
	run(it);
	tmap_operation_free(it);
	for (int i = 0; i < COUNT; i++)
		must(((int *)(void *)recv)[i] == size * (size - 1) / 2 + size * i,
		     "the next collective is wrong");
}

/* ---- communicators ---- */

static MPI_Comm halves(void)
{
	MPI_Comm half, both;

	MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
	MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, (rank + 1) % 2, 0, &both);
	MPI_Comm_free(&half);
	return both;
}

static void channel_refused(MPI_Comm comm, const char *sentence)
{
	struct tmap_channel made = { .comm = MPI_COMM_NULL };

	must(tmap_channel_init(&made, comm, &err) < 0 && err.kind == TMAP_INPUT &&
		     strcmp(err.text, sentence) == 0 && made.comm == MPI_COMM_NULL,
	     "is not refused by its sentence");
}

static int an_intercommunicator(void)
{
	MPI_Comm both;

	if (size < 2)
		return SKIPPED;
	both = halves();
	channel_refused(both,
			"an intercommunicator has two groups of ranks, and algorithms are "
			"executed in one");
	MPI_Comm_free(&both);
	return 0;
}

static int no_communicator(void)
{
	MPI_Comm freed;

	MPI_Comm_dup(MPI_COMM_WORLD, &freed);
	MPI_Comm_free(&freed);
	channel_refused(freed, "MPI_COMM_NULL has no ranks");
	channel_refused(MPI_COMM_NULL, "MPI_COMM_NULL has no ranks");
	return 0;
}

static int handler_calls;

static void handler_count(MPI_Comm *comm, int *code, ...)
{
	(void)comm;
	(void)code;
	handler_calls++;
}

/* Where the library has no more of them the program goes on, and its handler is its own. */
static int no_more_communicators(void)
{
	static MPI_Comm taken[MOST_COMMUNICATORS];
	struct tmap_channel made;
	MPI_Errhandler handler, found;
	int count = 0, has = 1;

	MPI_Comm_create_errhandler(handler_count, &handler);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	while (has && count < MOST_COMMUNICATORS) {
		has = MPI_Comm_dup(MPI_COMM_WORLD, &taken[count]) == MPI_SUCCESS;
		count += has;
	}
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
	if (!has) {
		must(tmap_channel_init(&made, MPI_COMM_WORLD, &err) < 0 &&
			     err.kind == TMAP_SYSTEM &&
			     strncmp(err.text, "MPI_Comm_create: ", 17) == 0,
		     "is made");
		must(handler_calls == 0, "calls the program's handler");
	}
	MPI_Comm_get_errhandler(MPI_COMM_WORLD, &found);
	must(found == handler, "changes the program's handler");
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
	while (count)
		MPI_Comm_free(&taken[--count]);
	MPI_Errhandler_free(&found);
	MPI_Errhandler_free(&handler);
	return has ? SKIPPED : 0;
}

static int copies;

static int attribute_copy(MPI_Comm comm, int key, void *extra, void *value, void *copy,
			  int *is_kept)
{
	(void)comm;
	(void)key;
	(void)extra;
	(void)value;
	(void)copy;
	copies++;
	*is_kept = 0;
	return MPI_SUCCESS;
}

/* What a program does when its communicator is duplicated is not done. */
static int attributes_that_are_not_copied(void)
{
	struct tmap_channel made;
	int key;

	MPI_Comm_create_keyval(attribute_copy, MPI_COMM_NULL_DELETE_FN, &key, NULL);
	MPI_Comm_set_attr(MPI_COMM_WORLD, key, &copies);
	must(tmap_channel_init(&made, MPI_COMM_WORLD, &err) == 0, "is not made");
	must(copies == 0, "copies an attribute");
	tmap_channel_fini(&made);
	MPI_Comm_delete_attr(MPI_COMM_WORLD, key);
	MPI_Comm_free_keyval(&key);
	return 0;
}

/* Some of the ranks, the last one first. */
static int a_part_in_another_order(void)
{
	const struct tmap_arguments arguments = plain(MPI_INT, MPI_OP_NULL);
	struct tmap_channel whole = channel;
	struct tmap_operation *it;
	MPI_Comm part;

	MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &part);
	must(tmap_channel_init(&channel, part, &err) == 0, "is not made");
	for (int i = 0; i < COUNT; i++)
		((int *)(void *)send)[i] = 100 * rank + i;
	it = make(TMAP_ALLGATHER, "ring", &arguments, 0, TMAP_KEEP_SCHEDULE);
	run(it);
	MPI_Allgather(send, COUNT, MPI_INT, expected, COUNT, MPI_INT, part);
	must(memcmp(recv, expected, ROOM) == 0, "differs from the library's");
	tmap_operation_free(it);
	tmap_channel_fini(&channel);
	MPI_Comm_free(&part);
	channel = whole;
	return 0;
}

/* A receive of the program that takes anything gets what the program sends. */
static int a_receive_of_anything(void)
{
	const struct tmap_arguments arguments = plain(MPI_INT, MPI_SUM);
	struct tmap_operation *it =
		make(TMAP_ALLREDUCE, "recursive_doubling", &arguments, 0, TMAP_KEEP_REQUESTS);
	int came = TMAP_NONE, sent = 1000 + rank;
	MPI_Request request;

	MPI_Irecv(&came, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
	run(it);
	tmap_operation_free(it);
	MPI_Send(&sent, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	must(came == 1000 + (rank + size - 1) % size, "gets something else");
	return 0;
}

/* Behind the last tag comes the first: three operations at once, the last one waited for first. */
static int tags_that_begin_again(void)
{
	enum { OPERATIONS = 3, PART = ROOM / OPERATIONS / 8 * 8 };
	struct tmap_operation *it[OPERATIONS];

	channel.tag = channel.tag_last - 1;
	for (int k = 0; k < OPERATIONS; k++) {
		struct tmap_arguments arguments = plain(MPI_INT, MPI_OP_NULL);

		arguments.recv.buffer = recv + k * PART;
		for (int i = 0; i < COUNT; i++)
			((int *)(void *)(recv + k * PART))[i] = rank ? -1 : 10 * k + i;
		it[k] = make(TMAP_BCAST, "binomial_far", &arguments, 0, (enum tmap_keeping)k);
		must(it[k] && tmap_operation_start(it[k], &err) == 0, "does not begin");
	}
	must(channel.tag == 1, "counts on");
	for (int k = OPERATIONS - 1; k >= 0; k--) {
		bool ended;

		must(tmap_operation_test(it[k], true, &ended, &err) == 0 && ended, "does not end");
		tmap_operation_free(it[k]);
		for (int i = 0; i < COUNT; i++)
			must(((int *)(void *)(recv + k * PART))[i] == 10 * k + i,
			     "is another one's");
	}
	return 0;
}

/* ---- arguments ---- */

static int handles_of_nothing(void)
{
	struct tmap_arguments no_type = plain(MPI_DATATYPE_NULL, MPI_OP_NULL);
	struct tmap_arguments no_op = plain(MPI_INT, MPI_OP_NULL);

	refused("allgather: the send has no datatype", TMAP_ALLGATHER, "ring", &no_type, 0, size);
	no_type.send.type = MPI_INT;
	refused("allgather: the receive has no datatype", TMAP_ALLGATHER, "ring", &no_type, 0,
		size);
	refused("allreduce: there is no operation", TMAP_ALLREDUCE, "ring", &no_op, 0, size);
	return 0;
}

/* MPI's own operations are of MPI's own types. */
static int sums_of_what_has_none(void)
{
	struct tmap_arguments arguments;
	MPI_Datatype pair;

	MPI_Type_contiguous(2, MPI_INT, &pair);
	MPI_Type_commit(&pair);
	arguments = plain(pair, MPI_SUM);
	refused("allreduce: the operation is MPI's own and takes no derived datatypes",
		TMAP_ALLREDUCE, "recursive_doubling", &arguments, 0, size);
	MPI_Type_free(&pair);
	return 0;
}

static int counts_below_zero(void)
{
	struct tmap_arguments arguments = plain(MPI_INT, MPI_OP_NULL);
	int counts[64] = { 0 }, at[64] = { 0 };

	arguments.send.count = -1;
	refused("allgather: the send has -1 elements", TMAP_ALLGATHER, "ring", &arguments, 0, size);
	arguments = plain(MPI_INT, MPI_OP_NULL);
	counts[size - 1] = -3;
	arguments.recv.counts = counts;
	arguments.recv.displacements = at;
	arguments.is_irregular = true;
	arguments.send.count = 0;
	refused("allgather: the receive has -3 elements", TMAP_ALLGATHER, "ring", &arguments, 0,
		size);
	return 0;
}

static int counts_of_too_much(void)
{
	struct tmap_arguments arguments = plain(MPI_DOUBLE, MPI_SUM);

	arguments.send.count = arguments.recv.count = INT64_MAX / 8 + 1;
	refused("allreduce: the send has 1152921504606846976 elements of 8 bytes, more than 64 bits "
		"count",
		TMAP_ALLREDUCE, "ring", &arguments, 0, size);
	if (size < 2)
		return 0;
	arguments.send.count = arguments.recv.count = INT64_MAX / 8;
	arguments.op = MPI_OP_NULL;
	refused("alltoall: the send has 1152921504606846975 elements of 8 bytes for each rank, more "
		"than 64 bits count",
		TMAP_ALLTOALL, "pairwise", &arguments, 0, size);
	return 0;
}

/* Each where MPI has no such buffer, or only the root has it. */
static int in_place_where_it_is_not(void)
{
	static const struct {
		enum tmap_collective collective;
		const char *algorithm, *sentence;
		bool is_send;
		int first; /* rank that is refused, of all up to the last */
	} cases[] = {
		{ TMAP_ALLGATHER, "ring", "allgather: MPI_IN_PLACE is no receive buffer", false,
		  0 },
		{ TMAP_ALLTOALL, "pairwise", "alltoall: MPI_IN_PLACE is no receive buffer", false,
		  0 },
		{ TMAP_ALLREDUCE, "ring", "allreduce: MPI_IN_PLACE is no receive buffer", false,
		  0 },
		{ TMAP_SCAN, "recursive_doubling", "scan: MPI_IN_PLACE is no receive buffer", false,
		  0 },
		{ TMAP_BCAST, "binomial_far", "bcast: MPI_IN_PLACE is no receive buffer", false,
		  0 },
		{ TMAP_GATHER, "linear",
		  "gather: MPI_IN_PLACE is the root's, which is rank 0 and not rank 1", true, 1 },
		{ TMAP_REDUCE, "binomial_far",
		  "reduce: MPI_IN_PLACE is the root's, which is rank 0 and not rank 1", true, 1 },
		{ TMAP_SCATTER, "linear",
		  "scatter: MPI_IN_PLACE is the root's, which is rank 0 and not rank 1", false, 1 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct tmap_arguments arguments = plain(
			MPI_INT,
			tmap_collective_rows[cases[i].collective].reduces ? MPI_SUM : MPI_OP_NULL);
		int last = cases[i].first ? cases[i].first : size;

		if (cases[i].first >= size)
			continue;
		if (rank < cases[i].first || rank > last)
			;
		else if (cases[i].is_send)
			arguments.send.buffer = MPI_IN_PLACE;
		else
			arguments.recv.buffer = MPI_IN_PLACE;
		refused(cases[i].sentence, cases[i].collective, cases[i].algorithm, &arguments,
			cases[i].first, last);
	}
	return 0;
}

/* Which buffers mean nothing at a rank may be anything. */
static int in_place_that_means_nothing(void)
{
	struct tmap_arguments arguments = plain(MPI_INT, MPI_OP_NULL);
	struct tmap_operation *it;

	for (int i = 0; i < size * COUNT; i++)
		((int *)(void *)send)[i] = 100 * rank + i;
	if (rank)
		arguments.send = (struct tmap_argument){ .buffer = MPI_IN_PLACE };
	it = make(TMAP_SCATTER, "binomial_far", &arguments, 0, TMAP_KEEP_SCHEDULE);
	run(it);
	tmap_operation_free(it);
	for (int i = 0; i < COUNT; i++)
		must(((int *)(void *)recv)[i] == rank * COUNT + i, "a scatter is wrong");
	arguments = plain(MPI_INT, MPI_OP_NULL);
	if (rank)
		arguments.recv = (struct tmap_argument){ .buffer = MPI_IN_PLACE };
	it = make(TMAP_GATHER, "binomial_far", &arguments, 0, TMAP_KEEP_SCHEDULE);
	run(it);
	tmap_operation_free(it);
	for (int i = 0; rank == 0 && i < COUNT * size; i++)
		must(((int *)(void *)recv)[i] == i / COUNT * 100 + i % COUNT, "a gather is wrong");
	return 0;
}

/* ---- datatypes ---- */

struct odd_type {
	const char *name;
	int data, low, extent; /* bytes; of an element */
};

static const struct odd_type odd_types[] = {
	{ "that begins before its address", 8, -8, 24 },
	{ "whose elements go down", 8, 0, -16 },
	{ "whose elements go down with gaps", 4, 4, -12 },
	{ "without data", 0, 0, 16 },
	{ "without data or extent", 0, 0, 0 },
	{ "that is one byte", 1, 0, 1 },
};

static MPI_Datatype odd_type_make(const struct odd_type *is)
{
	MPI_Datatype data, moved, made;
	MPI_Aint at = is->low;
	int one = 1;

	MPI_Type_contiguous(is->data, MPI_BYTE, &data);
	MPI_Type_create_hindexed(1, &one, &at, data, &moved);
	MPI_Type_create_resized(moved, 0, is->extent, &made);
	MPI_Type_commit(&made);
	MPI_Type_free(&data);
	MPI_Type_free(&moved);
	return made;
}

static char byte_of(int whose, int at, int seed)
{
	return (char)(at * 7 + 31 * whose + seed);
}

/* Element by element, what MPI leaves of the data of block @p from_block of rank @p from. */
static void odd_expect(const struct odd_type *is, int from, int from_block, int block, int seed)
{
	for (int e = 0; e < COUNT; e++)
		for (int k = 0; k < is->data; k++) {
			int at = MIDDLE + (from_block * COUNT + e) * is->extent + is->low + k;
			int to = MIDDLE + (block * COUNT + e) * is->extent + is->low + k;

			expected[to] = byte_of(from, at, seed);
		}
}

static void odd_run(enum tmap_collective collective, const char *algorithm,
		    const struct odd_type *is, MPI_Datatype type, int seed)
{
	struct tmap_arguments arguments = plain(type, MPI_OP_NULL);
	struct tmap_operation *it;

	arguments.send.buffer = send + MIDDLE;
	arguments.recv.buffer = recv + MIDDLE;
	for (int i = 0; i < ROOM; i++) {
		send[i] = byte_of(rank, i, seed);
		recv[i] = expected[i] = byte_of(rank, i, seed);
	}
	for (int b = 0; b < (collective == TMAP_BCAST ? 1 : size); b++)
		odd_expect(is, b, collective == TMAP_ALLTOALL ? rank : 0, b, seed);
	it = make(collective, algorithm, &arguments, 0, (enum tmap_keeping)(seed % TMAP_KEEPINGS));
	run(it);
	tmap_operation_free(it);
	must(memcmp(recv, expected, ROOM) == 0, algorithm);
}

static int odd_datatypes(void)
{
	int seed = 0;

	for (size_t i = 0; i < sizeof odd_types / sizeof *odd_types; i++) {
		MPI_Datatype type = odd_type_make(&odd_types[i]);

		snprintf(err.text, sizeof err.text, "of a datatype %s", odd_types[i].name);
		for (int again = 0; again < TMAP_KEEPINGS; again++, seed++) {
			odd_run(TMAP_ALLGATHER, "ring", &odd_types[i], type, seed);
			odd_run(TMAP_ALLGATHER, "bruck", &odd_types[i], type, seed);
			odd_run(TMAP_ALLTOALL, "bruck", &odd_types[i], type, seed);
			odd_run(TMAP_ALLTOALL, "linear", &odd_types[i], type, seed);
			odd_run(TMAP_BCAST, "binomial_far", &odd_types[i], type, seed);
			odd_run(TMAP_BCAST, "scatter_allgather", &odd_types[i], type, seed);
		}
		MPI_Type_free(&type);
	}
	return 0;
}

/* ---- errors on the way ---- */

/* The root has more than the others have room for. What MPICH says of a request goes to the handler
 * of these two. */
static int more_than_there_is_room_for(void)
{
	struct tmap_arguments arguments = plain(MPI_INT, MPI_OP_NULL);
	struct tmap_operation *it;
	bool ended;

	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
	arguments.recv.count = rank ? 1 : 2;
	for (int i = 0; i < 2 * TMAP_KEEPINGS; i++) {
		bool runs = i % 2;
		int status;

		it = make(TMAP_BCAST, "flat", &arguments, 0, (enum tmap_keeping)(i / 2));
		must(it != NULL, "is refused");
		status = runs ? tmap_operation_run(it, &err) :
				-(tmap_operation_start(it, &err) < 0 ||
				  tmap_operation_test(it, true, &ended, &err) < 0);
		must(rank ? status < 0 : status == 0, "ends otherwise");
		must(rank == 0 ||
			     (err.kind == TMAP_SYSTEM && strstr(err.text, "truncated") != NULL),
		     "the reason is not named");
		tmap_operation_free(it);
	}
	return 0;
}

/* What has been begun and is given up: nothing arrives there any more. */
static int freed_on_the_way(void)
{
	struct tmap_arguments arguments = plain(MPI_INT, MPI_OP_NULL);

	for (enum tmap_keeping keeping = 0; keeping < TMAP_KEEPINGS; keeping++) {
		struct tmap_operation *it =
			make(TMAP_BCAST, "binomial_far", &arguments, 0, keeping);

		memset(recv, 0x5a, ROOM);
		if (rank)
			must(it && tmap_operation_start(it, &err) == 0, "does not begin");
		tmap_operation_free(it);
	}
	refused("bcast: MPI_IN_PLACE is no receive buffer", TMAP_BCAST, "binomial_far",
		&(struct tmap_arguments){ .recv = { .buffer = MPI_IN_PLACE, .type = MPI_INT } }, 0,
		size);
	return 0;
}

static const struct corner {
	const char *name;
	int (*run)(void);
} corners[] = {
	{ "an_intercommunicator", an_intercommunicator },
	{ "no_communicator", no_communicator },
	{ "no_more_communicators", no_more_communicators },
	{ "attributes_that_are_not_copied", attributes_that_are_not_copied },
	{ "a_part_in_another_order", a_part_in_another_order },
	{ "a_receive_of_anything", a_receive_of_anything },
	{ "tags_that_begin_again", tags_that_begin_again },
	{ "handles_of_nothing", handles_of_nothing },
	{ "sums_of_what_has_none", sums_of_what_has_none },
	{ "counts_below_zero", counts_below_zero },
	{ "counts_of_too_much", counts_of_too_much },
	{ "in_place_where_it_is_not", in_place_where_it_is_not },
	{ "in_place_that_means_nothing", in_place_that_means_nothing },
	{ "odd_datatypes", odd_datatypes },
	{ "more_than_there_is_room_for", more_than_there_is_room_for },
	{ "freed_on_the_way", freed_on_the_way },
};

enum { CORNERS = sizeof corners / sizeof *corners };

int main(int argc, char **argv)
{
	int status = 1;

	for (int i = 0; argc < 2 && i < CORNERS; i++)
		puts(corners[i].name);
	if (argc < 2)
		return 0;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	must(strcmp(argv[1], "no_more_communicators") == 0 ||
		     tmap_channel_init(&channel, MPI_COMM_WORLD, &err) == 0,
	     "there is no channel");
	for (int i = 0; i < CORNERS; i++)
		if (strcmp(argv[1], corners[i].name) == 0)
			status = corners[i].run();
	if (rank == 0)
		puts(status == 0 ? "right" : status == SKIPPED ? "skipped" : "no such case");
	if (strcmp(argv[1], "no_more_communicators") != 0)
		tmap_channel_fini(&channel);
	MPI_Finalize();
	return status == 1;
}
