/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/base/series.h"

#include "core/base/mem.h"
#include "core/base/units.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ITEMS = 10000 };

struct series {
	int64_t least, most, *item;
	int count;
	size_t capacity;
};

static int series_number(const struct series *it, const char *text, int64_t *number,
			 struct tmap_error *err)
{
	if (tmap_units_parse_bytes(text, number, err) < 0) {
		err->kind = err->kind == TMAP_INPUT ? TMAP_USAGE : err->kind;
		return -1;
	}
	if (*number >= it->least && *number <= it->most)
		return 0;
	return tmap_fail(err, TMAP_USAGE, "%" PRId64 " is not from %" PRId64 " to %" PRId64,
			 *number, it->least, it->most);
}

static int series_add(struct series *it, int64_t number, struct tmap_error *err)
{
	int at = it->count;

	while (at > 0 && it->item[at - 1] > number)
		at--;
	if (at > 0 && it->item[at - 1] == number)
		return 0;
	if (it->count == MOST_ITEMS)
		return tmap_fail(err, TMAP_USAGE, "these are more than %d", MOST_ITEMS);
	if (tmap_grow(&it->item, &it->capacity, (size_t)it->count + 1, sizeof *it->item, err) < 0)
		return -1;
	memmove(it->item + at + 1, it->item + at, (size_t)(it->count - at) * sizeof *it->item);
	it->item[at] = number;
	it->count++;
	return 0;
}

/* "A", "A..B" or "A..B*F"; the word is cut. */
static int series_add_word(struct series *it, char *word, struct tmap_error *err)
{
	char *end = strstr(word, ".."), *star = strchr(word, '*');
	int64_t number, last, factor = 2;

	if (star && (!end || star < end))
		return tmap_fail(err, TMAP_USAGE, "'%s': a factor ends a range, as in 1..1MiB*4",
				 word);
	if (star)
		*star = '\0';
	if (end)
		*end = '\0';
	if (series_number(it, word, &number, err) < 0)
		return -1;
	if (!end)
		return series_add(it, number, err);
	if (series_number(it, end + 2, &last, err) < 0)
		return -1;
	if (star && (tmap_units_parse_int(star + 1, 2, 1 << 20, &factor, err) < 0))
		return tmap_fail(err, TMAP_USAGE, "'%s' is no factor, which is a number from 2 on",
				 star + 1);
	if (number > last || number < 1)
		return tmap_fail(err, TMAP_USAGE,
				 "a range rises from 1 or more: not from %" PRId64 " to %" PRId64,
				 number, last);
	for (; number<last; number = number> last / factor ? last : number * factor)
		if (series_add(it, number, err) < 0)
			return -1;
	return series_add(it, last, err);
}

int tmap_series_parse(const char *text, int64_t least, int64_t most, int64_t **item, int *count,
		      struct tmap_error *err)
{
	struct series it = { .least = least, .most = most };
	char *copy = tmap_strdup(text, err), *next = copy;
	int status = copy ? 0 : -1;

	while (next && status == 0) {
		char *word = next;

		next = strchr(word, ',');
		if (next)
			*next++ = '\0';
		status = series_add_word(&it, word, err);
	}
	free(copy);
	if (status < 0) {
		free(it.item);
		return -1;
	}
	*item = it.item;
	*count = it.count;
	return 0;
}
