/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/measure/piecewise.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Nothing is known better than that: clocks have steps, and sizes are whole. */
static const double least_scatter = 0.001;

static const double huber = 1.345, biweight = 4.685;

/* Points of a piece, and sizes that they have, at least; but for the only one. */
enum { LEAST_POINTS = 4, LEAST_SIZES = 3 };

struct line {
	double latency_s, byte_s;
};

static double line_at(const struct line *line, int64_t bytes)
{
	return line->latency_s + (double)bytes * line->byte_s;
}

/* What the points of a line add up to, each with its weight. */
struct sums {
	double w, x, y, xx, xy;
};

static void sums_add(struct sums *sums, double weight, double x, double y)
{
	sums->w += weight;
	sums->x += weight * x;
	sums->y += weight * y;
	sums->xx += weight * x * x;
	sums->xy += weight * x * y;
}

/* The line of least squares that is nowhere negative. */
static struct line sums_line(const struct sums *sums)
{
	double spread = sums->w * sums->xx - sums->x * sums->x;
	double slope = spread > 1e-12 * sums->w * sums->xx ?
		(sums->w * sums->xy - sums->x * sums->y) / spread :
		0;
	double start = (sums->y - slope * sums->x) / sums->w;

	if (slope < 0 || !(sums->xx > 0))
		return (struct line){ sums->y / sums->w, 0 };
	if (start < 0)
		return (struct line){ 0, sums->xy / sums->xx };
	return (struct line){ start, slope };
}

static double biweight_weight(double residual)
{
	double part = residual / biweight;

	return fabs(part) >= 1 ? 0 : (1 - part * part) * (1 - part * part);
}

/* Twice the loss, so that it is the residual's square where that is small. */
static double biweight_loss(double residual)
{
	double part = residual / biweight, left = 1 - part * part;

	return biweight * biweight / 3 * (fabs(part) >= 1 ? 1 : 1 - left * left * left);
}

static double huber_weight(double residual)
{
	return fabs(residual) <= huber ? 1 : huber / fabs(residual);
}

/* In units of the scatter. */
static double point_residual(const struct tmap_fit_point *point, const struct line *line,
			     double scatter)
{
	double wanted = line_at(line, point->bytes);

	return (point->seconds - wanted) / (wanted * scatter);
}

/* The line of points, none of which has much to say that is far from what most of them say; *loss: the
 * sum of their losses. */
static struct line points_line(const struct tmap_fit_point *point, int count, double scatter,
			       double *loss)
{
	enum { HUBER_ROUNDS = 6, BIWEIGHT_ROUNDS = 8 };
	struct sums sums = { 0 };
	struct line line;

	for (int i = 0; i < count; i++)
		sums_add(&sums, 1 / (point[i].seconds * point[i].seconds), (double)point[i].bytes,
			 point[i].seconds);
	line = sums_line(&sums);
	for (int round = 0; round < HUBER_ROUNDS + BIWEIGHT_ROUNDS; round++) {
		struct line before = line;

		sums = (struct sums){ 0 };
		for (int i = 0; i < count; i++) {
			double wanted = line_at(&line, point[i].bytes);
			double residual = point_residual(&point[i], &line, scatter);
			double weight = round < HUBER_ROUNDS ? huber_weight(residual) :
							       biweight_weight(residual);

			sums_add(&sums, weight / (wanted * wanted), (double)point[i].bytes,
				 point[i].seconds);
		}
		if (!(sums.w > 0)) /* all are far from it, and it stays */
			break;
		line = sums_line(&sums);
		if (!(line_at(&line, point[0].bytes) > 0)) { /* at 0 bytes it would be 0 */
			line = before;
			break;
		}
	}
	*loss = 0;
	for (int i = 0; i < count; i++)
		*loss += biweight_loss(point_residual(&point[i], &line, scatter));
	return line;
}

static int compare_numbers(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

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
	qsort(off, (size_t)found, sizeof *off, compare_numbers);
	*scatter = fmax(least_scatter, found ? 1.4826 * off[found / 2] : 0);
	free(off);
	return 0;
}

/* What is known of each stretch of points, which a piece may be. */
struct table {
	int count;
	double *loss; /* [count][count + 1]: of points from .. to - 1; infinite: no piece */
	struct line *line;
};

static size_t table_at(const struct table *table, int from, int to)
{
	return (size_t)from * (size_t)(table->count + 1) + (size_t)to;
}

/* Points of one size are not cut apart, nor those on both sides of a border left together. */
static bool piece_may_begin(const struct tmap_fit_point *point, int at)
{
	return at == 0 || point[at - 1].bytes < point[at].bytes;
}

static bool piece_is_one(const struct tmap_fit_point *point, int from, int to, int64_t border)
{
	return !(border > 0 && point[from].bytes < border && point[to - 1].bytes >= border);
}

