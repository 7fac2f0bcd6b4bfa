/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/measure/profile_draft.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int tmap_profile_draft_init(struct tmap_profile_draft *draft, const struct tmap_profile *base,
			    struct tmap_error *err)
{
	struct tmap_profile_draft made = { .row = NULL };
	size_t rows = base ? (size_t)base->row_count : 0;
	size_t points = base ? (size_t)base->point_count : 0;

	if (base)
		made.profile = *base;
	if (tmap_grow(&made.row, &made.row_capacity, rows + 1, sizeof *made.row, err) < 0 ||
	    tmap_grow(&made.point, &made.point_capacity, points + 1, sizeof *made.point, err) < 0) {
		free(made.row);
		return -1;
	}
	if (rows)
		memcpy(made.row, base->row, rows * sizeof *made.row);
	if (points)
		memcpy(made.point, base->point, points * sizeof *made.point);
	made.profile.row = made.row;
	made.profile.point = made.point;
	made.profile.is_published = false;
	made.profile.calibration = NULL;
	made.profile.devices = NULL;
	*draft = made;
	return 0;
}

void tmap_profile_draft_fini(struct tmap_profile_draft *draft)
{
	free(draft->row);
	free(draft->point);
	*draft = (struct tmap_profile_draft){ 0 };
}

static int points_compare(const void *a, const void *b)
{
	const struct tmap_fit_point *left = a, *right = b;

	if (left->bytes != right->bytes)
		return left->bytes < right->bytes ? -1 : 1;
	return (left->seconds > right->seconds) - (left->seconds < right->seconds);
}

static int put_rows(struct tmap_profile_draft *draft, int distance,
		    const struct tmap_profile_row *row, int count, struct tmap_error *err)
{
	struct tmap_profile *profile = &draft->profile;
	int begin = 0, end, rows = profile->row_count;

	while (begin < rows && draft->row[begin].distance < distance)
		begin++;
	for (end = begin; end < rows && draft->row[end].distance == distance;)
		end++;
	if (tmap_grow(&draft->row, &draft->row_capacity, (size_t)(rows + count), sizeof *draft->row,
		      err) < 0)
		return -1;
	memmove(&draft->row[begin + count], &draft->row[end],
		(size_t)(rows - end) * sizeof *draft->row);
	memcpy(&draft->row[begin], row, (size_t)count * sizeof *row);
	profile->row_count = rows + count - (end - begin);
	profile->row = draft->row;
	return 0;
}

static int put_points(struct tmap_profile_draft *draft, int distance,
		      const struct tmap_fit_point *point, int count, struct tmap_error *err)
{
	struct tmap_profile *profile = &draft->profile;
	int begin, replaced = tmap_profile_count_points(profile, distance, &begin);
	int points = profile->point_count;

	if (tmap_grow(&draft->point, &draft->point_capacity, (size_t)(points + count) + 1,
		      sizeof *draft->point, err) < 0)
		return -1;
	memmove(&draft->point[begin + count], &draft->point[begin + replaced],
		(size_t)(points - begin - replaced) * sizeof *draft->point);
	for (int i = 0; i < count; i++)
		draft->point[begin + i] = (struct tmap_profile_point){ distance, point[i].bytes,
								       point[i].seconds,
								       point[i].is_outlier };
	profile->point_count = points + count - replaced;
	profile->point = draft->point;
	return 0;
}

int tmap_profile_draft_set_overhead(struct tmap_profile_draft *draft, int distance,
				    double overhead_s)
{
	double most = overhead_s;
	int rows = 0;

	for (int i = 0; i < draft->profile.row_count; i++)
		if (draft->row[i].distance == distance && draft->row[i].latency_s > 0)
			most = fmin(most, draft->row[i].latency_s / 2);
	for (int i = 0; i < draft->profile.row_count; i++)
		if (draft->row[i].distance == distance) {
			draft->row[i].overhead_s = most;
			rows++;
		}
	return rows;
}

