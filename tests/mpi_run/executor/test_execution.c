/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every algorithm, executed by all its ranks in this process. Oracle: what MPI says each
 * collective leaves in the buffers, written down element by element, and tests/support/messages.h,
 * which delivers in any order and makes sends wait for their receivers where it likes.
 */
#include "core/algorithms/catalogue.h"
#include "core/base/wraps.h"
#include "core/schedule/collect.h"
#include "core/schedule/neighborhood.h"
#include "mpi_run/executor/execution.h"
#include "tests/support/messages.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

#ifdef __SANITIZE_ADDRESS__ /* ten times slower; the other build goes all the way */
enum { MOST_RANKS = 17, MOST_EXECUTED = 6 };
#else
enum { MOST_RANKS = 17, MOST_EXECUTED = 17 };
#endif

static struct tmap_error err;
static struct dice dice;
static int executed; /* by the running test */

/* Elements of eight bytes: on end, and with gaps before and behind; and bytes. */
enum { DENSE, GAPPED, BYTES };
static const struct tmap_data_element elements[] = {
	[DENSE] = { 8, 8, 0, 8 }, [GAPPED] = { 8, 24, 4, 8 }, [BYTES] = { 1, 1, 0, 1, true }
};

enum { ROUND_NODES, SHUFFLED, IN_A_ROW, MANNERS };

/* A job of so many ranks: 2 x 2 cores a node. */
static void put_ranks(struct tmap_placement *placement, int size, int manner)
{
	const struct test_level node_levels[] = { { TMAP_PACKAGE, 2 }, { TMAP_CORE, 2 }, { 0, 0 } };
	int nodes = (size + 3) / 4, place[MOST_RANKS];

	for (int r = 0; r < size; r++)
		place[r] = manner == IN_A_ROW ? r : r % nodes * 4 + r / nodes;
	if (manner == SHUFFLED)
		dice_shuffle(&dice, place, size);
	placement_seats_take(placement, machine_regular(nodes, node_levels), place, size);
}

/* ---- operations ---- */

static uint64_t value_at(const char *at)
{
	uint64_t value;

	memcpy(&value, at, sizeof value);
	return value;
}

TMAP_WRAPS static uint64_t add(uint64_t a, uint64_t b)
{
	return a + b;
}

/* x -> high x + low, first b, then a: associative, and a, b is not b, a. */
TMAP_WRAPS static uint64_t compose(uint64_t a, uint64_t b)
{
	uint32_t high = (uint32_t)(a >> 32) * (uint32_t)(b >> 32);
	uint32_t low = (uint32_t)(a >> 32) * (uint32_t)b + (uint32_t)a;

	return (uint64_t)high << 32 | low;
}

static void add_into(const char *source, char *target)
{
	uint64_t value = add(value_at(source), value_at(target));

	memcpy(target, &value, sizeof value);
}

static void add_byte_into(const char *source, char *target)
{
	*target = (char)((unsigned char)*source + (unsigned char)*target);
}

static void compose_into(const char *source, char *target)
{
	uint64_t value = compose(value_at(source), value_at(target));

	memcpy(target, &value, sizeof value);
}

/* ---- what the ranks have, and must have in the end ---- */

/* Element i of what rank r has for rank, neighbour or block b. */
TMAP_WRAPS static uint64_t element_of(int r, int64_t b, int64_t i)
{
	uint64_t value = ((uint64_t)r << 40) + ((uint64_t)b << 20) + (uint64_t)i + 1;

	value *= 0x9e3779b97f4a7c15;
	return (value ^ value >> 29) | 0x100000001;
}

struct job {
	struct tmap_call call;
	bool in_place, is_ordered, by_rounds, in_bytes;
	bool blocks;           /* ranks wait where they are: tmap_execution_run() */
	int64_t count;         /* elements of a block, or of the vector */
	const int64_t *counts; /* v-forms: how many rank r has for b at r x size + b, for neighbour
				  k at r x degree + k; or, where all must know, of block b at b;
				  else NULL */
	/* of each rank */
	struct rank {
		struct tmap_layout layout;
		struct tmap_steps steps;
		struct tmap_execution execution;
		int sources[MOST_RANKS];
		struct area {
			int type;
			int64_t blocks, counts[MOST_RANKS * 4], offsets[MOST_RANKS * 4], bytes;
			char *data, *was;
		} send, recv;
		char *scratch;
		int status;
	} rank[MOST_RANKS];
};

static enum tmap_collective collective_of(const struct job *job)
{
	return tmap_call_algorithm(&job->call)->collective;
}

