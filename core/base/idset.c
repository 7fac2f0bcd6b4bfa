/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/base/idset.h"

#include "core/base/mem.h"
#include "core/base/string.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

void tmap_idset_fini(struct tmap_idset *set)
{
	free(set->range);
	*set = (struct tmap_idset){ 0 };
}

void tmap_idset_free_list(struct tmap_idset *set, int count)
{
	for (int i = 0; set && i < count; i++)
		tmap_idset_fini(&set[i]);
	free(set);
}

/* Index of the first range that ends at or behind @p id; set->count if there is none. */
static int find_range(const struct tmap_idset *set, int id)
{
	int low = 0, high = set->count;

	while (low < high) {
		int middle = low + (high - low) / 2;

		if (set->range[middle].last < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

int tmap_idset_add_range(struct tmap_idset *set, int first, int last, struct tmap_error *err)
{
	struct tmap_id_range *range;
	int from = find_range(set, first ? first - 1 : 0), to = from;

	if (tmap_grow(&set->range, &set->capacity, (size_t)set->count + 1, sizeof *set->range,
		      err) < 0)
		return -1;
	range = set->range;
	/* ranges [from, to) touch or overlap the new one and are merged into it */
	for (; to < set->count && range[to].first - 1 <= last; to++) {
		first = range[to].first < first ? range[to].first : first;
		last = range[to].last > last ? range[to].last : last;
	}
	memmove(&range[from + 1], &range[to], (size_t)(set->count - to) * sizeof *range);
	range[from] = (struct tmap_id_range){ first, last };
	set->count += from + 1 - to;
	return 0;
}

int tmap_idset_add(struct tmap_idset *set, int id, struct tmap_error *err)
{
	struct tmap_id_range *last = set->count ? &set->range[set->count - 1] : NULL;

	if (last && last->last == id - 1) { /* of many they mostly come one after the other */
		last->last = id;
		return 0;
	}
	return tmap_idset_add_range(set, id, id, err);
}

static int parse_number(const char **at, const char *text, int limit, struct tmap_error *err)
{
	const char *digit = *at;
	int64_t value = 0;

	if (!isdigit((unsigned char)*digit))
		return tmap_fail(err, TMAP_INPUT,
				 *digit ? "'%s': a number is missing at '%s'" :
					  "'%s': a number is missing at the end",
				 text, digit);
	for (; isdigit((unsigned char)*digit); digit++) {
		value = 10 * value + (*digit - '0');
		if (value > limit)
			return tmap_fail(err, TMAP_INPUT, "'%s': a number is above %d", text,
					 limit);
	}
	*at = digit;
	return (int)value;
}

static int parse_range(struct tmap_idset *set, const char **at, const char *text, int limit,
		       struct tmap_error *err)
{
	int first = parse_number(at, text, limit, err), last = first;

	if (first < 0)
		return -1;
	if (**at == '-') {
		++*at;
		last = parse_number(at, text, limit, err);
		if (last < 0)
			return -1;
	}
	if (last < first)
		return tmap_fail(err, TMAP_INPUT, "'%s': the range %d-%d runs backwards", text,
				 first, last);
	return tmap_idset_add_range(set, first, last, err);
}

int tmap_idset_parse(struct tmap_idset *set, const char *text, int limit, struct tmap_error *err)
{
	struct tmap_idset made = { 0 };
	const char *at = text;

	while (*at || at != text) {
		if (parse_range(&made, &at, text, limit, err) < 0)
			goto refused;
		if (!*at)
			break;
		if (*at++ != ',') {
			tmap_fail(err, TMAP_INPUT, "'%s': '%c' where a comma is expected", text,
				  at[-1]);
			goto refused;
		}
	}
	*set = made;
	return 0;
refused:
	tmap_idset_fini(&made);
	return -1;
}

char *tmap_idset_print(const struct tmap_idset *set, struct tmap_error *err)
{
	struct tmap_str text = TMAP_STR_INIT;

	for (int i = 0; i < set->count; i++) {
		const struct tmap_id_range *range = &set->range[i];

		tmap_str_addf(&text, i ? ",%d" : "%d", range->first);
		if (range->last > range->first)
			tmap_str_addf(&text, "-%d", range->last);
	}
	return tmap_str_take(&text, err);
}

char *tmap_idset_print_mask(const struct tmap_idset *set, struct tmap_error *err)
{
	int top = set->count ? set->range[set->count - 1].last / 4 : 0;
	struct tmap_str text = TMAP_STR_INIT;

	tmap_str_add(&text, "0x");
	for (int digit = top; digit >= 0; digit--) {
		int value = 0;

		for (int bit = 0; bit < 4; bit++)
			value |= tmap_idset_contains(set, 4 * digit + bit) << bit;
		tmap_str_addf(&text, "%x", (unsigned)value);
	}
	return tmap_str_take(&text, err);
}

int tmap_idset_copy(struct tmap_idset *copy, const struct tmap_idset *set, struct tmap_error *err)
{
	struct tmap_id_range *range = tmap_alloc((size_t)set->count, sizeof *range, err);

	if (!range)
		return -1;
	if (set->count)
		memcpy(range, set->range, (size_t)set->count * sizeof *range);
	*copy = (struct tmap_idset){ set->count, range, (size_t)set->count };
	return 0;
}

int64_t tmap_idset_size(const struct tmap_idset *set)
{
	int64_t size = 0;

	for (int i = 0; i < set->count; i++)
		size += (int64_t)set->range[i].last - set->range[i].first + 1;
	return size;
}

int tmap_idset_next(const struct tmap_idset *set, int after)
{
	int i;

	if (after == INT32_MAX)
		return TMAP_NONE;
	i = find_range(set, after + 1);
	if (i == set->count)
		return TMAP_NONE;
	return set->range[i].first > after ? set->range[i].first : after + 1;
}

bool tmap_idset_contains(const struct tmap_idset *set, int id)
{
	int i = find_range(set, id);

	return i < set->count && set->range[i].first <= id;
}

bool tmap_idset_equal(const struct tmap_idset *a, const struct tmap_idset *b)
{
	return a->count == b->count &&
		(!a->count || memcmp(a->range, b->range, (size_t)a->count * sizeof *a->range) == 0);
}

bool tmap_idset_is_subset(const struct tmap_idset *part, const struct tmap_idset *whole)
{
	for (int i = 0; i < part->count; i++) {
		int j = find_range(whole, part->range[i].first);

		if (j == whole->count || whole->range[j].first > part->range[i].first ||
		    whole->range[j].last < part->range[i].last)
			return false;
	}
	return true;
}
