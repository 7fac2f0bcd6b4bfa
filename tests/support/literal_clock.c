/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/support/literal_clock.h"

#include "core/schedule/schedule.h"
#include "core/tree/access.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

static void must(bool holds)
{
	if (holds)
		return;
	fprintf(stderr, "literal_clock: %s\n", err.text);
	abort();
}

enum { MOST_OBJECTS = 8192, MOST_LINKS = 8, ADAPTERS = 0, MEMORY = 1, LEVELS = 2 };

/* The links: adapters, memory, then those of the profile. */
static int link_count(const struct literal_clock *clock)
{
	return LEVELS + clock->profile->link_count;
}

/* What all messages between nodes share, in which each counts once. */
static bool is_network(const struct literal_clock *clock, int link)
{
	return link >= LEVELS && strcmp(clock->profile->link[link - LEVELS].level, "network") == 0;
}

/* The object of a link that a rank is in. */
static int object_of(const struct literal_clock *clock, int link, int rank)
{
	struct tmap_partition controllers;
	int object;

	if (link == ADAPTERS)
		return clock->placement->node[rank];
	if (is_network(clock, link))
		return 0;
	if (link > MEMORY)
		return tmap_levels_of_rank(
			clock->levels,
			tmap_levels_find(clock->levels, clock->profile->link[link - LEVELS].level),
			clock->placement, rank);
	must(tmap_controllers_init(&controllers, clock->placement->machine, &err) == 0);
	object = tmap_partition_set(&controllers, clock->placement, rank);
	tmap_partition_fini(&controllers);
	return object;
}

static double seconds_a_byte(const struct literal_clock *clock, int link)
{
	return link == ADAPTERS ? clock->profile->adapter_byte_s :
		link == MEMORY  ? clock->profile->memory_byte_s :
				  clock->profile->link[link - LEVELS].byte_s;
}

static double seconds_a_message(const struct literal_clock *clock, int link)
{
	return link == ADAPTERS ? clock->profile->adapter_message_s :
		link == MEMORY  ? 0 :
				  clock->profile->link[link - LEVELS].message_s;
}

/* Which side of which object a message uses: of a link with a side for each way, or one. */
static int side_of(const struct literal_clock *clock, int link, int object, bool enters)
{
	bool one = link == MEMORY ||
		(link >= LEVELS && clock->profile->link[link - LEVELS].both_ways);

	return (link * MOST_OBJECTS + object) * 2 + (enters && !one);
}

static bool crosses(const struct literal_clock *clock, int link, const struct tmap_message *message)
{
	if (is_network(clock, link))
		return object_of(clock, ADAPTERS, message->from) !=
			object_of(clock, ADAPTERS, message->to);
	if (link >= LEVELS &&
	    tmap_levels_find(clock->levels, clock->profile->link[link - LEVELS].level) == TMAP_NONE)
		return false;
	if (seconds_a_byte(clock, link) <= 0 && seconds_a_message(clock, link) <= 0)
		return false;
	return link == MEMORY ||
		object_of(clock, link, message->from) != object_of(clock, link, message->to);
}

/* Ranks besides this one that are bound to the same core as it, which is all that tests bind to. */
static int others_of(const struct tmap_placement *p, int rank)
{
	int others = -1;

	for (int r = 0; r < p->size; r++)
		others += p->node[r] == p->node[rank] && p->place[r] == p->place[rank];
	return others;
}

/* What one message of the round is. */
struct fact {
	const struct tmap_profile_row *row;
	double bytes, ready, start, head, moving, port, adding, done;
	double out, in; /* own time of the sender and of the receiver */
	bool eager, awaited, pulled, copied, pushed;
	int side[MOST_LINKS][2]; /* -1: it does not cross */
};

/* The sender's own time for what it has sent before in this round, eagerly. */
static double sent_before(const struct fact *fact, const struct tmap_message *message, int i)
{
	double sum = 0;

	for (int j = 0; j < i; j++)
		if (message[j].from == message[i].from && fact[j].eager)
			sum += fact[j].out;
	return sum;
}

/* Until when what it has sent before, eagerly and by an adapter, keeps its port. */
static double left_before(const struct literal_clock *clock, const struct fact *fact, int i)
{
	double left = clock->left[clock->message[i].from];

	for (int j = 0; j < i; j++)
		if (clock->message[j].from == clock->message[i].from && fact[j].eager &&
		    fact[j].pushed)
			left = fact[j].start + fact[j].port;
	return left;
}

