/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/measure/profile_agreement.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LAST_BYTES = 4194304, BORDERS_MAX = 2 * TMAP_PROFILE_PIECES_MAX };

static bool says_nothing(const struct tmap_agreement_value *it)
{
	return it->high > it->value * TMAP_AGREEMENT_WIDEST * (1 + 1e-9) ||
		it->low * TMAP_AGREEMENT_WIDEST * (1 + 1e-9) < it->value;
}

static enum tmap_agreement_verdict verdict_of(const struct tmap_agreement_row *row)
{
	/* sums of the same numbers may differ in their last digits */
	if (row->a.low > row->b.high * (1 + 1e-9) || row->b.low > row->a.high * (1 + 1e-9))
		return TMAP_AGREEMENT_DIFFERS;
	return says_nothing(&row->a) || says_nothing(&row->b) ? TMAP_AGREEMENT_UNKNOWN :
								TMAP_AGREEMENT_AGREES;
}

static int agreement_add(struct tmap_profile_agreement *it, const struct tmap_agreement_row *row,
			 struct tmap_error *err)
{
	if (tmap_grow(&it->row, &it->capacity, (size_t)it->count + 1, sizeof *it->row, err) < 0)
		return -1;
	it->row[it->count] = *row;
	it->row[it->count].verdict = verdict_of(row);
	it->differing += it->row[it->count].verdict == TMAP_AGREEMENT_DIFFERS;
	it->unknown += it->row[it->count].verdict == TMAP_AGREEMENT_UNKNOWN;
	it->count++;
	return 0;
}

/* The interval of a time has those of latency and bytes, which may err the same way. */
static struct tmap_agreement_value value_of(const struct tmap_profile *profile, int distance,
					    int64_t bytes)
{
	const struct tmap_profile_row *row = tmap_profile_find(profile, distance, bytes);
	double n = (double)bytes, seconds = row->latency_s + n * row->byte_s;
	struct tmap_agreement_value value = { seconds, seconds * (1 - TMAP_AGREEMENT_TIMES),
					      seconds * (1 + TMAP_AGREEMENT_TIMES) };

	if (row->latency_high_s > 0 || row->byte_high_s > 0) {
		value.low = row->latency_low_s + n * row->byte_low_s;
		value.high = row->latency_high_s + n * row->byte_high_s;
	}
	return value;
}

static int times_add(struct tmap_profile_agreement *it, int distance, int64_t bytes,
		     struct tmap_error *err)
{
	const struct tmap_agreement_row *last = it->count ? &it->row[it->count - 1] : NULL;

	if (last && last->distance == distance && last->bytes >= bytes)
		return 0;
	return agreement_add(it,
			     &(struct tmap_agreement_row){ .distance = distance,
							   .bytes = bytes,
							   .a = value_of(it->a, distance, bytes),
							   .b = value_of(it->b, distance, bytes) },
			     err);
}

static int sizes_compare(const void *a, const void *b)
{
	int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;

	return (left > right) - (left < right);
}

/* Where pieces of a distance begin; those of older documents may be many, and the first ones count. */
static int borders_add(int64_t border[BORDERS_MAX], int count, const struct tmap_profile *profile,
		       int distance)
{
	for (int i = 0; i < profile->row_count && count < BORDERS_MAX; i++)
		if (profile->row[i].distance == distance &&
		    profile->row[i].below_bytes <= LAST_BYTES)
			border[count++] = profile->row[i].below_bytes;
	return count;
}

/* Sizes of each stretch between borders, twice its beginning and half of its end. */
static int distance_add(struct tmap_profile_agreement *it, int distance, struct tmap_error *err)
{
	int64_t border[BORDERS_MAX + 1];
	int count = borders_add(border, 0, it->a, distance);

	count = borders_add(border, count, it->b, distance);
	qsort(border, (size_t)count, sizeof *border, sizes_compare);
	border[count] = 2 * LAST_BYTES;
	if (times_add(it, distance, 0, err) < 0)
		return -1;
	for (int i = 0; i <= count; i++) {
		int64_t from = i ? 2 * border[i - 1] : 0, end = border[i] / 2;

		if (from <= end &&
		    (times_add(it, distance, from, err) < 0 ||
		     times_add(it, distance, end, err) < 0))
			return -1;
	}
	return 0;
}

static bool has_distance(const struct tmap_profile *profile, int distance)
{
	for (int i = 0; i < profile->row_count; i++)
		if (profile->row[i].distance == distance)
			return true;
	return false;
}