static bool scatters_sums(const struct job *job)
{
	return collective_of(job) == TMAP_REDUCE_SCATTER ||
		collective_of(job) == TMAP_REDUCE_SCATTER_BLOCK;
}

static int64_t how_many(const struct job *job, int from, int64_t block)
{
	if (!job->counts)
		return job->count;
	switch (collective_of(job)) {
	case TMAP_ALLTOALL:
		return job->counts[from * job->call.size + block];
	case TMAP_NEIGHBOR_ALLTOALL:
		return job->counts[from * job->call.neighborhood->degree + block];
	case TMAP_NEIGHBOR_ALLGATHER:
		return job->counts[from];
	default:
		return job->counts[block];
	}
}

/* Of a neighbour's blocks the one that is for block @p b here. */
static int64_t block_sent(const struct job *job, int64_t b)
{
	return job->call.neighborhood->stencil == TMAP_STENCIL_CART ? b ^ 1 : b;
}

static uint64_t reduced(const struct job *job, int last, int64_t b, int64_t i)
{
	uint64_t value = element_of(0, b, i);

	for (int r = 1; r <= last; r++)
		value = job->is_ordered ? compose(value, element_of(r, b, i)) :
					  add(value, element_of(r, b, i));
	return value;
}

/* The blocks that a rank sends. */
static void describe_send(struct job *job, int r, struct area *area)
{
	int size = job->call.size;

	area->blocks = 1;
	switch (collective_of(job)) {
	case TMAP_ALLGATHER:
	case TMAP_GATHER:
		area->counts[0] = how_many(job, r, r);
		return;
	case TMAP_SCATTER:
		area->blocks = r == job->call.root ? size : 0;
		break;
	case TMAP_ALLTOALL:
	case TMAP_REDUCE_SCATTER:
	case TMAP_REDUCE_SCATTER_BLOCK:
		area->blocks = size;
		break;
	case TMAP_NEIGHBOR_ALLTOALL:
		area->blocks = job->call.neighborhood->degree;
		break;
	case TMAP_BCAST:
	case TMAP_BARRIER:
		area->blocks = 0;
		break;
	default:
		break;
	}
	for (int64_t b = 0; b < area->blocks; b++)
		area->counts[b] = how_many(job, r, b);
}

static void describe_recv(struct job *job, int r, struct area *area)
{
	int size = job->call.size;

	area->blocks = 1;
	area->counts[0] = job->count;
	switch (collective_of(job)) {
	case TMAP_GATHER:
		area->blocks = r == job->call.root ? size : 0;
		break;
	case TMAP_ALLGATHER:
	case TMAP_ALLTOALL:
		area->blocks = size;
		break;
	case TMAP_NEIGHBOR_ALLGATHER:
	case TMAP_NEIGHBOR_ALLTOALL:
		area->blocks = job->call.neighborhood->degree;
		break;
	case TMAP_SCATTER:
	case TMAP_REDUCE_SCATTER:
	case TMAP_REDUCE_SCATTER_BLOCK:
		area->counts[0] = how_many(job, r, r);
		return;
	case TMAP_REDUCE:
		area->blocks = r == job->call.root;
		return;
	case TMAP_BARRIER:
		area->blocks = 0;
		break;
	default:
		return;
	}
	for (int64_t b = 0; b < area->blocks; b++) {
		int source = job->call.neighborhood ? job->rank[r].sources[b] : (int)b;

		if (source == TMAP_NONE) /* nothing comes, whatever there is room for */
			area->counts[b] = job->count;
		else if (collective_of(job) == TMAP_ALLTOALL)
			area->counts[b] = how_many(job, source, r);
		else if (collective_of(job) == TMAP_NEIGHBOR_ALLTOALL)
			area->counts[b] = how_many(job, source, block_sent(job, b));
		else
			area->counts[b] = how_many(job, source, source);
	}
}

/* Which element a rank has there when the collective begins; false: none. */
static bool is_given(const struct job *job, int r, bool is_send, int64_t b, int64_t i,
		     uint64_t *value)
{
	bool is_root = r == job->call.root;

	*value = element_of(r, b, i);
	if (collective_of(job) == TMAP_BCAST)
		return is_root && !is_send;
	if (is_send)
		return true;
	if (!job->in_place)
		return false;
	switch (collective_of(job)) {
	case TMAP_ALLGATHER:
		*value = element_of(r, 0, i);
		return b == r;
	case TMAP_GATHER:
		*value = element_of(r, 0, i);
		return is_root && b == r;
	case TMAP_REDUCE:
		return is_root;
	default:
		return true;
	}
}

