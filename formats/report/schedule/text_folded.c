/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/base/hash.h"
#include "core/base/mem.h"
#include "core/base/units.h"
#include "formats/report/schedule/text_schedule.h"
#include "formats/report/schedule/text_words.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 79, MOST_WAYS = 8, FEW_SLOTS = 64 };

/* Messages of a round that go equally far, all stored or all reduced. */
struct way {
	int distance;
	bool combine;
	int64_t count, least_bytes, most_bytes;
	char *first; /* in words; NULL of one that is not shown */
};

/* A round as its messages come: the ways that it has so far, as they came, with a hash table; then sorted. */
struct round {
	int64_t messages, bytes;
	size_t count, capacity, slots;
	struct way *way;
	size_t *slot; /* [slots]: 1 + index of a way; 0: free */
	int shown;
	struct way nearest[MOST_WAYS]; /* [shown]: those that come first when sorted */
};

static int compare_ways(const void *a, const void *b)
{
	const struct way *x = a, *y = b;

	if (x->distance != y->distance)
		return x->distance < y->distance ? -1 : 1;
	return (x->combine > y->combine) - (x->combine < y->combine);
}

static void round_clear(struct round *round)
{
	for (size_t i = 0; i < round->count; i++)
		free(round->way[i].first);
	if (round->slots)
		memset(round->slot, 0, round->slots * sizeof *round->slot);
	round->messages = round->bytes = 0;
	round->count = 0;
	round->shown = 0;
}

static void round_fini(struct round *round)
{
	round_clear(round);
	free(round->way);
	free(round->slot);
	*round = (struct round){ 0 };
}

/* Where a way is, or would be. */
static size_t *round_slot(const struct round *round, int distance, bool combine)
{
	uint64_t hash = tmap_hash_add(TMAP_HASH, 2 * (uint64_t)distance + combine);
	size_t i = (size_t)hash & (round->slots - 1);

	for (; round->slot[i]; i = (i + 1) & (round->slots - 1)) {
		const struct way *way = &round->way[round->slot[i] - 1];

		if (way->distance == distance && way->combine == combine)
			break;
	}
	return &round->slot[i];
}

/* Room for one more way. */
static int round_grow(struct round *round, struct tmap_error *err)
{
	size_t slots = round->slots ? 2 * round->slots : FEW_SLOTS;
	size_t *slot;

	if (tmap_grow(&round->way, &round->capacity, round->count + 1, sizeof *round->way, err) < 0)
		return -1;
	if (2 * (round->count + 1) <= round->slots)
		return 0;
	slot = tmap_alloc(slots, sizeof *slot, err);
	if (!slot)
		return -1;
	free(round->slot);
	round->slot = slot;
	round->slots = slots;
	for (size_t i = 0; i < round->count; i++)
		*round_slot(round, round->way[i].distance, round->way[i].combine) = i + 1;
	return 0;
}

/* Is it among those that will be shown, as far as is known? */
static bool round_shows(struct round *round, const struct way *way)
{
	int at = round->shown;

	while (at > 0 && compare_ways(way, &round->nearest[at - 1]) < 0)
		at--;
	if (at == MOST_WAYS)
		return false;
	if (round->shown < MOST_WAYS)
		round->shown++;
	memmove(round->nearest + at + 1, round->nearest + at,
		(size_t)(round->shown - at - 1) * sizeof *round->nearest);
	round->nearest[at] = *way;
	return true;
}

static int round_add_way(struct round *round, const struct way *way, const struct tmap_call *call,
			 const struct tmap_message *message, struct tmap_error *err)
{
	if (round_grow(round, err) < 0)
		return -1;
	round->way[round->count] = *way;
	if (round_shows(round, way)) {
		char *first = tmap_schedule_print_message(call, message, err);

		if (!first)
			return -1;
		round->way[round->count].first = first;
	}
	*round_slot(round, way->distance, way->combine) = round->count + 1;
	round->count++;
	return 0;
}

static int round_add(struct round *round, const struct tmap_call *call,
		     const struct tmap_message *message, struct tmap_error *err)
{
	int away = message->to - message->from;
	struct way way = { .distance = away < 0 ? away + call->size : away,
			   .combine = message->combine,
			   .count = 1,
			   .least_bytes = message->bytes,
			   .most_bytes = message->bytes };
	size_t *slot = round->slots ? round_slot(round, way.distance, way.combine) : NULL;
	struct way *its;

	round->messages++;
	round->bytes += message->bytes;
	if (!slot || !*slot)
		return round_add_way(round, &way, call, message, err);
	its = &round->way[*slot - 1];
	its->count++;
	if (message->bytes < its->least_bytes)
		its->least_bytes = message->bytes;
	if (message->bytes > its->most_bytes)
		its->most_bytes = message->bytes;
	return 0;
}