static void fact_fill(const struct literal_clock *clock, struct fact *fact, int i)
{
	const struct tmap_message *message = &clock->message[i];
	struct fact *it = &fact[i];
	enum tmap_copier copier;
	bool within;

	it->bytes = (double)message->bytes;
	it->row = tmap_profile_find(clock->profile,
				    tmap_metric_distance(clock->metric, message->from, message->to),
				    message->bytes);
	it->eager = it->row->protocol == TMAP_PROTOCOL_EAGER;
	it->awaited = it->row->protocol == TMAP_PROTOCOL_RENDEZVOUS ||
		(it->row->protocol == TMAP_PROTOCOL_UNKNOWN && message->bytes >= 65536);
	it->moving = it->bytes * it->row->byte_s;
	it->adding = message->combine ? it->bytes * clock->profile->reduce_byte_s : 0;
	within = tmap_metric_distance(clock->metric, message->from, message->to) < 7;
	copier = it->row->copier == TMAP_COPIER_UNKNOWN ?
		(within ? TMAP_COPIER_SHARED : TMAP_COPIER_ADAPTER) :
		it->row->copier;
	it->pulled = copier == TMAP_COPIER_RECEIVER;
	it->copied = copier == TMAP_COPIER_RECEIVER || copier == TMAP_COPIER_SHARED;
	it->pushed = copier == TMAP_COPIER_ADAPTER;
	it->port = it->moving;
	for (int r = 0; it->pushed && r < clock->profile->row_count; r++)
		if (clock->profile->row[r].distance == it->row->distance &&
		    clock->profile->row[r].below_bytes == INT64_MAX)
			it->port = fmin(it->moving, it->bytes * clock->profile->row[r].byte_s);
	it->out = it->row->overhead_s + (it->pulled || it->pushed ? 0 : it->moving);
	it->in = it->row->overhead_s + (it->copied ? it->moving : 0) + it->adding;
	it->ready = clock->at[message->from];
	if (it->eager)
		it->ready += sent_before(fact, clock->message, i);
	it->start = it->eager ? it->ready : fmax(it->ready, clock->at[message->to]);
	if (it->pushed)
		it->start =
			fmax(it->start,
			     it->eager ? left_before(clock, fact, i) : clock->left[message->from]);
	it->head = it->start + it->row->latency_s +
		others_of(clock->placement, message->to) * clock->profile->shared_core_s;
	for (int l = 0; l < link_count(clock); l++) {
		bool is_crossed = crosses(clock, l, message);

		it->side[l][0] = it->side[l][1] = -1;
		if (!is_crossed)
			continue;
		it->side[l][0] = side_of(clock, l, object_of(clock, l, message->from), false);
		if (!is_network(clock, l))
			it->side[l][1] = side_of(clock, l, object_of(clock, l, message->to), true);
	}
}

/* When all of the round are through one side of an object. */
static double side_end(const struct literal_clock *clock, const struct fact *fact, int link,
		       int side)
{
	double first = INFINITY, bytes = 0, messages = 0;

	for (int i = 0; i < clock->count; i++)
		for (int way = 0; way < 2; way++)
			if (fact[i].side[link][way] == side) {
				first = fmin(first, fact[i].head);
				bytes += fact[i].bytes;
				messages++;
			}
	return fmax(first, clock->is_free[side]) +
		fmax(bytes * seconds_a_byte(clock, link),
		     messages * seconds_a_message(clock, link));
}

/* How long a sender is at work in this round on what waits for its receivers, which are done
 * together, after what leaves eagerly by its port. */
static double sent_together(const struct literal_clock *clock, const struct fact *fact, int rank)
{
	double sum = 0;

	for (int j = 0; j < clock->count; j++) {
		if (clock->message[j].from != rank)
			continue;
		if (!fact[j].eager)
			sum += fact[j].row->overhead_s + (fact[j].pulled ? 0 : fact[j].port);
		else if (fact[j].pushed)
			sum += fact[j].port;
	}
	return sum;
}