/* What MPI says that it has in block b, element i of what it receives; false: nothing. */
static bool is_promised(const struct job *job, int r, int64_t b, int64_t i, uint64_t *value)
{
	const struct rank *rank = &job->rank[r];
	int root = job->call.root, last = job->call.size - 1;
	int source = rank->layout.sources ? rank->layout.sources[b] : TMAP_NONE;

	switch (collective_of(job)) {
	case TMAP_ALLGATHER:
	case TMAP_GATHER:
		*value = element_of((int)b, 0, i);
		return true;
	case TMAP_SCATTER:
		*value = element_of(root, r, i);
		return r != root || !job->in_place;
	case TMAP_ALLTOALL:
		*value = element_of((int)b, r, i);
		return true;
	case TMAP_BCAST:
		*value = element_of(root, 0, i);
		return true;
	case TMAP_REDUCE:
	case TMAP_ALLREDUCE:
		*value = reduced(job, last, 0, i);
		return true;
	case TMAP_REDUCE_SCATTER:
	case TMAP_REDUCE_SCATTER_BLOCK:
		*value = reduced(job, last, r, i);
		return b == 0;
	case TMAP_SCAN:
		*value = reduced(job, r, 0, i);
		return true;
	case TMAP_EXSCAN:
		*value = reduced(job, r - 1, 0, i);
		return r > 0;
	case TMAP_NEIGHBOR_ALLGATHER:
		*value = element_of(source, 0, i);
		return source != TMAP_NONE;
	case TMAP_NEIGHBOR_ALLTOALL:
		*value = element_of(source, block_sent(job, b), i);
		return source != TMAP_NONE;
	default:
		return false;
	}
}

/* ---- buffers ---- */

static char *element_in(const struct area *area, int64_t b, int64_t i)
{
	const struct tmap_data_element *element = &elements[area->type];

	return area->data + area->offsets[b] + i * element->extent + element->low;
}

/* What is left of a value in one of its elements. */
static void value_put(const struct area *area, char *at, uint64_t value)
{
	unsigned char byte = (unsigned char)value;

	memcpy(at, area->type == BYTES ? (void *)&byte : (void *)&value,
	       (size_t)elements[area->type].size);
}

static bool value_is(const struct area *area, const char *at, uint64_t value)
{
	return area->type == BYTES ? (unsigned char)*at == (unsigned char)value :
				     value_at(at) == value;
}

static void area_init(struct area *area, int type)
{
	int64_t at = 0;

	area->type = type;
	for (int64_t b = 0; b < area->blocks; b++) {
		area->offsets[b] = at;
		at += area->counts[b] * elements[type].extent;
	}
	area->bytes = at + 64;
	area->data = malloc((size_t)area->bytes);
	area->was = malloc((size_t)area->bytes);
	ck_assert(area->data && area->was);
}

static void area_fill(const struct job *job, int r, struct area *area, bool is_send)
{
	memset(area->data, is_send ? 0x11 : 0x77, (size_t)area->bytes);
	for (int64_t b = 0; b < area->blocks; b++)
		for (int64_t i = 0; i < area->counts[b]; i++) {
			uint64_t value;

			if (is_given(job, r, is_send, b, i, &value))
				value_put(area, element_in(area, b, i), value);
		}
	memcpy(area->was, area->data, (size_t)area->bytes);
}

static struct tmap_blocks blocks_of(const struct job *job, const struct area *area)
{
	struct tmap_blocks blocks = { .type = area->type, .count = job->count };

	if (job->counts) {
		blocks.counts = area->counts;
		blocks.offsets = area->offsets;
	}
	return blocks;
}

static void rank_init(struct job *job, int r, struct messages *messages)
{
	bool reduces = tmap_collective_rows[collective_of(job)].reduces;
	struct rank *rank = &job->rank[r];
	char *area[TMAP_AREAS];

	if (job->call.neighborhood) {
		tmap_neighborhood_sources(job->call.neighborhood, r, rank->sources);
		rank->layout.sources = rank->sources;
	}
	describe_send(job, r, &rank->send);
	describe_recv(job, r, &rank->recv);
	if (job->in_place && scatters_sums(job)) { /* all that is reduced is there at first */
		rank->recv.blocks = rank->send.blocks;
		memcpy(rank->recv.counts, rank->send.counts, sizeof rank->send.counts);
	}
	area_init(&rank->send, job->in_bytes ? BYTES : reduces ? GAPPED : DENSE);
	area_init(&rank->recv, job->in_bytes ? BYTES : GAPPED);
	rank->layout.type = elements;
	rank->layout.in_place = job->in_place &&
		(r == job->call.root || !tmap_collective_rows[collective_of(job)].has_root);
	rank->layout.send = blocks_of(job, &rank->send);
	rank->layout.recv = blocks_of(job, &rank->recv);
	if (scatters_sums(job)) /* one block, also where all of them are there at first */
		rank->layout.recv = (struct tmap_blocks){ .type = rank->recv.type,
							  .count = how_many(job, r, r) };
	ck_assert_msg(tmap_steps_init(&rank->steps, &job->call, r, &rank->layout, job->by_rounds,
				      &err) == 0,
		      "%s", err.text);
	rank->scratch = malloc((size_t)(rank->steps.scratch_bytes + rank->steps.blank_bytes) + 1);
	area[TMAP_SEND_AREA] = rank->send.data;
	area[TMAP_RECV_AREA] = rank->recv.data;
	area[TMAP_SCRATCH_AREA] = rank->scratch;
	ck_assert_int_eq(tmap_execution_init(&rank->execution, &rank->steps, area,
					     messages_transport(messages, r), &err),
			 0);
}

