/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/base/sequence.h"

#include "core/base/hash.h"
#include "core/base/mem.h"
#include "core/base/string.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The values first, first + stride, ... (count of them), each repeat times, the whole
 * times times. */
struct item {
	int first, stride, count, repeat, times;
};

#define PUT_ROOM 4096
#define NUMBER_ROOM 12

/* The text on its way out. */
struct pen {
	tmap_seq_put *put;
	void *sink;
	size_t length;
	char text[PUT_ROOM];
};

/* The sequence as items; an item that occurs again is the same symbol. */
struct fold {
	int count;
	int *symbol; /* [count]: item number */
	int *next;   /* [count]: where the symbol occurs next; TMAP_NONE */
	int *border; /* [count]: for the failure function */
	int distinct;
	struct item *item; /* [distinct] */
	int *alone;      /* [alone_count]: the item that is just this value; number or TMAP_NONE */
	int alone_count; /* no more than the sequence has values */
	int *slot;       /* hash table of all other items: number or TMAP_NONE */
	size_t slot_count; /* a power of two */
	int hashed;        /* items in it */
	size_t symbol_capacity, item_capacity;
	int64_t patience; /* comparisons that may still be in vain */
	struct pen pen;
};

static int flush(struct pen *pen, struct tmap_error *err)
{
	size_t length = pen->length;

	pen->length = 0;
	return length && pen->put(pen->sink, pen->text, length, err) < 0 ? -1 : 0;
}

static void put_char(struct pen *pen, char c)
{
	pen->text[pen->length++] = c;
}

static void put_number(struct pen *pen, char mark, int number)
{
	char digits[NUMBER_ROOM];
	int count = 0;

	if (mark)
		put_char(pen, mark);
	do
		digits[count++] = (char)('0' + number % 10);
	while (number /= 10);
	while (count)
		put_char(pen, digits[--count]);
}

static int put_item(struct pen *pen, const struct item *it, struct tmap_error *err)
{
	if (pen->length + 5 * NUMBER_ROOM > PUT_ROOM && flush(pen, err) < 0)
		return -1;
	put_number(pen, 0, it->first);
	if (it->count > 1)
		put_number(pen, '-', it->first + (it->count - 1) * it->stride);
	if (it->count > 1 && abs(it->stride) > 1)
		put_number(pen, '/', abs(it->stride));
	if (it->repeat > 1)
		put_number(pen, '*', it->repeat);
	if (it->times > 1)
		put_number(pen, 'x', it->times);
	return 0;
}

static int run_length(const int *value, int at, int count)
{
	int end = at + 1;

	while (end < count && value[end] == value[at])
		end++;
	return end - at;
}

/* The item at the head of value[count]; returns how many values it has. Two values make a
 * range only where they are neighbours: "3,9" is shorter than "3-9/6". */
static int take_item(const int *value, int count, struct item *it)
{
	int repeat = run_length(value, 0, count);
	int at = repeat;

	*it = (struct item){ value[0], 0, 1, repeat, 1 };
	while (at < count) {
		int stride = value[at] - value[at - 1];

		if ((it->count > 1 && stride != it->stride) ||
		    run_length(value, at, count) != repeat)
			break;
		it->stride = stride;
		it->count++;
		at += repeat;
	}
	if (it->count == 2 && abs(it->stride) > 1)
		it->count = 1;
	if (it->count == 1)
		it->stride = 0;
	return it->count * repeat;
}

static bool same_item(const struct item *a, const struct item *b)
{
	return a->first == b->first && a->stride == b->stride && a->count == b->count &&
		a->repeat == b->repeat && a->times == b->times;
}

static size_t find_slot(const struct fold *f, const struct item *it)
{
	const int values[] = { it->first, it->stride, it->count, it->repeat, it->times };
	size_t slot = (size_t)tmap_hash_ints(values, 5) & (f->slot_count - 1);

	while (f->slot[slot] != TMAP_NONE && !same_item(&f->item[f->slot[slot]], it))
		slot = (slot + 1) & (f->slot_count - 1);
	return slot;
}

