/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/support/messages.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One side of a message, from its step on. */
struct side {
	const struct tmap_steps *steps;
	size_t step;
	char *area[TMAP_AREAS];
	char *data; /* of a send that was taken at once */
	int64_t bytes;
};

/* From one rank to another: sides wait for the other side in the order in which they began. */
struct pair {
	size_t sends, recvs, first_send, first_recv, send_room, recv_room;
	struct side *send, *recv;
};

struct endpoint {
	struct messages *messages;
	int rank;
	size_t count, room, said_room;
	size_t *ended, *said;
	struct tmap_transport transport;
	/* in a thread of its own */
	pthread_t thread;
	sem_t turn;
	bool waits, has_news, is_over;
};

struct messages {
	int ranks;
	const struct tmap_data_element *element;
	void (*op)(const char *source, char *target);
	struct dice dice;
	struct pair *pair;
	struct endpoint *endpoint;
	sem_t turn; /* of who delivers */
	void (*work)(void *data, int rank);
	void *data;
};

static void *grown(void *array, size_t *room, size_t need, size_t size)
{
	if (need <= *room)
		return array;
	*room = 2 * need;
	array = realloc(array, *room * size);
	if (!array)
		abort();
	return array;
}

static struct pair *pair_of(struct messages *it, int from, int to)
{
	return &it->pair[(size_t)from * (size_t)it->ranks + (size_t)to];
}

static char *element_at(const struct messages *it, const struct tmap_data_piece *piece,
			char *const area[TMAP_AREAS], int64_t i)
{
	const struct tmap_data_element *element = &it->element[piece->type];

	return area[piece->area] + piece->offset + i * element->extent + element->low;
}

static int64_t bytes_of(const struct messages *it, const struct side *side)
{
	const struct tmap_step *step = &side->steps->step[side->step];
	int64_t bytes = step->blank_bytes;

	for (size_t i = 0; i < step->count; i++)
		bytes += side->steps->piece[step->first + i].count *
			it->element[side->steps->piece[step->first + i].type].size;
	return bytes;
}

enum way { OUT, IN, SPOIL };

/* The bytes of a side's pieces to data, from there, or spoilt. */
static void carry(const struct messages *it, const struct side *side, char *data, enum way way)
{
	const struct tmap_step *step = &side->steps->step[side->step];

	for (size_t p = step->first; p < step->first + step->count; p++) {
		const struct tmap_data_piece *piece = &side->steps->piece[p];
		size_t size = (size_t)it->element[piece->type].size;

		for (int64_t i = 0; i < piece->count; i++, data += size) {
			char *at = element_at(it, piece, side->area, i);

			if (way == OUT)
				memcpy(data, at, size);
			else if (way == IN)
				memcpy(at, data, size);
			else
				memset(at, 0xa5, size);
		}
	}
}

static void *data_new(int64_t bytes)
{
	void *data = malloc((size_t)bytes + 1);

	if (!data)
		abort();
	return data;
}

static void end(struct messages *it, int rank, size_t step)
{
	struct endpoint *at = &it->endpoint[rank];

	at->ended = grown(at->ended, &at->room, at->count + 1, sizeof *at->ended);
	at->ended[at->count++] = step;
	at->has_news = true;
}

static int messages_begin(void *context, const struct tmap_steps *steps, size_t step,
			  char *const area[TMAP_AREAS], struct tmap_error *err)
{
	struct endpoint *at = context;
	struct messages *it = at->messages;
	const struct tmap_step *is = &steps->step[step];
	struct side side = { .steps = steps, .step = step };
	struct pair *pair;

	(void)err;
	for (enum tmap_area a = 0; a < TMAP_AREAS; a++)
		side.area[a] = area[a];
	side.bytes = bytes_of(it, &side);
	if (is->kind == TMAP_STEP_RECV) {
		pair = pair_of(it, is->peer, at->rank);
		carry(it, &side, NULL, SPOIL);
		pair->recv = grown(pair->recv, &pair->recv_room, pair->recvs + 1, sizeof side);
		pair->recv[pair->recvs++] = side;
		return 0;
	}
	pair = pair_of(it, at->rank, is->peer);
	if (dice_roll(&it->dice, 2)) {
		side.data = data_new(side.bytes);
		carry(it, &side, side.data, OUT);
		end(it, at->rank, step);
	}
	pair->send = grown(pair->send, &pair->send_room, pair->sends + 1, sizeof side);
	pair->send[pair->sends++] = side;
	return 0;
}