static void rank_fini(struct rank *rank)
{
	tmap_execution_fini(&rank->execution);
	tmap_steps_fini(&rank->steps);
	free(rank->scratch);
	free(rank->send.data);
	free(rank->send.was);
	free(rank->recv.data);
	free(rank->recv.was);
	*rank = (struct rank){ 0 };
}

#define FAIL(job, r, text) \
	ck_abort_msg("%s %s, %d ranks, root %d, %lld %s%s%s: rank %d %s", \
		     tmap_collective_rows[collective_of(job)].word.name, \
		     (job)->call.choice.row->word.name, (job)->call.size, (job)->call.root, \
		     (long long)(job)->count, (job)->in_bytes ? "bytes" : "elements", \
		     (job)->in_place ? ", in place" : "", (job)->counts ? ", v" : "", r, text)

static void check_rank(struct job *job, int r)
{
	struct rank *rank = &job->rank[r];
	uint64_t value;

	if (memcmp(rank->send.data, rank->send.was, (size_t)rank->send.bytes) != 0)
		FAIL(job, r, "has changed what it sends");
	/* what is promised, put where it was promised, must give what is there */
	for (int64_t b = 0; b < (scatters_sums(job) ? 1 : rank->recv.blocks); b++) {
		/* its own sum is in front, however much was there at first */
		int64_t count = scatters_sums(job) ? how_many(job, r, r) : rank->recv.counts[b];

		for (int64_t i = 0; i < count; i++) {
			char *at = element_in(&rank->recv, b, i);

			if (is_promised(job, r, b, i, &value)) {
				if (!value_is(&rank->recv, at, value))
					FAIL(job, r, "has received something else");
				value_put(&rank->recv, rank->recv.was + (at - rank->recv.data),
					  value);
			} else if (collective_of(job) == TMAP_EXSCAN) {
				memcpy(rank->recv.was + (at - rank->recv.data), at,
				       (size_t)elements[rank->recv.type].size);
			}
		}
	}
	if (memcmp(rank->recv.data, rank->recv.was, (size_t)rank->recv.bytes) != 0)
		FAIL(job, r, "has written where nothing is promised");
}

static void rank_fill(struct job *job, int r)
{
	area_fill(job, r, &job->rank[r].send, true);
	area_fill(job, r, &job->rank[r].recv, false);
	memset(job->rank[r].scratch, 0x3c, (size_t)job->rank[r].steps.scratch_bytes);
}

static void rank_run(void *data, int r)
{
	struct rank *rank = &((struct job *)data)->rank[r];
	struct tmap_error its;

	rank->status = tmap_execution_run(&rank->execution, &its);
}

static void run_blocking(struct job *job, struct messages *messages)
{
	for (int r = 0; r < job->call.size; r++)
		rank_fill(job, r);
	if (!messages_run_ranks(messages, rank_run, job))
		FAIL(job, 0, "or another one waits for ever");
	for (int r = 0; r < job->call.size; r++)
		ck_assert_int_eq(job->rank[r].status, 0);
}

static void run_together(struct job *job, struct messages *messages)
{
	int order[MOST_RANKS], size = job->call.size, running = size, idle = 0;
	bool ended[MOST_RANKS] = { false };

	for (int r = 0; r < size; r++)
		order[r] = r;
	dice_shuffle(&dice, order, size);
	for (int i = 0; i < size; i++) {
		rank_fill(job, order[i]);
		ck_assert_int_eq(tmap_execution_start(&job->rank[order[i]].execution, &err), 0);
	}
	while (running) {
		int r = dice_roll(&dice, size);
		bool moves = dice_roll(&dice, 2) && messages_deliver(messages);

		idle = moves ? 0 : idle + 1;
		if (idle > 400 * size)
			FAIL(job, r, "waits for ever");
		if (ended[r])
			continue;
		ck_assert_int_eq(
			tmap_execution_test(&job->rank[r].execution, false, &ended[r], &err), 0);
		running -= ended[r];
	}
}

