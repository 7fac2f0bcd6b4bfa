/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/measure/piecewise.h"

#include "core/base/mem.h"
#include "core/measure/sample_statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Nothing is known better than that: clocks have steps, and sizes are whole. */
static const double least_scatter = 0.001;

/* Points of a piece, and sizes that they have, at least; but for the only one. */
enum { LEAST_POINTS = 4, LEAST_SIZES = 3 };

/* How far points lie from the lines through their neighbors: the standard deviation of a normal
 * distribution with that median, of relative residuals. */
static int points_scatter(double *scatter, const struct tmap_fit_point *point, int count,
			  struct tmap_error *err)
{
	double *off = tmap_alloc((size_t)count, sizeof *off, err);
	int found = 0;

	if (!off)
		return -1;
	for (int i = 1; i + 1 < count; i++) {
		double wide = (double)(point[i + 1].bytes - point[i - 1].bytes);
		double part = wide > 0 ? (double)(point[i].bytes - point[i - 1].bytes) / wide : 0.5;
		double between = (1 - part) * point[i - 1].seconds + part * point[i + 1].seconds;

		off[found++] = fabs(point[i].seconds - between) / between /
			sqrt(1 + part * part + (1 - part) * (1 - part));
	}
	tmap_numbers_sort(off, (size_t)found);
	*scatter = fmax(least_scatter, found ? 1.4826 * off[found / 2] : 0);
	free(off);
	return 0;
}

/* Stretches of points that a piece may be, each of which is fitted when it is asked for. Of many points
 * not every place is tried at first, only each step-th. */
struct table {
	const struct tmap_fit_point *point;
	int count, step;
	int64_t border;
	double scatter;
	double *loss; /* [count][count + 1]: of points from .. to - 1; infinite: no piece; NAN: not asked */
	struct tmap_time_line *line;
};

enum { PLACES = 64 };

static size_t table_at(const struct table *table, int from, int to)
{
	return (size_t)from * (size_t)(table->count + 1) + (size_t)to;
}

static int table_init(struct table *table, const struct tmap_fit_point *point, int count,
		      int64_t border, double scatter, struct tmap_error *err)
{
	size_t all = (size_t)count * (size_t)(count + 1);

	*table = (struct table){ .point = point,
				 .count = count,
				 .step = 1 + count / PLACES,
				 .border = border,
				 .scatter = scatter };
	table->loss = tmap_alloc_raw(all, sizeof *table->loss, err);
	table->line = tmap_alloc(all, sizeof *table->line, err);
	for (size_t i = 0; table->loss && i < all; i++)
		table->loss[i] = NAN;
	return table->loss && table->line ? 0 : -1;
}

static void table_fini(struct table *table)
{
	free(table->loss);
	free(table->line);
}

/* Points of one size are not cut apart. */
static bool piece_may_begin(const struct table *table, int at)
{
	return at == 0 || at == table->count || table->point[at - 1].bytes < table->point[at].bytes;
}

/* Is the known border at this place? */
static bool is_border(const struct table *table, int at)
{
	return table->border > 0 && at > 0 && table->point[at - 1].bytes < table->border &&
		table->point[at].bytes >= table->border;
}

static int sizes_count(const struct tmap_fit_point *point, int from, int to)
{
	int sizes = 1;

	for (int i = from + 1; i < to && sizes < LEAST_SIZES; i++)
		sizes += point[i].bytes > point[i - 1].bytes;
	return sizes;
}

/* Those on both sides of a border are not left together, and there are some, but for all of them. */
static bool piece_is_one(const struct table *table, int from, int to)
{
	const struct tmap_fit_point *point = table->point;

	if (to - from < LEAST_POINTS || !piece_may_begin(table, from) ||
	    !piece_may_begin(table, to))
		return false;
	if (table->border > 0 && point[from].bytes < table->border &&
	    point[to - 1].bytes >= table->border)
		return false;
	return (from == 0 && to == table->count) || sizes_count(point, from, to) == LEAST_SIZES;
}

/* What a line costs besides for leaving out points that follow one another on one side of it, two at an end
 * of the piece or four within it: that is no noise, but another line. As far as they are off, in units
 * of the scatter. */
static double piece_regimes(const struct table *table, int from, int to,
			    const struct tmap_time_line *line)
{
	enum { AT_END = 2, WITHIN = 4 };
	double all = 0, off = 0;
	int begin = from; /* of the run */
	bool was_above = false;

	for (int i = from; i <= to; i++) {
		double residual = i < to ?
			tmap_time_line_residual(&table->point[i], line, table->scatter) :
			0;
		bool is_outlier = fabs(residual) >= TMAP_TIME_LINE_OUTLIER;

		if (!is_outlier || (i > begin && (residual > 0) != was_above)) {
			int length = i - begin;

			if (length >= WITHIN || (length >= AT_END && (begin == from || i == to)))
				all += off;
			begin = is_outlier ? i : i + 1;
			off = 0;
		}
		off += is_outlier ? fabs(residual) : 0;
		was_above = residual > 0;
	}
	return all;
}