static int check_costs(const struct tmap_profile_row *row, struct tmap_error *err)
{
	if (tmap_profile_is_within(&tmap_profile_seconds, row->latency_s) &&
	    tmap_profile_is_within(&tmap_profile_byte_seconds, row->byte_s))
		return 0;
	return tmap_fail(
		err, TMAP_INPUT,
		"what is known of distance %d makes a latency of %g s and %g s a byte, which are no "
		"costs of messages",
		row->distance, row->latency_s, row->byte_s);
}

int tmap_profile_draft_put(struct tmap_profile_draft *draft, int distance,
			   const struct tmap_profile_row *row, int count,
			   const struct tmap_fit_point *point, int points, struct tmap_error *err)
{
	struct tmap_profile_row put[TMAP_PIECES_MAX];

	for (int i = 0; i < count; i++) {
		put[i] = row[i];
		put[i].latency_s = tmap_profile_cost(&tmap_profile_seconds, row[i].latency_s);
		put[i].byte_s = tmap_profile_cost(&tmap_profile_byte_seconds, row[i].byte_s);
		if (check_costs(&put[i], err) < 0)
			return -1;
	}
	if (put_rows(draft, distance, put, count, err) < 0)
		return -1;
	tmap_profile_draft_set_overhead(draft, distance,
					tmap_profile_cost(&tmap_profile_seconds, row->overhead_s));
	return put_points(draft, distance, point, points, err);
}

/* At most as many as are fitted, sorted: the caller's to free. */
static struct tmap_fit_point *points_sort(const struct tmap_fit_point *point, int *count,
					  struct tmap_error *err)
{
	struct tmap_fit_point *sorted = tmap_alloc((size_t)*count, sizeof *sorted, err);

	if (!sorted)
		return NULL;
	if (*count)
		memcpy(sorted, point, (size_t)*count * sizeof *sorted);
	qsort(sorted, (size_t)*count, sizeof *sorted, points_compare);
	while (*count > TMAP_FIT_POINTS_MAX) {
		for (int i = 0; 2 * i < *count; i++)
			sorted[i] = sorted[2 * i];
		*count = (*count + 1) / 2;
	}
	return sorted;
}

int tmap_profile_draft_fit(struct tmap_profile_draft *draft, int distance,
			   const struct tmap_fit_point *point, int count, int64_t eager,
			   double overhead_s, struct tmap_error *err)
{
	struct tmap_profile_row row[TMAP_PIECES_MAX];
	struct tmap_piecewise fit;
	struct tmap_fit_point *sorted = points_sort(point, &count, err);
	int status = sorted ? tmap_piecewise_fit(&fit, sorted, count, eager, err) : -1;

	for (int i = 0; status == 0 && i < fit.count; i++) {
		const struct tmap_piece *piece = &fit.piece[i];

		row[i] = (struct tmap_profile_row){
			.distance = distance,
			.below_bytes = i + 1 < fit.count ? fit.piece[i + 1].from_bytes : INT64_MAX,
			.latency_s = piece->latency_s,
			.byte_s = piece->byte_s,
			.overhead_s = overhead_s,
			.protocol = !eager                ? TMAP_PROTOCOL_UNKNOWN :
				piece->from_bytes < eager ? TMAP_PROTOCOL_EAGER :
							    TMAP_PROTOCOL_RENDEZVOUS,
			.residual = piece->residual,
			.r2 = piece->r2
		};
		row[i].latency_low_s = piece->latency_low_s;
		row[i].latency_high_s = fmin(piece->latency_high_s, tmap_profile_seconds.most);
		row[i].byte_low_s = piece->byte_low_s;
		row[i].byte_high_s = fmin(piece->byte_high_s, tmap_profile_byte_seconds.most);
	}
	if (status == 0)
		status =
			tmap_profile_draft_put(draft, distance, row, fit.count, sorted, count, err);
	free(sorted);
	return status;
}