static bool is_alike(const struct round *a, const struct round *b)
{
	if (a->count != b->count || a->bytes != b->bytes)
		return false;
	for (size_t i = 0; i < a->count; i++)
		if (a->way[i].distance != b->way[i].distance ||
		    a->way[i].count != b->way[i].count || a->way[i].combine != b->way[i].combine ||
		    a->way[i].least_bytes != b->way[i].least_bytes ||
		    a->way[i].most_bytes != b->way[i].most_bytes)
			return false;
	return true;
}

static void write_way(FILE *out, const struct tmap_call *call, const struct way *way)
{
	bool is_back = way->distance > call->size / 2;
	char size[2 * TMAP_UNITS_ROOM + 8];
	char least[TMAP_UNITS_ROOM], most[TMAP_UNITS_ROOM];
	int columns;

	tmap_units_print_bytes(way->least_bytes, least);
	tmap_units_print_bytes(way->most_bytes, most);
	snprintf(size, sizeof size, "%s%s%s", least, strcmp(least, most) ? " to " : "",
		 strcmp(least, most) ? most : "");
	columns = fprintf(out, "  r %c> r %c %d", tmap_schedule_mark(call, way->combine),
			  is_back ? '-' : '+',
			  is_back ? call->size - way->distance : way->distance);
	columns += fprintf(out, "%*s%" PRId64, columns < 20 ? 20 - columns : 1, "", way->count);
	if (tmap_call_algorithm(call)->collective != TMAP_BARRIER)
		columns += fprintf(out, " x %s", size);
	if (columns + (int)strlen(way->first) + 3 < COLUMNS)
		fprintf(out, "%*s%s", columns < 44 ? 44 - columns : 3, "", way->first);
	fputc('\n', out);
}

/* The rounds first .. last are alike. */
static void write_folded_round(FILE *out, const struct tmap_call *call, const struct round *round,
			       int64_t first, int64_t last)
{
	if (first == last)
		fprintf(out, "\nround %" PRId64 ": %" PRId64 " message%s", first, round->messages,
			tmap_schedule_plural(round->messages));
	else
		fprintf(out, "\nrounds %" PRId64 "-%" PRId64 ", each: %" PRId64 " message%s", first,
			last, round->messages, tmap_schedule_plural(round->messages));
	tmap_schedule_write_bytes(out, call, round->bytes);
	fputc('\n', out);
	for (size_t i = 0; i < round->count && i < MOST_WAYS; i++)
		write_way(out, call, &round->way[i]);
	if (round->count > MOST_WAYS)
		fprintf(out, "  ... and %zu more distances\n", round->count - MOST_WAYS);
}

/* Rounds that are written once the next one is another. */
struct folding {
	FILE *out;
	const struct tmap_call *call;
	int64_t number;      /* of the round at hand */
	int64_t first, last; /* of the open ones, which are alike */
	struct round now, open;
};

/* The round at hand is complete. */
static void folding_close(struct folding *it)
{
	struct round *now = &it->now, before = it->open;

	if (!now->count)
		return;
	qsort(now->way, now->count, sizeof *now->way, compare_ways);
	if (before.count && is_alike(&before, now)) {
		it->last = it->number;
	} else {
		if (before.count)
			write_folded_round(it->out, it->call, &before, it->first, it->last);
		it->open = *now;
		it->now = before;
		it->first = it->last = it->number;
	}
	round_clear(now);
}

static int folding_take(void *context, const struct tmap_message *message, struct tmap_error *err)
{
	struct folding *it = context;

	if (message->round != it->number)
		folding_close(it);
	it->number = message->round;
	return round_add(&it->now, it->call, message, err);
}

int tmap_text_write_folded(FILE *out, const struct tmap_call *call, const char *algorithm,
			   const struct tmap_schedule_totals *totals,
			   const struct tmap_arrival *arrival, struct tmap_error *err)
{
	struct folding it = { .out = out, .call = call };
	struct tmap_visitor visitor = { .message = folding_take, .context = &it };
	int status;

	tmap_schedule_write_head(out, call, algorithm, totals, arrival);
	status = tmap_schedule(call, &visitor, err);
	if (status == 0) {
		folding_close(&it);
		if (it.open.count)
			write_folded_round(out, call, &it.open, it.first, it.last);
	}
	round_fini(&it.now);
	round_fini(&it.open);
	return status;
}