static bool deliver_pair(struct messages *it, int from, int to)
{
	struct pair *pair = pair_of(it, from, to);
	struct side *send, *recv;

	if (pair->first_send == pair->sends || pair->first_recv == pair->recvs)
		return false;
	send = &pair->send[pair->first_send++];
	recv = &pair->recv[pair->first_recv++];
	if (send->bytes != recv->bytes) {
		fprintf(stderr, "messages: %d sends %lld bytes, %d receives %lld\n", from,
			(long long)send->bytes, to, (long long)recv->bytes);
		abort();
	}
	if (!send->data) {
		send->data = data_new(send->bytes);
		carry(it, send, send->data, OUT);
		end(it, from, send->step);
	}
	carry(it, recv, send->data, IN);
	end(it, to, recv->step);
	free(send->data);
	send->data = NULL;
	return true;
}

bool messages_deliver(struct messages *messages)
{
	int ranks = messages->ranks, pairs = ranks * ranks,
	    first = dice_roll(&messages->dice, pairs);

	for (int i = 0; i < pairs; i++) {
		int at = (first + i) % pairs;

		if (deliver_pair(messages, at / ranks, at % ranks))
			return true;
	}
	return false;
}

/* Others go on, at least until one more message of this rank has ended. */
static void endpoint_wait(struct endpoint *at)
{
	at->waits = true;
	at->has_news = false;
	sem_post(&at->messages->turn);
	sem_wait(&at->turn);
	at->waits = false;
}

/* Has this step ended? Then it is not said any more. */
static bool endpoint_take(struct endpoint *at, size_t step)
{
	for (size_t i = 0; i < at->count; i++)
		if (at->ended[i] == step) {
			at->ended[i] = at->ended[--at->count];
			return true;
		}
	return false;
}

static int messages_run(void *context, const struct tmap_steps *steps,
			const struct tmap_line_part *part, size_t count,
			char *const area[TMAP_AREAS], struct tmap_error *err)
{
	struct endpoint *at = context;

	for (const struct tmap_line_part *end = part + count; part < end; part++) {
		const size_t step[] = { part->step, part->send };
		size_t steps_at_once = part->step == part->send ? 1 : 2;

		for (size_t i = 0; i < steps_at_once; i++)
			messages_begin(context, steps, step[i], area, err);
		for (size_t i = 0; i < steps_at_once; i++)
			while (!endpoint_take(at, step[i]))
				endpoint_wait(at);
	}
	return 0;
}

static int messages_ended(void *context, bool waits, const size_t **ended, size_t *count,
			  struct tmap_error *err)
{
	struct endpoint *at = context;

	(void)err;
	*count = 0;
	while (waits && !at->count)
		endpoint_wait(at);
	at->said = grown(at->said, &at->said_room, at->count, sizeof *at->said);
	while (at->count && ((waits && !*count) || dice_roll(&at->messages->dice, 3))) {
		size_t one = (size_t)dice_roll(&at->messages->dice, (int)at->count);

		at->said[(*count)++] = at->ended[one];
		at->ended[one] = at->ended[--at->count];
	}
	*ended = at->said;
	return 0;
}

/* As much data on both sides. */
static int messages_copy(void *context, const struct tmap_data_piece *source,
			 const struct tmap_data_piece *target, char *const area[TMAP_AREAS],
			 struct tmap_error *err)
{
	const struct messages *it = ((struct endpoint *)context)->messages;
	int64_t size = it->element[source->type].size, bytes = source->count * size;
	int64_t target_size = it->element[target->type].size;
	char *data = data_new(bytes);

	(void)err;
	if (bytes != target->count * target_size)
		abort();
	for (int64_t i = 0; i < source->count; i++)
		memcpy(data + i * size, element_at(it, source, area, i), (size_t)size);
	for (int64_t i = 0; i < target->count; i++)
		memcpy(element_at(it, target, area, i), data + i * target_size,
		       (size_t)target_size);
	free(data);
	return 0;
}

static int messages_reduce(void *context, const struct tmap_data_piece *source,
			   const struct tmap_data_piece *target, char *const area[TMAP_AREAS],
			   struct tmap_error *err)
{
	const struct messages *it = ((struct endpoint *)context)->messages;

	(void)err;
	if (source->count != target->count || source->type != target->type)
		abort();
	for (int64_t i = 0; i < source->count; i++)
		it->op(element_at(it, source, area, i), element_at(it, target, area, i));
	return 0;
}