/* Of a list in no order nearly all items are. */
static bool is_alone(const struct fold *f, const struct item *it)
{
	return it->count == 1 && it->repeat == 1 && it->times == 1 && it->first < f->alone_count;
}

static int make_slots(struct fold *f, size_t count, struct tmap_error *err)
{
	int *slot = tmap_alloc_raw(count, sizeof *slot, err);

	if (!slot)
		return -1;
	memset(slot, 0xff, count * sizeof *slot);
	free(f->slot);
	f->slot = slot;
	f->slot_count = count;
	for (int i = 0; i < f->distinct; i++)
		if (!is_alone(f, &f->item[i]))
			f->slot[find_slot(f, &f->item[i])] = i;
	return 0;
}

static int add_item(struct fold *f, const struct item *it, struct tmap_error *err)
{
	bool alone = is_alone(f, it);
	int *number;

	if (!alone && 2 * ((size_t)f->hashed + 1) > f->slot_count &&
	    make_slots(f, f->slot_count ? 2 * f->slot_count : 64, err) < 0)
		return -1;
	number = alone ? &f->alone[it->first] : &f->slot[find_slot(f, it)];
	if (*number == TMAP_NONE) {
		if (tmap_grow(&f->item, &f->item_capacity, (size_t)f->distinct + 1, sizeof *f->item,
			      err) < 0)
			return -1;
		f->item[f->distinct] = *it;
		f->hashed += !alone;
		*number = f->distinct++;
	}
	if (tmap_grow(&f->symbol, &f->symbol_capacity, (size_t)f->count + 1, sizeof *f->symbol,
		      err) < 0)
		return -1;
	f->symbol[f->count++] = *number;
	return 0;
}

/* What stands behind an item is rather the same again than one that begins like it:
 * "0-3x2,4-7", not "0-3,0-7". */
static bool stands_again(const int *value, int at, int count, int length)
{
	return length <= count - at &&
		memcmp(value + at - length, value + at, (size_t)length * sizeof *value) == 0;
}

static int find_items(struct fold *f, const int *value, int count, struct tmap_error *err)
{
	struct item it;

	for (int at = 0; at < count;) {
		int length = take_item(value + at, count - at, &it);

		for (at += length; stands_again(value, at, count, length); at += length)
			it.times++;
		if (add_item(f, &it, err) < 0)
			return -1;
	}
	return 0;
}

/* Where each symbol occurs next; the tables have done their work and make room. */
static int find_next(struct fold *f, struct tmap_error *err)
{
	int *seen;

	free(f->slot);
	free(f->alone);
	f->slot = f->alone = NULL;
	f->border = tmap_alloc_raw((size_t)f->count, sizeof *f->border, err);
	f->next = tmap_alloc_raw((size_t)f->count, sizeof *f->next, err);
	seen = tmap_alloc_raw((size_t)f->distinct, sizeof *seen, err);
	if (!f->next || !f->border || !seen) {
		free(seen);
		return -1;
	}
	memset(seen, 0xff, (size_t)f->distinct * sizeof *seen);
	for (int i = f->count - 1; i >= 0; i--) {
		f->next[i] = seen[f->symbol[i]];
		seen[f->symbol[i]] = i;
	}
	free(seen);
	return 0;
}

/* "period" symbols that stand "times" times, one behind the other. */
struct echo {
	int period, times;
};

/* A period goes from an occurrence to a later one, or is a prefix less a border: it is above 0. */
static void keep_longer(struct echo *best, int period, int length)
{
	int times;

	assert(period > 0);
	times = length / period;
	if (times > 1 && (int64_t)period * times > (int64_t)best->period * best->times)
		*best = (struct echo){ period, times };
}

/* The longest repetition at the head of [at, end), by the failure function of Knuth, Morris
 * and Pratt: a prefix of length n whose longest border is b has the smallest period n - b. */
static struct echo find_prefix_echo(const struct fold *f, int at, int end)
{
	const int *symbol = f->symbol + at;
	int *border = f->border + at;
	struct echo best = { 0 };
	int length = 0;