static double piece_loss(struct table *table, int from, int to)
{
	size_t at = table_at(table, from, to);

	if (!isnan(table->loss[at]))
		return table->loss[at];
	table->loss[at] = INFINITY;
	if (piece_is_one(table, from, to)) {
		table->line[at] = tmap_time_line_fit(&table->point[from], to - from, table->scatter,
						     &table->loss[at]);
		table->loss[at] += piece_regimes(table, from, to, &table->line[at]);
	}
	return table->loss[at];
}

/* The best way to cut the points behind @p from into pieces: where these begin, and their loss. */
static double cut_find(int *begin, struct table *table, int from, int pieces)
{
	double least = INFINITY;
	int rest[TMAP_PIECES_MAX];

	begin[0] = from;
	if (pieces == 1)
		return piece_loss(table, from, table->count);
	for (int to = from + 1; to < table->count; to++) {
		double loss;

		if (to % table->step != 0 && !is_border(table, to))
			continue;
		loss = piece_loss(table, from, to);
		if (loss >= least)
			continue;
		loss += cut_find(rest, table, to, pieces - 1);
		if (loss < least) {
			least = loss;
			memcpy(&begin[1], rest, (size_t)(pieces - 1) * sizeof *rest);
		}
	}
	return least;
}

/* The same with each place around where the pieces begin. */
static double cut_refine(int *begin, struct table *table, int pieces)
{
	double all = 0;

	for (int k = 1; k < pieces; k++) {
		int end = k + 1 < pieces ? begin[k + 1] : table->count, best = begin[k];
		double least = INFINITY;

		for (int at = begin[k] - table->step + 1; at < begin[k] + table->step; at++) {
			double loss;

			if (at <= begin[k - 1] || at >= end)
				continue;
			loss = piece_loss(table, begin[k - 1], at) + piece_loss(table, at, end);
			if (loss < least) {
				least = loss;
				best = at;
			}
		}
		begin[k] = best;
	}
	for (int k = 0; k < pieces; k++)
		all += piece_loss(table, begin[k], k + 1 < pieces ? begin[k + 1] : table->count);
	return all;
}

/* Between two sizes another piece begins: where it is known to; at a power of two, as libraries have
 * their borders there; where the lines meet; or in the middle. */
static int64_t border_find(int64_t below, int64_t from, const struct tmap_time_line *left,
			   const struct tmap_time_line *right, int64_t border)
{
	int64_t power = 1;
	double meet = (left->latency_s - right->latency_s) / (right->byte_s - left->byte_s);

	if (border > below && border <= from)
		return border;
	while (power <= from / 2)
		power *= 2;
	if (power > below)
		return power;
	if (meet > (double)below && meet <= (double)from)
		return (int64_t)ceil(meet);
	return (int64_t)ceil(sqrt((double)(below > 0 ? below : 1) * (double)from));
}

/* Student's t that 2.5 % are above, by Cornish and Fisher's expansion. */
static double student(int freedom)
{
	double z = 1.959964, n = freedom;

	return z + (z * z * z + z) / (4 * n) +
		(5 * pow(z, 5) + 16 * z * z * z + 3 * z) / (96 * n * n) +
		(3 * pow(z, 7) + 19 * pow(z, 5) + 17 * z * z * z - 15 * z) / (384 * n * n * n);
}

static void piece_fill(struct tmap_piece *piece, struct tmap_fit_point *point, int count,
		       const struct tmap_time_line *line, double scatter)
{
	struct tmap_time_line_sums sums = { 0 };
	double squares = 0, mean, all = 0, left = 0, spread, width;
	int kept = 0;

	*piece = (struct tmap_piece){ .latency_s = line->latency_s,
				      .byte_s = line->byte_s,
				      .points = count };
	for (int i = 0; i < count; i++) {
		double wanted = tmap_time_line_at(line, point[i].bytes);
		double residual = tmap_time_line_residual(&point[i], line, scatter);

		point[i].is_outlier = fabs(residual) >= TMAP_TIME_LINE_OUTLIER;
		if (point[i].is_outlier)
			continue;
		kept++;
		squares += residual * scatter * residual * scatter;
		tmap_time_line_sums_add(&sums, 1 / (wanted * wanted), (double)point[i].bytes,
					point[i].seconds);
	}
	if (kept < 3)
		return;
	piece->residual = sqrt(squares / kept);
	mean = sums.y / sums.w;
	for (int i = 0; i < count; i++) {
		double wanted = tmap_time_line_at(line, point[i].bytes),
		       weight = 1 / (wanted * wanted);

		if (point[i].is_outlier)
			continue;
		all += weight * (point[i].seconds - mean) * (point[i].seconds - mean);
		left += weight * (point[i].seconds - wanted) * (point[i].seconds - wanted);
	}
	piece->r2 = all > 0 && left < all ? 1 - left / all : 0;
	width = student(kept - 2) * fmax(sqrt(squares / (kept - 2)), least_scatter);
	spread = sums.w * sums.xx - sums.x * sums.x;
	if (!(spread > 0))
		return;
	piece->latency_low_s = fmax(0, line->latency_s - width * sqrt(sums.xx / spread));
	piece->latency_high_s = line->latency_s + width * sqrt(sums.xx / spread);
	piece->byte_low_s = fmax(0, line->byte_s - width * sqrt(sums.w / spread));
	piece->byte_high_s = line->byte_s + width * sqrt(sums.w / spread);
}