static int64_t messages_plain(const void *context, const struct tmap_data_piece *source,
			      const struct tmap_data_piece *target)
{
	const struct messages *it = ((const struct endpoint *)context)->messages;
	const struct tmap_data_element *from = &it->element[source->type];

	return from->is_dense && it->element[target->type].is_dense ? source->count * from->size :
								      0;
}

struct messages *messages_new(int ranks, const struct tmap_data_element *element,
			      void (*op)(const char *source, char *target), bool is_commutative,
			      struct dice dice)
{
	struct messages *it = calloc(1, sizeof *it);

	if (!it)
		abort();
	*it = (struct messages){ .ranks = ranks, .element = element, .op = op, .dice = dice };
	it->pair = calloc((size_t)ranks * (size_t)ranks, sizeof *it->pair);
	it->endpoint = calloc((size_t)ranks, sizeof *it->endpoint);
	if (!it->pair || !it->endpoint)
		abort();
	for (int r = 0; r < ranks; r++) {
		struct endpoint *at = &it->endpoint[r];

		*at = (struct endpoint){ .messages = it, .rank = r };
		at->transport = (struct tmap_transport){ .context = at,
							 .is_commutative = is_commutative,
							 .begin = messages_begin,
							 .run = messages_run,
							 .ended = messages_ended,
							 .copy = messages_copy,
							 .reduce = messages_reduce,
							 /* some ranks ask for each copy */
							 .plain = r % 2 ? messages_plain : NULL };
	}
	return it;
}

static void *endpoint_work(void *data)
{
	struct endpoint *at = data;

	sem_wait(&at->turn);
	at->messages->work(at->messages->data, at->rank);
	at->is_over = true;
	sem_post(&at->messages->turn);
	return NULL;
}

/* One that can go on, by lot; NULL: there is none. */
static struct endpoint *endpoint_ready(struct messages *it)
{
	int first = dice_roll(&it->dice, it->ranks);

	for (int i = 0; i < it->ranks; i++) {
		struct endpoint *at = &it->endpoint[(first + i) % it->ranks];

		if (!at->is_over && (!at->waits || at->has_news))
			return at;
	}
	return NULL;
}

/* Until nothing happens any more. */
static void turns_give(struct messages *it)
{
	struct endpoint *ready;

	for (;;) {
		if (dice_roll(&it->dice, 2) && messages_deliver(it))
			continue;
		ready = endpoint_ready(it);
		if (ready) {
			sem_post(&ready->turn);
			sem_wait(&it->turn);
		} else if (!messages_deliver(it)) {
			return;
		}
	}
}

bool messages_run_ranks(struct messages *messages, void (*work)(void *data, int rank), void *data)
{
	messages->work = work;
	messages->data = data;
	if (sem_init(&messages->turn, 0, 0) != 0)
		abort();
	for (int r = 0; r < messages->ranks; r++) {
		struct endpoint *at = &messages->endpoint[r];

		at->waits = at->has_news = at->is_over = false;
		if (sem_init(&at->turn, 0, 0) != 0 ||
		    pthread_create(&at->thread, NULL, endpoint_work, at) != 0)
			abort();
	}
	turns_give(messages);
	for (int r = 0; r < messages->ranks; r++)
		if (!messages->endpoint[r].is_over)
			return false;
	for (int r = 0; r < messages->ranks; r++) {
		pthread_join(messages->endpoint[r].thread, NULL);
		sem_destroy(&messages->endpoint[r].turn);
	}
	sem_destroy(&messages->turn);
	return true;
}

bool messages_is_empty(const struct messages *messages)
{
	for (int i = 0; i < messages->ranks * messages->ranks; i++)
		if (messages->pair[i].first_send != messages->pair[i].sends ||
		    messages->pair[i].first_recv != messages->pair[i].recvs)
			return false;
	return true;
}

void messages_free(struct messages *messages)
{
	for (int i = 0; i < messages->ranks * messages->ranks; i++) {
		for (size_t k = messages->pair[i].first_send; k < messages->pair[i].sends; k++)
			free(messages->pair[i].send[k].data);
		free(messages->pair[i].send);
		free(messages->pair[i].recv);
	}
	for (int r = 0; r < messages->ranks; r++) {
		free(messages->endpoint[r].ended);
		free(messages->endpoint[r].said);
	}
	free(messages->pair);
	free(messages->endpoint);
	free(messages);
}

const struct tmap_transport *messages_transport(struct messages *messages, int rank)
{
	return &messages->endpoint[rank].transport;
}