	border[0] = 0;
	for (int i = 1; i < end - at; i++) {
		while (length && symbol[i] != symbol[length])
			length = border[length - 1];
		if (symbol[i] == symbol[length])
			length++;
		border[i] = length;
		keep_longer(&best, i + 1 - length, i + 1);
	}
	return best;
}

/* The same with only the next few occurrences of the first symbol as periods, for as long as
 * there is patience: vain comparisons stay O(count) in all. */
static struct echo find_local_echo(struct fold *f, int at, int end)
{
	struct echo best = { 0 };
	int again = at;

	for (int tries = 0; tries < 4 && f->patience > 0; tries++) {
		int length = 1;

		again = f->next[again];
		if (again == TMAP_NONE || again > end - (again - at))
			break;
		while (again + length < end && f->symbol[at + length] == f->symbol[again + length])
			length++;
		if (length < again - at)
			f->patience -= 1 + length;
		keep_longer(&best, again - at, again - at + length);
	}
	return best;
}

static int put_items(struct fold *f, int at, int end, struct tmap_error *err);

static int put_echo(struct fold *f, int at, struct echo echo, struct tmap_error *err)
{
	put_char(&f->pen, '(');
	if (put_items(f, at, at + echo.period, err) < 0)
		return -1;
	put_char(&f->pen, ')');
	put_number(&f->pen, 'x', echo.times);
	return 0;
}

/* A repetition that is at least half of what is left is looked for with all means; what it
 * costs is so paid by what it takes away. */
static int put_items(struct fold *f, int at, int end, struct tmap_error *err)
{
	bool thorough = true;

	for (int start = at; at < end;) {
		struct echo echo = { 0 };

		if (at > start)
			put_char(&f->pen, ',');
		if (thorough)
			echo = find_prefix_echo(f, at, end);
		thorough = echo.period * echo.times >= (end - at) / 2;
		if (!thorough)
			echo = find_local_echo(f, at, end);
		if ((echo.times ? put_echo(f, at, echo, err) :
				  put_item(&f->pen, &f->item[f->symbol[at]], err)) < 0)
			return -1;
		at += echo.times ? echo.period * echo.times : 1;
	}
	return 0;
}

int tmap_seq_stream(const int *value, int count, tmap_seq_put *put, void *sink,
		    struct tmap_error *err)
{
	struct fold fold = { .pen = { .put = put, .sink = sink } };
	int status = -1, most = -1;

	for (int i = 0; i < count; i++) {
		most = value[i] > most ? value[i] : most;
		if (value[i] < 0)
			return tmap_fail(err, TMAP_INPUT,
					 "%d cannot be written: a list has no "
					 "negative numbers",
					 value[i]);
	}
	fold.alone_count = most < count ? most + 1 : count;
	fold.alone = tmap_alloc_raw((size_t)fold.alone_count, sizeof *fold.alone, err);
	if (!fold.alone)
		return -1;
	memset(fold.alone, 0xff, (size_t)fold.alone_count * sizeof *fold.alone);
	if (find_items(&fold, value, count, err) == 0 && find_next(&fold, err) == 0) {
		fold.patience = 4LL * fold.count;
		if (put_items(&fold, 0, fold.count, err) == 0)
			status = flush(&fold.pen, err);
	}
	free(fold.symbol);
	free(fold.next);
	free(fold.border);
	free(fold.item);
	free(fold.alone);
	free(fold.slot);
	return status;
}

static int append(void *sink, const char *text, size_t length, struct tmap_error *err)
{
	(void)err;
	tmap_str_addf(sink, "%.*s", (int)length, text);
	return 0;
}

char *tmap_seq_print(const int *value, int count, struct tmap_error *err)
{
	struct tmap_str text = TMAP_STR_INIT;

	if (tmap_seq_stream(value, count, append, &text, err) < 0) {
		tmap_str_fini(&text);
		return NULL;
	}
	return tmap_str_take(&text, err);
}