static void run(struct job *job, struct messages *messages)
{
	if (job->blocks)
		run_blocking(job, messages);
	else
		run_together(job, messages);
	if (!messages_is_empty(messages))
		FAIL(job, 0, "has messages left");
}

static void execute(struct job *job)
{
	struct messages *messages;

	if (tmap_call_check(&job->call, &err) < 0)
		return;
	messages = messages_new(job->call.size, elements,
				job->is_ordered       ? compose_into :
					job->in_bytes ? add_byte_into :
							add_into,
				!job->is_ordered, dice);
	for (int r = 0; r < job->call.size; r++)
		rank_init(job, r, messages);
	for (int again = 0; again < 2; again++) {
		run(job, messages);
		for (int r = 0; r < job->call.size; r++)
			check_rank(job, r);
	}
	for (int r = 0; r < job->call.size; r++)
		rank_fini(&job->rank[r]);
	messages_free(messages);
	executed++;
}

/* ---- the rows ---- */

/* The size that the schedule is made for. */
static void set_bytes(struct job *job, int64_t count)
{
	const struct tmap_algorithm *algorithm = tmap_call_algorithm(&job->call);

	job->count = count;
	job->call.element = elements[job->in_bytes ? BYTES : DENSE].size;
	job->call.bytes = job->call.element * count;
	if (algorithm->collective == TMAP_REDUCE_SCATTER)
		job->call.bytes *= job->call.size;
}

static bool has_in_place(const struct job *job)
{
	return collective_of(job) != TMAP_BCAST && collective_of(job) != TMAP_BARRIER &&
		!job->call.neighborhood;
}

static void execute_forms(struct job *job, int64_t count)
{
	const struct tmap_algorithm *algorithm = tmap_call_algorithm(&job->call);
	bool reduces = tmap_collective_rows[algorithm->collective].reduces;

	set_bytes(job, count);
	for (int in_place = 0; in_place <= has_in_place(job); in_place++)
		for (int ordered = 0; ordered <= (reduces && algorithm->in_order); ordered++) {
			job->in_place = in_place;
			job->is_ordered = ordered;
			for (int by_rounds = 0;
			     by_rounds <= (count == 5 && !job->call.neighborhood); by_rounds++) {
				job->by_rounds = by_rounds;
				execute(job);
			}
			job->by_rounds = false;
		}
}

/* Where pieces begin anywhere. */
static void execute_bytes(struct job *job, int64_t count)
{
	job->in_bytes = true;
	job->is_ordered = false;
	set_bytes(job, count);
	for (int in_place = 0; in_place < 2; in_place++) {
		job->in_place = in_place;
		if (!in_place || has_in_place(job))
			execute(job);
	}
	job->in_bytes = job->in_place = false;
}

static void execute_sizes(struct job *job)
{
	enum tmap_collective collective = collective_of(job);
	static const int64_t counts[] = { 0, 1, 5, 37 };

	for (int size = 1; size <= MOST_EXECUTED; size++) {
		struct tmap_placement placement;
		struct tmap_metric metric;

		put_ranks(&placement, size, size % MANNERS);
		ck_assert_int_eq(tmap_metric_init(&metric, &placement, TMAP_SCALE_PROCESS, &err),
				 0);
		job->call.size = size;
		job->call.metric = &metric;
		for (job->call.root = 0;
		     job->call.root < (tmap_collective_rows[collective].has_root ? size : 1);
		     job->call.root++) {
			for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
				execute_forms(job, counts[i]);
			execute_bytes(job, 101);
		}
		job->call.metric = NULL;
		tmap_metric_fini(&metric);
		tmap_placement_fini(&placement);
	}
}

START_TEST(every_algorithm_leaves_what_its_collective_promises)
{
	enum tmap_collective collective = (enum tmap_collective)_i;
	const struct tmap_keywords *words = tmap_algorithms(collective);
	static struct job job; /* large */

	dice = (struct dice){ 1 };
	for (int row = 0; tmap_keywords_at(words, (size_t)row); row++) {
		executed = 0;
		job = (struct job){ .call.choice = tmap_spec_preset(words, row) };
		execute_sizes(&job);
		ck_assert_msg(executed >= 20, "%s was hardly executed",
			      job.call.choice.row->word.name);
	}
}
END_TEST