static void fit_fill(struct tmap_piecewise *fit, struct tmap_fit_point *point,
		     const struct table *table, const int *begin, int pieces, int64_t border,
		     double scatter)
{
	*fit = (struct tmap_piecewise){ .count = pieces, .scatter = scatter };
	for (int k = 0; k < pieces; k++) {
		int to = k + 1 < pieces ? begin[k + 1] : table->count;
		const struct tmap_time_line *line = &table->line[table_at(table, begin[k], to)];

		piece_fill(&fit->piece[k], &point[begin[k]], to - begin[k], line, scatter);
		if (k > 0)
			fit->piece[k].from_bytes =
				border_find(point[begin[k] - 1].bytes, point[begin[k]].bytes,
					    &table->line[table_at(table, begin[k - 1], begin[k])],
					    line, border);
	}
	for (int i = 0; i < table->count; i++)
		fit->outliers += point[i].is_outlier;
}

static int points_check(const struct tmap_fit_point *point, int count, struct tmap_error *err)
{
	if (count < LEAST_POINTS || count > TMAP_FIT_POINTS_MAX)
		return tmap_fail(err, TMAP_INPUT,
				 "lines are fitted through %d to %d times, and there are %d",
				 LEAST_POINTS, TMAP_FIT_POINTS_MAX, count);
	if (point[0].bytes == point[count - 1].bytes)
		return tmap_fail(err, TMAP_INPUT,
				 "a line needs times of two sizes, and all are of %lld bytes",
				 (long long)point[0].bytes);
	for (int i = 0; i < count; i++)
		if (!(point[i].seconds > 0 && isfinite(point[i].seconds)))
			return tmap_fail(err, TMAP_INPUT,
					 "%g seconds of %lld bytes are no time of a message",
					 point[i].seconds, (long long)point[i].bytes);
	return 0;
}

/* So many pieces fit best, and begin there; 0: none do. *criterion: what that is worth. */
static int pieces_choose(struct table *table, int begin[TMAP_PIECES_MAX], double *criterion)
{
	int tried[TMAP_PIECES_MAX] = { 0 }, best = 0;

	*criterion = INFINITY;
	for (int k = 1; k <= TMAP_PIECES_MAX; k++) {
		double value = cut_find(tried, table, 0, k);

		if (isinf(value))
			continue;
		value = cut_refine(tried, table, k) + (3 * k - 1) * log(table->count);
		if (value < *criterion) {
			*criterion = value;
			best = k;
			memcpy(begin, tried, sizeof tried);
		}
	}
	return best;
}

int tmap_piecewise_fit(struct tmap_piecewise *fit, struct tmap_fit_point *point, int count,
		       int64_t border, struct tmap_error *err)
{
	int begin[TMAP_PIECES_MAX] = { 0 }, pieces = 0;
	double criterion = 0, scatter;
	struct table table;

	if (points_check(point, count, err) < 0 || points_scatter(&scatter, point, count, err) < 0)
		return -1;
	if (table_init(&table, point, count, border, scatter, err) < 0) {
		table_fini(&table);
		return -1;
	}
	pieces = pieces_choose(&table, begin, &criterion);
	if (pieces) {
		fit_fill(fit, point, &table, begin, pieces, border, scatter);
		fit->criterion = criterion;
	}
	table_fini(&table);
	/* too few on one side of the border for a line of their own */
	return pieces ? 0 : tmap_piecewise_fit(fit, point, count, 0, err);
}

double tmap_piecewise_at(const struct tmap_piecewise *fit, int64_t bytes)
{
	int k = fit->count - 1;

	while (k > 0 && fit->piece[k].from_bytes > bytes)
		k--;
	return fit->piece[k].latency_s + (double)bytes * fit->piece[k].byte_s;
}