/* Distances of one that the other has, too. */
static int distances_add(struct tmap_profile_agreement *it, struct tmap_error *err)
{
	for (int i = 0; i < it->a->row_count; i++) {
		int distance = it->a->row[i].distance;

		if (i && it->a->row[i - 1].distance == distance)
			continue;
		if (!has_distance(it->b, distance))
			it->alone++;
		else if (distance_add(it, distance, err) < 0)
			return -1;
	}
	for (int i = 0; i < it->b->row_count; i++)
		if ((!i || it->b->row[i - 1].distance != it->b->row[i].distance) &&
		    !has_distance(it->a, it->b->row[i].distance))
			it->alone++;
	return 0;
}

/* As far as times differed from one time to another, at least so far that two meet within what is asked. */
static struct tmap_agreement_value shared_value(const struct tmap_profile *profile, double value)
{
	const struct tmap_calibration *calibration = profile->calibration;
	double factor = sqrt(1 + TMAP_AGREEMENT_SHARED);

	if (calibration)
		factor = fmax(factor, calibration->variation);
	return (struct tmap_agreement_value){ value, value / factor, value * factor };
}

/* A cost that both know. */
static int shared_add(struct tmap_profile_agreement *it, const char *what, const char *level,
		      bool is_message, double a, double b, struct tmap_error *err)
{
	struct tmap_agreement_row row = { .what = what,
					  .level = level,
					  .is_message = is_message,
					  .a = shared_value(it->a, a),
					  .b = shared_value(it->b, b) };

	if (!(a > 0 && b > 0))
		return 0;
	return agreement_add(it, &row, err);
}

static bool text_is_same(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

/* Entries of the same nodes and level. */
static int links_add(struct tmap_profile_agreement *it, const char *what,
		     const struct tmap_profile_link *a, int a_count,
		     const struct tmap_profile_link *b, int b_count, struct tmap_error *err)
{
	for (int i = 0; i < a_count; i++)
		for (int k = 0; k < b_count; k++) {
			if (!text_is_same(a[i].level, b[k].level) ||
			    !text_is_same(a[i].nodes, b[k].nodes) ||
			    !text_is_same(a[i].device, b[k].device) || a[i].cores != b[k].cores ||
			    a[i].is_each != b[k].is_each || a[i].both_ways != b[k].both_ways)
				continue;
			if (shared_add(it, what, a[i].level, false, a[i].byte_s, b[k].byte_s, err) <
				    0 ||
			    shared_add(it, what, a[i].level, true, a[i].message_s, b[k].message_s,
				       err) < 0)
				return -1;
			break;
		}
	return 0;
}

static int all_shared_add(struct tmap_profile_agreement *it, struct tmap_error *err)
{
	const struct tmap_profile *a = it->a, *b = it->b;
	const struct {
		const char *what;
		bool is_message;
		double a, b;
	} cost[] = {
		{ "adapters", false, a->adapter_byte_s, b->adapter_byte_s },
		{ "adapters", true, a->adapter_message_s, b->adapter_message_s },
		{ "memory", false, a->memory_byte_s, b->memory_byte_s },
		{ "copy", false, a->copy_byte_s, b->copy_byte_s },
		{ "reduce", false, a->reduce_byte_s, b->reduce_byte_s },
		{ "datatype", false, a->datatype_byte_s, b->datatype_byte_s },
		{ "shared core", true, a->shared_core_s, b->shared_core_s },
	};

	for (size_t i = 0; i < sizeof cost / sizeof *cost; i++)
		if (shared_add(it, cost[i].what, NULL, cost[i].is_message, cost[i].a, cost[i].b,
			       err) < 0)
			return -1;
	if (links_add(it, "adapters", a->adapter, a->adapter_count, b->adapter, b->adapter_count,
		      err) < 0 ||
	    links_add(it, "memory", a->memory, a->memory_count, b->memory, b->memory_count, err) <
		    0)
		return -1;
	return links_add(it, "link", a->link, a->link_count, b->link, b->link_count, err);
}

int tmap_profile_agreement_init(struct tmap_profile_agreement *it, const struct tmap_profile *a,
				const struct tmap_profile *b, struct tmap_error *err)
{
	struct tmap_profile_agreement made = { .a = a, .b = b };
	int status = distances_add(&made, err);

	if (status == 0 && !made.count)
		status = tmap_fail(err, TMAP_INPUT,
				   "the profiles %.60s and %.60s have no distance in common",
				   a->word.name, b->word.name);
	if (status == 0)
		status = all_shared_add(&made, err);
	if (status < 0) {
		tmap_profile_agreement_fini(&made);
		return -1;
	}
	*it = made;
	return 0;
}

void tmap_profile_agreement_fini(struct tmap_profile_agreement *it)
{
	free(it->row);
	*it = (struct tmap_profile_agreement){ 0 };
}