static void round_end(struct literal_clock *clock)
{
	int size = clock->placement->size;
	struct fact *fact = calloc((size_t)clock->count + 1, sizeof *fact);
	double *next = malloc((size_t)size * sizeof *next);
	double *left = malloc((size_t)size * sizeof *left);
	double *is_free = malloc(MOST_LINKS * MOST_OBJECTS * 2 * sizeof *is_free);

	memcpy(next, clock->at, (size_t)size * sizeof *next);
	memcpy(left, clock->left, (size_t)size * sizeof *left);
	memcpy(is_free, clock->is_free, MOST_LINKS * MOST_OBJECTS * 2 * sizeof *is_free);
	for (int i = 0; i < clock->count; i++)
		fact_fill(clock, fact, i);
	for (int i = 0; i < clock->count; i++) {
		struct fact *it = &fact[i];
		const struct tmap_message *message = &clock->message[i];

		it->done = it->head + it->moving;
		if (!it->eager && !it->pulled)
			it->done = fmax(it->done,
					it->head + sent_together(clock, fact, message->from) -
						it->row->overhead_s);
		for (int l = 0; l < link_count(clock); l++)
			for (int way = 0; way < 2; way++)
				if (it->side[l][way] >= 0) {
					double end = side_end(clock, fact, l, it->side[l][way]);

					it->done = fmax(it->done, end);
					is_free[it->side[l][way]] = end;
				}
		it->done += it->adding;
	}
	for (int r = 0; r < size; r++) { /* as a receiver */
		double first = INFINITY, last = 0, sum = 0, in = 0, port = 0;

		for (int i = 0; i < clock->count; i++) {
			const struct fact *it = &fact[i];

			if (clock->message[i].to != r)
				continue;
			port = fmax(port, it->copied ? clock->at[r] : clock->taken[r]);
			first = fmin(first, it->head - it->row->overhead_s);
			last = fmax(last, it->done);
			sum += it->row->overhead_s + it->port + it->adding;
			in += it->in;
		}
		if (first == INFINITY)
			continue;
		last = fmax(last, fmax(first, port) + sum);
		clock->taken[r] = last;
		next[r] = fmax(next[r], fmax(last, clock->at[r] + in));
		for (int i = 0; i < clock->count; i++)
			if (clock->message[i].to == r && fact[i].awaited)
				next[clock->message[i].from] =
					fmax(next[clock->message[i].from], last);
	}
	for (int i = 0; i < clock->count; i++) { /* as a sender */
		const struct fact *it = &fact[i];
		int from = clock->message[i].from;

		if (!it->eager)
			next[from] = fmax(next[from],
					  clock->at[from] + sent_together(clock, fact, from));
		else
			next[from] = fmax(next[from], it->ready + it->out);
		if (it->eager && it->pushed)
			left[from] = fmax(left[from], it->start + it->port);
	}
	for (int r = 0; r < size; r++) { /* with all of its messages */
		int sent = 0, received = 0;
		double own = 0;

		for (int i = 0; i < clock->count; i++) {
			sent += clock->message[i].from == r;
			received += clock->message[i].to == r;
			own += clock->message[i].from == r ? fact[i].out : 0;
			own += clock->message[i].to == r ? fact[i].in : 0;
		}
		if (sent > 1 || received > 1)
			next[r] = fmax(next[r], clock->at[r] + own);
	}
	memcpy(clock->left, left, (size_t)size * sizeof *left);
	free(left);
	memcpy(clock->at, next, (size_t)size * sizeof *next);
	memcpy(clock->is_free, is_free, MOST_LINKS * MOST_OBJECTS * 2 * sizeof *is_free);
	free(next);
	free(is_free);
	free(fact);
	clock->count = 0;
}

void literal_clock_init(struct literal_clock *clock, const struct tmap_placement *placement,
			const struct tmap_metric *metric, const struct tmap_levels *levels,
			const struct tmap_profile *profile)
{
	*clock = (struct literal_clock){
		.placement = placement, .metric = metric, .levels = levels, .profile = profile
	};
	clock->at = calloc((size_t)placement->size, sizeof *clock->at);
	clock->taken = calloc((size_t)placement->size, sizeof *clock->taken);
	clock->left = calloc((size_t)placement->size, sizeof *clock->left);
	clock->is_free = calloc(MOST_LINKS * MOST_OBJECTS * 2, sizeof *clock->is_free);
}

void literal_clock_add(struct literal_clock *clock, const struct tmap_message *message)
{
	if (clock->count && clock->message[0].round != message->round)
		round_end(clock);
	if (clock->count == clock->capacity) {
		clock->capacity = 2 * clock->capacity + 64;
		clock->message =
			realloc(clock->message, (size_t)clock->capacity * sizeof *clock->message);
	}
	clock->message[clock->count++] = *message;
}

double literal_clock_end(struct literal_clock *clock)
{
	double last = 0;

	round_end(clock);
	for (int r = 0; r < clock->placement->size; r++)
		last = fmax(last, clock->at[r]);
	free(clock->at);
	free(clock->taken);
	free(clock->left);
	free(clock->is_free);
	free(clock->message);
	return last;
}

static int visit(void *context, const struct tmap_message *message, struct tmap_error *e)
{
	(void)e;
	literal_clock_add(context, message);
	return 0;
}

double literal_clock_of_call(const struct tmap_placement *placement,
			     const struct tmap_metric *metric, const struct tmap_levels *levels,
			     const struct tmap_profile *profile, const struct tmap_call *call)
{
	struct literal_clock clock;
	struct tmap_visitor visitor = { .message = visit, .context = &clock };
	double seconds;

	literal_clock_init(&clock, placement, metric, levels, profile);
	must(tmap_schedule(call, &visitor, &err) == 0);
	seconds = literal_clock_end(&clock);
	if (tmap_call_algorithm(call)->gathers)
		seconds += (double)(call->size - 1) * (double)call->bytes * profile->reduce_byte_s;
	return seconds;
}
