/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/schedule/offsets.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FARTHEST = 1000000, MOST_OFFSETS = 4096 };

/* One offset, before which *text stands; it moves behind it. */
static int parse_offset(const char **text, int *offset, int dimensions, struct tmap_error *err)
{
	for (int i = 0; i < dimensions; i++) {
		char *end;
		long value = strtol(*text, &end, 10);

		if (end == *text || value > FARTHEST || value < -FARTHEST)
			return tmap_fail(err, TMAP_USAGE,
					 "'%.40s' does not begin with a coordinate of an "
					 "offset, of which there are %d",
					 *text, dimensions);
		if (i < dimensions - 1 && *end++ != ',')
			return tmap_fail(err, TMAP_USAGE,
					 "an offset has %d coordinates, one a dimension; "
					 "'%.40s' has fewer",
					 dimensions, *text);
		offset[i] = (int)value;
		*text = end;
	}
	return 0;
}

static int parse_weight(const char **text, double *weight, struct tmap_error *err)
{
	char *end;

	*weight = 1;
	if (**text != '@')
		return 0;
	*weight = strtod(*text + 1, &end);
	if (end == *text + 1 || !isfinite(*weight) || *weight <= 0)
		return tmap_fail(err, TMAP_USAGE,
				 "'%.40s' is no weight of an offset, a number above 0", *text + 1);
	*text = end;
	return 0;
}

static int check(const struct tmap_neighborhood *it, const int *offset, struct tmap_error *err)
{
	size_t width = (size_t)it->dimensions * sizeof *offset;
	bool is_zero = true;

	for (int i = 0; i < it->dimensions; i++)
		is_zero = is_zero && offset[i] == 0;
	if (is_zero)
		return tmap_fail(err, TMAP_USAGE, "offset %d is a rank itself, not a neighbor",
				 it->degree);
	for (int k = 0; k < it->degree; k++)
		if (memcmp(it->offset + (size_t)k * (size_t)it->dimensions, offset, width) == 0)
			return tmap_fail(err, TMAP_USAGE, "offsets %d and %d are the same", k,
					 it->degree);
	return 0;
}

static bool are_ones(const double *weight, int count)
{
	for (int k = 0; k < count; k++)
		if (weight[k] < 1 || weight[k] > 1)
			return false;
	return true;
}

int tmap_offsets_parse(struct tmap_neighborhood *neighborhood, const char *text,
		       struct tmap_error *err)
{
	struct tmap_neighborhood *it = neighborhood;
	size_t width = (size_t)it->dimensions, offsets = 0, weights = 0;

	for (bool more = true; more; more = *text++ == ';') {
		if (it->degree == MOST_OFFSETS)
			return tmap_fail(err, TMAP_USAGE, "more than %d offsets", MOST_OFFSETS);
		if (tmap_grow(&it->offset, &offsets, ((size_t)it->degree + 1) * width,
			      sizeof *it->offset, err) < 0 ||
		    tmap_grow(&it->weight, &weights, (size_t)it->degree + 1, sizeof *it->weight,
			      err) < 0 ||
		    parse_offset(&text, it->offset + (size_t)it->degree * width, it->dimensions,
				 err) < 0 ||
		    parse_weight(&text, &it->weight[it->degree], err) < 0 ||
		    check(it, it->offset + (size_t)it->degree * width, err) < 0)
			return -1;
		it->degree++;
		if (*text && *text != ';')
			return tmap_fail(err, TMAP_USAGE,
					 "'%.40s' does not go on with ';' and an offset of "
					 "%d coordinates",
					 text, it->dimensions);
	}
	if (are_ones(it->weight, it->degree)) {
		free(it->weight);
		it->weight = NULL;
	}
	return 0;
}
