/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/base/nearest.h"

#include <stdbool.h>
#include <string.h>

/* Words of an option or command name: anything longer is no near miss. */
enum { LONGEST = 40 };

void tmap_nearest_init(struct tmap_nearest *nearest, const char *word, size_t length)
{
	*nearest = (struct tmap_nearest){
		.word = word,
		.length = length,
		.distance = length < 6 ? 2 : length / 3 + 1,
	};
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Optimal string alignment: edits and swaps of neighbours, three rows of the usual table. */
static size_t distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
	size_t rows[3][LONGEST + 1];

	for (size_t i = 0; i <= a_length; i++) {
		size_t *row = rows[i % 3], *up = rows[(i + 2) % 3], *up2 = rows[(i + 1) % 3];

		row[0] = i;
		for (size_t j = 1; j <= b_length; j++) {
			if (i == 0) {
				row[j] = j;
				continue;
			}
			row[j] = least(least(up[j], row[j - 1]) + 1,
				       up[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				row[j] = least(row[j], up2[j - 2] + 1);
		}
	}
	return rows[a_length % 3][b_length];
}

void tmap_nearest_add(struct tmap_nearest *nearest, const char *candidate)
{
	size_t length = strlen(candidate), found;

	if (nearest->length > LONGEST || length > LONGEST)
		return;
	found = distance(nearest->word, nearest->length, candidate, length);
	if (found < nearest->distance && found < length) {
		nearest->best = candidate;
		nearest->distance = found;
	}
}