/* As MPI's blocking collectives: nothing else is done meanwhile, and what is begun is waited for. */
START_TEST(ranks_that_wait_where_they_are_leave_the_same)
{
	static const int sizes[] = { 1, 2, 3, 5, 8, 13 };
	enum tmap_collective collective = (enum tmap_collective)_i;
	const struct tmap_keywords *words = tmap_algorithms(collective);
	static struct job job;

	dice = (struct dice){ 5 };
	for (int row = 0; tmap_keywords_at(words, (size_t)row); row++) {
		executed = 0;
		for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
			struct tmap_placement placement;
			struct tmap_metric metric;

			if (sizes[i] > MOST_EXECUTED)
				break;
			job = (struct job){ .call = { .choice = tmap_spec_preset(words, row),
						      .size = sizes[i] },
					    .blocks = true };
			if (tmap_collective_rows[collective].has_root)
				job.call.root = sizes[i] / 2;
			put_ranks(&placement, sizes[i], (int)i % MANNERS);
			ck_assert_int_eq(
				tmap_metric_init(&metric, &placement, TMAP_SCALE_PROCESS, &err), 0);
			job.call.metric = &metric;
			execute_forms(&job, 5);
			execute_bytes(&job, 101);
			tmap_metric_fini(&metric);
			tmap_placement_fini(&placement);
		}
		ck_assert_msg(executed >= 4, "%s was hardly executed",
			      job.call.choice.row->word.name);
	}
}
END_TEST

static int waiting_for_nothing(const struct tmap_steps *steps)
{
	int count = 0;

	for (size_t i = 0; i < steps->step_count; i++)
		count += steps->step[i].waits == 0;
	return count;
}

/* A rank of a pairwise exchange sends and receives one block a round, and none of what has come. */
START_TEST(by_rounds_only_the_first_one_waits_for_nothing)
{
	const struct tmap_data_element element = { .size = 8, .extent = 8, .span = 8 };
	const struct tmap_layout layout = { .type = &element, .send.count = 1, .recv.count = 1 };
	struct tmap_call call = { .size = 9, .bytes = 8 };
	struct tmap_steps steps;

	ck_assert_int_eq(tmap_call_parse(&call, TMAP_ALLTOALL, "pairwise", &err), 0);
	ck_assert_int_eq(tmap_steps_init(&steps, &call, 4, &layout, false, &err), 0);
	ck_assert_int_eq(waiting_for_nothing(&steps), 16);
	tmap_steps_fini(&steps);
	ck_assert_int_eq(tmap_steps_init(&steps, &call, 4, &layout, true, &err), 0);
	ck_assert_int_eq(waiting_for_nothing(&steps), 2);
	tmap_steps_fini(&steps);
}
END_TEST

/* The leader of a node of 32 ranks gets and hands on the blocks of each of them for another node's 32, which
 * follow one another. What comes for its own node is dealt out block by block. */
START_TEST(blocks_that_are_handed_on_together_are_one_piece)
{
	static const struct test_level node_levels[] = { { TMAP_CORE, 32 }, { 0, 0 } };
	const struct tmap_data_element element = { .size = 8, .extent = 8, .span = 8 };
	const struct tmap_layout layout = { .type = &element, .send.count = 1, .recv.count = 1 };
	enum { SIZE = 256 };
	struct tmap_call call = { .size = SIZE, .bytes = 8 };
	struct tmap_collection messages;
	struct tmap_placement placement;
	struct tmap_metric metric;
	struct tmap_steps steps;
	int64_t blocks = 0;

	placement_block_take(&placement, machine_regular(8, node_levels));
	ck_assert_int_eq(placement.size, SIZE);
	ck_assert_int_eq(tmap_metric_init(&metric, &placement, TMAP_SCALE_PROCESS, &err), 0);
	call.metric = &metric;
	ck_assert_int_eq(tmap_call_parse(&call, TMAP_ALLTOALL, "hierarchical,levels=node", &err),
			 0);
	ck_assert_int_eq(tmap_call_resolve(&call, &call.choice, &err), 0);
	ck_assert_int_eq(tmap_collection_record_rank(&messages, &call, 0, &err), 0);
	for (size_t m = 0; m < messages.count; m++)
		for (int i = 0; i < messages.message[m].run_count; i++)
			blocks += messages.message[m].run[i].count;
	ck_assert_int_eq(tmap_steps_init(&steps, &call, 0, &layout, false, &err), 0);
	ck_assert_msg((int64_t)steps.piece_count < blocks / 2, "%zu pieces of %lld blocks",
		      steps.piece_count, (long long)blocks);
	tmap_steps_fini(&steps);
	tmap_collection_fini(&messages);
	tmap_metric_fini(&metric);
	tmap_placement_fini(&placement);
}
END_TEST

