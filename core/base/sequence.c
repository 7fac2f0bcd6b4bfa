/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/base/sequence.h"

#include "core/base/mem.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Reads twice: first with out NULL to check and to count, then to fill out. */
struct reader {
	const char *text;
	const char *at;
	int limit; /* numbers must be below; 0: any */
	int depth;
	int *out;
	int64_t length; /* integers said so far */
};

static int fail_at(const struct reader *r, const char *at, struct tmap_error *err, const char *rule)
{
	int position = (int)(at - r->text) + 1;

	if (!*at)
		return tmap_fail(err, TMAP_INPUT, "the list ends at character %d: %s", position,
				 rule);
	if (*at < ' ' || *at > '~')
		return tmap_fail(err, TMAP_INPUT, "character %d of the list: %s", position, rule);
	return tmap_fail(err, TMAP_INPUT, "character %d of the list, '%c': %s", position, *at,
			 rule);
}

static int read_number(struct reader *r, int least, int *number, struct tmap_error *err)
{
	const char *start = r->at;
	int64_t value = 0;

	if (*start < '0' || *start > '9')
		return fail_at(r, start, err, "a number is expected");
	for (; *r->at >= '0' && *r->at <= '9'; r->at++)
		if (value <= INT_MAX)
			value = 10 * value + (*r->at - '0');
	if (value > INT_MAX)
		return fail_at(r, start, err, "the number is above 2147483647");
	if (value < least)
		return fail_at(r, start, err, "the number must be at least 1");
	*number = (int)value;
	return 0;
}

static int read_element(struct reader *r, int *number, struct tmap_error *err)
{
	const char *start = r->at;

	if (read_number(r, 0, number, err) < 0)
		return -1;
	if (r->limit && *number >= r->limit)
		return tmap_fail(err, TMAP_INPUT, "character %d of the list: %d is not in 0-%d",
				 (int)(start - r->text) + 1, *number, r->limit - 1);
	return 0;
}

/* The number behind @p mark if the mark is there, else 1. */
static int read_factor(struct reader *r, char mark, int *factor, struct tmap_error *err)
{
	*factor = 1;
	if (*r->at != mark)
		return 0;
	r->at++;
	return read_number(r, 1, factor, err);
}

static int add_length(struct reader *r, int64_t more, int64_t times, struct tmap_error *err)
{
	if (times && more > (INT_MAX - r->length) / times)
		return tmap_fail(err, TMAP_INPUT,
				 "character %d of the list: it says more than 2147483647 numbers",
				 (int)(r->at - r->text));
	r->length += more * times;
	return 0;
}

/* The last body integers, times times in all. */
static int repeat(struct reader *r, int64_t body, struct tmap_error *err)
{
	int times;

	if (read_factor(r, 'x', &times, err) < 0 || add_length(r, body, times - 1LL, err) < 0)
		return -1;
	if (r->out) {
		int *end = r->out + r->length - body * (times - 1LL);

		for (int i = 1; i < times; i++, end += body)
			memcpy(end, end - body, (size_t)body * sizeof *end);
	}
	return 0;
}

static int read_range(struct reader *r, struct tmap_error *err)
{
	int first, last, stride = 1, each;
	int64_t start = r->length, count;

	if (read_element(r, &first, err) < 0)
		return -1;
	last = first;
	if (*r->at == '-') {
		r->at++;
		if (read_element(r, &last, err) < 0 || read_factor(r, '/', &stride, err) < 0)
			return -1;
	}
	if (read_factor(r, '*', &each, err) < 0)
		return -1;
	count = llabs((int64_t)last - first) / stride + 1;
	if (add_length(r, count, each, err) < 0)
		return -1;
	for (int64_t i = 0; r->out && i < count; i++) {
		int number = (int)(first + (last < first ? -1 : 1) * i * stride);

		for (int again = 0; again < each; again++)
			r->out[start++] = number;
	}
	return repeat(r, count * each, err);
}

static int read_sequence(struct reader *r, struct tmap_error *err);

static int read_brackets(struct reader *r, struct tmap_error *err)
{
	const char *open = r->at++;
	int64_t start = r->length;

	if (++r->depth > TMAP_SEQ_DEPTH)
		return fail_at(r, open, err, "brackets are nested too deep");
	if (read_sequence(r, err) < 0)
		return -1;
	if (*r->at != ')')
		return fail_at(r, r->at, err, "',' or ')' is expected");
	r->at++;
	r->depth--;
	return repeat(r, r->length - start, err);
}

/* Numbers that stand by themselves, as where ranks are in no order, up to the first that does not or that is
 * not right. */
static void read_plain(struct reader *r)
{
	enum { DIGITS = 9 }; /* as many as fit for sure */

	while (r->length < INT_MAX) {
		const char *at = r->at;
		int number = 0;

		while (at - r->at < DIGITS && *at >= '0' && *at <= '9')
			number = 10 * number + (*at++ - '0');
		if (at == r->at || *at != ',' || (r->limit && number >= r->limit))
			return;
		if (r->out)
			r->out[r->length] = number;
		r->length++;
		r->at = at + 1;
	}
}

static int read_sequence(struct reader *r, struct tmap_error *err)
{
	for (;; r->at++) {
		read_plain(r);
		if ((*r->at == '(' ? read_brackets(r, err) : read_range(r, err)) < 0)
			return -1;
		if (*r->at != ',')
			return 0;
	}
}

static int read_text(struct reader *r, struct tmap_error *err)
{
	r->at = r->text;
	r->length = 0;
	if (!*r->text)
		return 0;
	if (read_sequence(r, err) < 0)
		return -1;
	if (*r->at)
		return fail_at(r, r->at, err, "',' or the end of the list is expected");
	return 0;
}

int tmap_seq_count(const char *text, struct tmap_error *err)
{
	struct reader reader = { .text = text };

	return read_text(&reader, err) < 0 ? -1 : (int)reader.length;
}

int *tmap_seq_parse(const char *text, int count, int limit, struct tmap_error *err)
{
	struct reader reader = { .text = text, .limit = limit };

	if (read_text(&reader, err) < 0)
		return NULL;
	if (reader.length != count) {
		tmap_fail(err, TMAP_INPUT, "the list has %d numbers where there must be %d",
			  (int)reader.length, count);
		return NULL;
	}
	reader.out = tmap_alloc_raw((size_t)count, sizeof *reader.out, err);
	if (reader.out)
		read_text(&reader, err);
	return reader.out;
}
