/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/base/sort.h"

#include "core/base/mem.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { DIGIT_BITS = 8, DIGITS = 1 << DIGIT_BITS };

static size_t digit_of(int64_t number, int shift)
{
	return (size_t)(number >> shift) % DIGITS;
}

/* From one list into another by one digit, those that are alike in it as they were. */
static void digit_sort(const int64_t *from, int64_t *to, size_t count, int shift)
{
	size_t end[DIGITS] = { 0 }, sum = 0;

	for (size_t i = 0; i < count; i++)
		end[digit_of(from[i], shift)]++;
	for (size_t d = 0; d < DIGITS; d++) {
		size_t begin = sum;

		sum += end[d];
		end[d] = begin;
	}
	for (size_t i = 0; i < count; i++)
		to[end[digit_of(from[i], shift)]++] = from[i];
}

int tmap_sort_numbers(int64_t *number, size_t count, struct tmap_error *err)
{
	int64_t largest = 0, *from = number, *to, *room;
	bool is_sorted = true;

	for (size_t i = 0; i < count; i++) {
		is_sorted = is_sorted && (i == 0 || number[i - 1] <= number[i]);
		largest = number[i] > largest ? number[i] : largest;
	}
	if (is_sorted)
		return 0;
	to = room = tmap_alloc_raw(count, sizeof *room, err);
	if (!room)
		return -1;
	for (int shift = 0; shift < 63 && largest >> shift; shift += DIGIT_BITS) {
		int64_t *sorted = to;

		digit_sort(from, to, count, shift);
		to = from;
		from = sorted;
	}
	if (from != number)
		memcpy(number, from, count * sizeof *number);
	free(room);
	return 0;
}
