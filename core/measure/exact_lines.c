/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/measure/exact_lines.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdlib.h>

/* Of the points before one: weights are 1 / seconds^2, so that y y of each is 1. */
struct sums {
	long double w, x, y, xx, xy, n;
};

struct stretch {
	double latency_s, byte_s, loss;
};

static struct sums sums_of(const struct sums *before, int from, int to)
{
	const struct sums *a = &before[from], *b = &before[to];

	return (struct sums){ b->w - a->w,   b->x - a->x,   b->y - a->y,
			      b->xx - a->xx, b->xy - a->xy, b->n - a->n };
}

static double loss_of(const struct sums *s, double latency_s, double byte_s)
{
	long double a = latency_s, b = byte_s;
	long double loss = s->n + a * a * s->w + b * b * s->xx + 2 * a * b * s->x - 2 * a * s->y -
		2 * b * s->xy;

	return loss > 0 ? (double)loss : 0;
}

/* The best line that is negative nowhere. */
static struct stretch stretch_fit(const struct sums *s)
{
	long double determinant = s->w * s->xx - s->x * s->x;
	struct stretch it = { .latency_s = s->w > 0 ? (double)(s->y / s->w) : 0 };

	if (determinant > 0) {
		it.latency_s = (double)((s->y * s->xx - s->xy * s->x) / determinant);
		it.byte_s = (double)((s->w * s->xy - s->x * s->y) / determinant);
	}
	if (it.byte_s < 0) {
		it.byte_s = 0;
		it.latency_s = (double)(s->y / s->w);
	}
	if (it.latency_s < 0) {
		it.latency_s = 0;
		it.byte_s = (double)(s->xy / s->xx);
	}
	it.loss = loss_of(s, it.latency_s, it.byte_s);
	return it;
}

/* Losses of the best one and two lines of the cuts before one, and where the second one begins. */
struct table {
	const int *cut;
	int cuts, count;
	struct sums *before; /* [count + 1] */
	double *two;         /* [cuts + 1] */
	int *second;
};

static int end_of(const struct table *table, int c)
{
	return c < table->cuts ? table->cut[c] : table->count;
}

static double loss_at(const struct table *table, int from, int to)
{
	struct sums sums = sums_of(table->before, end_of(table, from), end_of(table, to));

	return stretch_fit(&sums).loss;
}

/* *begin = the cuts at which lines begin; returns how many there are: one more has to be worth it. */
static int cuts_choose(const struct table *table, int begin[TMAP_PIECES_MAX])
{
	const double worth = 1e-10 * table->count;
	int cuts = table->cuts, third = 0;
	double three = INFINITY, one = loss_at(table, 0, cuts);

	for (int c = 1; c <= cuts; c++) {
		table->two[c] = INFINITY;
		for (int b = 1; b < c; b++) {
			double loss = loss_at(table, 0, b) + loss_at(table, b, c);

			if (loss < table->two[c]) {
				table->two[c] = loss;
				table->second[c] = b;
			}
		}
	}
	for (int c = 2; c < cuts; c++)
		if (table->two[c] + loss_at(table, c, cuts) < three) {
			three = table->two[c] + loss_at(table, c, cuts);
			third = c;
		}
	begin[0] = 0;
	if (one <= table->two[cuts] + worth && one <= three + worth)
		return 1;
	begin[1] = table->second[cuts];
	if (table->two[cuts] <= three + worth)
		return 2;
	begin[1] = table->second[third];
	begin[2] = third;
	return 3;
}

static void piece_fill(struct tmap_piece *piece, const struct tmap_fit_point *point,
		       const struct table *table, int from, int to)
{
	int first = end_of(table, from), end = end_of(table, to);
	struct sums sums = sums_of(table->before, first, end);
	struct stretch it = stretch_fit(&sums);
	double squares = 0;

	for (int i = first; i < end; i++) {
		double line = it.latency_s + (double)point[i].bytes * it.byte_s;

		squares += (line / point[i].seconds - 1) * (line / point[i].seconds - 1);
	}
	*piece = (struct tmap_piece){ .from_bytes = from ? point[first].bytes : 0,
				      .latency_s = it.latency_s,
				      .byte_s = it.byte_s,
				      .residual = sqrt(squares / (end - first)),
				      .points = end - first };
}

int tmap_exact_lines_fit(struct tmap_piecewise *fit, const struct tmap_fit_point *point, int count,
			 const int *cut, int cuts, struct tmap_error *err)
{
	struct table table = { .cut = cut, .cuts = cuts, .count = count };
	int begin[TMAP_PIECES_MAX + 1];

	table.before = tmap_alloc((size_t)count + 1, sizeof *table.before, err);
	table.two = tmap_alloc((size_t)cuts + 1, sizeof *table.two, err);
	table.second = tmap_alloc((size_t)cuts + 1, sizeof *table.second, err);
	if (!table.before || !table.two || !table.second) {
		free(table.before);
		free(table.two);
		free(table.second);
		return -1;
	}
	for (int i = 0; i < count; i++) {
		long double x = point[i].bytes, y = point[i].seconds, w = 1 / (y * y);
		const struct sums *s = &table.before[i];

		table.before[i + 1] = (struct sums){ s->w + w,          s->x + w * x,
						     s->y + w * y,      s->xx + w * x * x,
						     s->xy + w * x * y, s->n + 1 };
	}
	*fit = (struct tmap_piecewise){ .count = cuts_choose(&table, begin) };
	begin[fit->count] = cuts;
	for (int k = 0; k < fit->count; k++)
		piece_fill(&fit->piece[k], point, &table, begin[k], begin[k + 1]);
	free(table.before);
	free(table.two);
	free(table.second);
	return 0;
}