/* Segments, radices, inner algorithms: one after another. */
START_TEST(parameters_change_nothing_of_what_is_left)
{
	enum tmap_collective collective = (enum tmap_collective)_i;
	const struct tmap_keywords *words = tmap_algorithms(collective);
	static struct job job;

	dice = (struct dice){ 2 };
	for (int row = 0; tmap_keywords_at(words, (size_t)row); row++) {
		const struct tmap_param *param;

		job = (struct job){ .call.choice = tmap_spec_preset(words, row) };
		param = job.call.choice.row->params;
		for (int i = 0; param && param[i].key; i++)
			for (int64_t value = 0; value < 5; value++) {
				struct tmap_placement placement;
				struct tmap_metric metric;
				int64_t is = param[i].is_size ? 8 * value * value : value;

				if (tmap_param_has_words(&param[i])) {
					if (!tmap_param_word_text(&param[i], value))
						break;
				} else if (is < param[i].least || is > param[i].most) {
					continue;
				}
				job.call.choice = tmap_spec_preset(words, row);
				job.call.choice.value[i] = is;
				job.call.size = 8 + (int)value;
				job.call.root = tmap_collective_rows[collective].has_root ? 3 : 0;
				put_ranks(&placement, job.call.size, (int)value % MANNERS);
				ck_assert_int_eq(tmap_metric_init(&metric, &placement,
								  TMAP_SCALE_PROCESS, &err),
						 0);
				job.call.metric = &metric;
				execute_forms(&job, 37);
				tmap_metric_fini(&metric);
				tmap_placement_fini(&placement);
			}
	}
}
END_TEST

/* Where all ranks know all sizes, or nobody hands on what others have. */
START_TEST(blocks_may_have_any_sizes)
{
	static const enum tmap_collective collectives[] = { TMAP_ALLGATHER, TMAP_GATHER,
							    TMAP_SCATTER, TMAP_ALLTOALL,
							    TMAP_REDUCE_SCATTER };
	enum tmap_collective collective = collectives[_i];
	const struct tmap_keywords *words = tmap_algorithms(collective);
	int64_t counts[MOST_RANKS * MOST_RANKS];
	static struct job job;

	dice = (struct dice){ 3 };
	for (int row = 0; tmap_keywords_at(words, (size_t)row); row++)
		for (int size = 1; size <= MOST_RANKS; size += 1 + size / 5) {
			struct tmap_placement placement;
			struct tmap_metric metric;

			job = (struct job){ .call = { .choice = tmap_spec_preset(words, row),
						      .size = size,
						      .root = size / 2,
						      .bytes = 8 },
					    .counts = counts };
			if (!tmap_collective_rows[collective].has_root)
				job.call.root = 0;
			if (collective == TMAP_REDUCE_SCATTER)
				job.call.bytes *= size;
			else if (collective != TMAP_ALLGATHER && !tmap_call_is_direct(&job.call))
				break;
			for (int i = 0; i < size * size; i++)
				counts[i] = dice_roll(&dice, 3) * dice_roll(&dice, 9);
			put_ranks(&placement, size, size % MANNERS);
			ck_assert_int_eq(
				tmap_metric_init(&metric, &placement, TMAP_SCALE_PROCESS, &err), 0);
			job.call.metric = &metric;
			for (int in_place = 0; in_place < 2; in_place++) {
				job.in_place = in_place;
				/* in place, as much comes from a rank as goes there */
				for (int i = 0; in_place && i < size * size; i++)
					counts[i] = counts[i % size * size + i / size];
				execute(&job);
			}
			tmap_metric_fini(&metric);
			tmap_placement_fini(&placement);
		}
}
END_TEST