static int sizes_count(const struct tmap_fit_point *point, int from, int to)
{
	int sizes = 1;

	for (int i = from + 1; i < to && sizes < LEAST_SIZES; i++)
		sizes += point[i].bytes > point[i - 1].bytes;
	return sizes;
}

static int table_init(struct table *table, const struct tmap_fit_point *point, int count,
		      int64_t border, double scatter, struct tmap_error *err)
{
	size_t all = (size_t)count * (size_t)(count + 1);

	*table = (struct table){ .count = count };
	table->loss = tmap_alloc_raw(all, sizeof *table->loss, err);
	table->line = tmap_alloc(all, sizeof *table->line, err);
	if (!table->loss || !table->line) {
		free(table->loss);
		free(table->line);
		return -1;
	}
	for (size_t i = 0; i < all; i++)
		table->loss[i] = INFINITY;
	for (int from = 0; from < count; from++)
		for (int to = from + LEAST_POINTS; to <= count; to++)
			if (piece_may_begin(point, from) &&
			    (to == count || piece_may_begin(point, to)) &&
			    piece_is_one(point, from, to, border) &&
			    ((from == 0 && to == count) ||
			     sizes_count(point, from, to) == LEAST_SIZES)) {
				size_t at = table_at(table, from, to);

				table->line[at] = points_line(&point[from], to - from, scatter,
							      &table->loss[at]);
			}
	return 0;
}

/* The best way to cut the points behind @p from into pieces: where these begin, and their loss. */
static double cut_find(int *begin, const struct table *table, int from, int pieces)
{
	double least = INFINITY;
	int rest[TMAP_PIECES_MAX];

	begin[0] = from;
	if (pieces == 1)
		return table->loss[table_at(table, from, table->count)];
	for (int to = from + 1; to < table->count; to++) {
		double loss = table->loss[table_at(table, from, to)];

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

/* Between two sizes another piece begins: where it is known to; at a power of two, as libraries have
 * their borders there; where the lines meet; or in the middle. */
static int64_t border_find(int64_t below, int64_t from, const struct line *left,
			   const struct line *right, int64_t border)
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
		       const struct line *line, double scatter)
{
	struct sums sums = { 0 };
	double squares = 0, mean, all = 0, left = 0, spread, width;
	int kept = 0;

	*piece = (struct tmap_piece){ .latency_s = line->latency_s,
				      .byte_s = line->byte_s,
				      .points = count };
	for (int i = 0; i < count; i++) {
		double wanted = line_at(line, point[i].bytes);
		double residual = point_residual(&point[i], line, scatter);

		point[i].is_outlier = fabs(residual) >= biweight;
		if (point[i].is_outlier)
			continue;
		kept++;
		squares += residual * scatter * residual * scatter;
		sums_add(&sums, 1 / (wanted * wanted), (double)point[i].bytes, point[i].seconds);
	}
	if (kept < 3)
		return;
	piece->residual = sqrt(squares / kept);
	mean = sums.y / sums.w;
	for (int i = 0; i < count; i++) {
		double wanted = line_at(line, point[i].bytes), weight = 1 / (wanted * wanted);

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
		const struct line *line = &table->line[table_at(table, begin[k], to)];

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

int tmap_piecewise_fit(struct tmap_piecewise *fit, struct tmap_fit_point *point, int count,
		       int64_t border, struct tmap_error *err)
{
	int begin[TMAP_PIECES_MAX] = { 0 }, tried[TMAP_PIECES_MAX] = { 0 }, best = 0;
	double least = INFINITY, scatter;
	struct table table;

	if (points_check(point, count, err) < 0 || points_scatter(&scatter, point, count, err) < 0)
		return -1;
	if (table_init(&table, point, count, border, scatter, err) < 0)
		return -1;
	for (int k = 1; k <= TMAP_PIECES_MAX; k++) {
		double value = cut_find(tried, &table, 0, k) + (3 * k - 1) * log(count);

		if (value < least) {
			least = value;
			best = k;
			memcpy(begin, tried, sizeof begin);
		}
	}
	if (!best) { /* too few on one side of the border for a line of their own */
		free(table.loss);
		free(table.line);
		return tmap_piecewise_fit(fit, point, count, 0, err);
	}
	fit_fill(fit, point, &table, begin, best, border, scatter);
	fit->criterion = least;
	free(table.loss);
	free(table.line);
	return 0;
}

double tmap_piecewise_at(const struct tmap_piecewise *fit, int64_t bytes)
{
	int k = fit->count - 1;

	while (k > 0 && fit->piece[k].from_bytes > bytes)
		k--;
	return fit->piece[k].latency_s + (double)bytes * fit->piece[k].byte_s;
}