/* Short periodic dimensions, too: a rank meets itself, or another one twice. */
START_TEST(neighbours_get_the_blocks_that_are_for_them)
{
	static const struct {
		const char *stencil, *cart, *periods;
		int size;
	} rows[] = {
		{ "cart", "4x4", "1,1", 16 },
		{ "cart", "2x3", "1,0", 6 },
		{ "cart", "1x2", "1,1", 2 },
		{ "cart", "1x1", "1,1", 1 },
		{ "cart", "2x2x3", "1,1,1", 12 },
		{ "vonneumann:2", "4x4", "1,0", 16 },
		{ "moore:1", "4x4", "1,1", 16 },
		{ "moore:1", "2x5", "1,1", 10 },
		{ "offsets:1,0;0,2", "4x4", "1,0", 16 },
	};
	int64_t counts[MOST_RANKS * MOST_RANKS];
	static struct job job;

	dice = (struct dice){ 4 };
	for (int k = 0; k < 2; k++) {
		struct tmap_neighborhood neighborhood;
		const struct tmap_keywords *words =
			tmap_algorithms(k ? TMAP_NEIGHBOR_ALLTOALL : TMAP_NEIGHBOR_ALLGATHER);

		ck_assert_int_eq(tmap_neighborhood_init(&neighborhood, rows[_i].size,
							rows[_i].stencil, rows[_i].cart,
							rows[_i].periods, NULL, &err),
				 0);
		for (int row = 0; tmap_keywords_at(words, (size_t)row); row++) {
			job = (struct job){ .call = { .choice = tmap_spec_preset(words, row),
						      .size = rows[_i].size,
						      .neighborhood = &neighborhood } };
			executed = 0;
			execute_forms(&job, 5);
			execute_bytes(&job, 101);
			for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
				counts[i] = dice_roll(&dice, 3) * dice_roll(&dice, 9);
			job.counts = counts;
			execute_forms(&job, 1); /* of a size that leaves no block empty */
			ck_assert_int_eq(executed, 3);
		}
		tmap_neighborhood_fini(&neighborhood);
	}
}
END_TEST

static bool goes_straight(const struct tmap_call *call, const struct tmap_message *message,
			  int64_t unit)
{
	switch (tmap_call_algorithm(call)->collective) {
	case TMAP_ALLTOALL:
		return message->from == unit / call->size && message->to == unit % call->size;
	case TMAP_GATHER:
		return message->from == unit && message->to == call->root;
	default:
		return message->from == call->root && message->to == unit;
	}
}

/* What tmap_call_is_direct() says, against the messages. */
START_TEST(direct_algorithms_hand_nothing_on)
{
	static const enum tmap_collective collectives[] = { TMAP_GATHER, TMAP_SCATTER,
							    TMAP_ALLTOALL };
	enum tmap_collective collective = collectives[_i];
	const struct tmap_keywords *words = tmap_algorithms(collective);

	for (int row = 0; tmap_keywords_at(words, (size_t)row); row++) {
		struct tmap_call call = { .choice = tmap_spec_preset(words, row),
					  .bytes = 8,
					  .size = 16,
					  .root = _i < 2 ? 5 : 0 };
		struct tmap_collection whole;
		struct tmap_placement placement;
		struct tmap_metric metric;
		bool is_direct = true;

		put_ranks(&placement, call.size, ROUND_NODES);
		ck_assert_int_eq(tmap_metric_init(&metric, &placement, TMAP_SCALE_PROCESS, &err),
				 0);
		call.metric = &metric;
		ck_assert_int_eq(tmap_collection_init(&whole, &call, &err), 0);
		for (size_t m = 0; m < whole.count; m++) {
			const struct tmap_message *it = &whole.message[m];

			for (int i = 0; i < it->run_count; i++)
				for (int64_t k = 0; k < it->run[i].count; k++)
					is_direct = is_direct &&
						goes_straight(&call, it,
							      it->run[i].first +
								      k * it->run[i].stride);
		}
		ck_assert_msg(is_direct == tmap_call_is_direct(&call), "%s",
			      call.choice.row->word.name);
		tmap_collection_fini(&whole);
		tmap_metric_fini(&metric);
		tmap_placement_fini(&placement);
	}
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("execution");
	TCase *tcase = tcase_create("execution");

	tcase_set_timeout(tcase, 0);
	tcase_add_loop_test(tcase, every_algorithm_leaves_what_its_collective_promises, 0,
			    TMAP_NEIGHBOR_ALLGATHER);
	tcase_add_loop_test(tcase, ranks_that_wait_where_they_are_leave_the_same, 0,
			    TMAP_NEIGHBOR_ALLGATHER);
	tcase_add_test(tcase, by_rounds_only_the_first_one_waits_for_nothing);
	tcase_add_test(tcase, blocks_that_are_handed_on_together_are_one_piece);
	tcase_add_loop_test(tcase, parameters_change_nothing_of_what_is_left, 0,
			    TMAP_NEIGHBOR_ALLGATHER);
	tcase_add_loop_test(tcase, blocks_may_have_any_sizes, 0, 5);
	tcase_add_loop_test(tcase, neighbours_get_the_blocks_that_are_for_them, 0, 9);
	tcase_add_loop_test(tcase, direct_algorithms_hand_nothing_on, 0, 3);
	suite_add_tcase(suite, tcase);
	return suite;
}
