/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/support/graphs.h"

#include "core/base/mem.h"
#include "core/base/random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDES_MAX = 4 };

struct maker {
	struct tmap_pattern_builder builder;
	struct tmap_error *err;
	int sides, side[SIDES_MAX];
	int size;
};

static void both_add(struct maker *maker, int a, int b, double bytes)
{
	if (tmap_pattern_add(&maker->builder, a, b, bytes, maker->err) < 0 ||
	    tmap_pattern_add(&maker->builder, b, a, bytes, maker->err) < 0)
		abort(); /* out of memory */
}

/* The rank at @p from moved by offset[] x stride; TMAP_NONE beyond a border. */
static int grid_move(const struct maker *maker, int from, const int *offset, int stride, bool round)
{
	int to = 0, unit = 1;

	for (int d = maker->sides - 1; d >= 0; d--) {
		int side = maker->side[d], at = from / unit % side + offset[d] * stride;

		if (!round && (at < 0 || at >= side))
			return TMAP_NONE;
		to += (at + side) % side * unit;
		unit *= side;
	}
	return to;
}

static bool grid_has(const struct maker *maker, int rank, int stride)
{
	for (int d = maker->sides - 1; d >= 0; d--) {
		if (rank % maker->side[d] % stride)
			return false;
		rank /= maker->side[d];
	}
	return true;
}

/* Each pair of neighbours once: those whose offset begins with 1. */
static void grid_add(struct maker *maker, int stride, bool diagonal, bool round, double bytes)
{
	int offsets = 1;

	for (int d = 0; d < maker->sides; d++)
		offsets *= 3;
	for (int r = 0; r < maker->size; r++) {
		if (!grid_has(maker, r, stride))
			continue;
		for (int k = offsets / 2 + 1; k < offsets; k++) {
			int offset[SIDES_MAX], rest = k, moved = 0, to;

			for (int d = maker->sides - 1; d >= 0; d--) {
				offset[d] = rest % 3 - 1;
				moved += offset[d] != 0;
				rest /= 3;
			}
			if (moved > 1 && !diagonal)
				continue;
			to = grid_move(maker, r, offset, stride, round);
			if (to != TMAP_NONE && to != r)
				both_add(maker, r, to,
					 moved > 1 ? bytes / (1 << 2 * moved) : bytes);
		}
	}
}

static void make_grid(struct maker *maker)
{
	grid_add(maker, 1, false, false, 1024);
}

static void make_torus(struct maker *maker)
{
	grid_add(maker, 1, false, true, 1024);
}

static void make_moore(struct maker *maker)
{
	grid_add(maker, 1, true, false, 1024);
}

static void make_multigrid(struct maker *maker)
{
	for (int l = 0; (1 << l) < maker->side[0]; l++)
		grid_add(maker, 1 << l, false, false, fmax(1, 1024 >> l));
}

static void make_amg(struct maker *maker)
{
	for (int l = 0; (1 << l) < maker->side[0]; l++)
		grid_add(maker, 1 << l, true, false, fmax(1, 65536 >> 2 * l));
}

static void make_transpose(struct maker *maker)
{
	int width = maker->side[1];

	for (int r = 0; r < maker->size; r++) {
		for (int to = r + 1; to < (r / width + 1) * width; to++)
			both_add(maker, r, to, 64);
		for (int to = r + width; to < maker->size; to += width)
			both_add(maker, r, to, 64);
	}
}

static void make_allreduce(struct maker *maker)
{
	make_grid(maker);
	for (int step = 1; step < maker->size; step *= 2)
		for (int r = 0; r < maker->size; r++)
			if ((r ^ step) > r && (r ^ step) < maker->size)
				both_add(maker, r, r ^ step, 256);
}

static double random_unit(struct tmap_random *random)
{
	return (double)(tmap_random_next(random) >> 11) * 0x1p-53;
}

/* Points in cells as wide as the radius: neighbours are in the next cells. */
static void make_rgg(struct maker *maker)
{
	int n = maker->size, cells = (int)floor(sqrt(n / 2.5));
	double radius = 1.0 / cells;
	struct tmap_random random = { (uint64_t)n };
	double *x = calloc((size_t)n, sizeof *x), *y = calloc((size_t)n, sizeof *y);
	int *head = calloc((size_t)cells * (size_t)cells, sizeof *head);
	int *next = calloc((size_t)n, sizeof *next);

	if (!x || !y || !head || !next)
		abort();
	for (int r = 0; r < n; r++) {
		int at_x, at_y;

		x[r] = random_unit(&random);
		y[r] = random_unit(&random);
		at_x = (int)(x[r] * cells);
		at_y = (int)(y[r] * cells);
		for (int i = at_x > 0 ? at_x - 1 : 0; i <= at_x + 1 && i < cells; i++)
			for (int j = at_y > 0 ? at_y - 1 : 0; j <= at_y + 1 && j < cells; j++)
				for (int to = head[i * cells + j] - 1; to >= 0; to = next[to] - 1)
					if (hypot(x[r] - x[to], y[r] - y[to]) < radius)
						both_add(maker, r, to,
							 (double)(1 +
								  tmap_random_below(&random, 16)));
		next[r] = head[at_x * cells + at_y];
		head[at_x * cells + at_y] = r + 1;
	}
	free(x);
	free(y);
	free(head);
	free(next);
}

static void make_rmat(struct maker *maker)
{
	struct tmap_random random = { (uint64_t)maker->size };

	for (int e = 0; e < 8 * maker->size; e++) {
		int from = 0, to = 0;

		for (int step = 1; step < maker->size; step *= 2) {
			double dice = random_unit(&random);

			from = 2 * from + (dice >= 0.76);
			to = 2 * to + ((dice >= 0.57 && dice < 0.76) || dice >= 0.95);
		}
		if (from != to && from < maker->size && to < maker->size)
			both_add(maker, from, to, 16);
	}
}

static const struct {
	const char *name;
	int sides; /* 0: any */
	void (*make)(struct maker *maker);
} kinds[] = {
	{ "", 0, make_grid },
	{ "torus:", 0, make_torus },
	{ "moore:", 0, make_moore },
	{ "multigrid:", 0, make_multigrid },
	{ "amg:", 0, make_amg },
	{ "transpose:", 2, make_transpose },
	{ "allreduce:", 0, make_allreduce },
	{ "rgg:", 1, make_rgg },
	{ "rmat:", 1, make_rmat },
};

/* "8x8x4" */
static bool sides_parse(struct maker *maker, const char *text)
{
	int used;

	maker->sides = 0;
	maker->size = 1;
	while (maker->sides < SIDES_MAX &&
	       sscanf(text, "%d%n", &maker->side[maker->sides], &used) == 1 &&
	       maker->side[maker->sides] > 0) {
		maker->size *= maker->side[maker->sides++];
		text += used;
		if (*text != 'x')
			break;
		text++;
	}
	return maker->sides > 0 && !*text;
}

int graph_shuffle(struct tmap_pattern *pattern, uint64_t seed, struct tmap_error *err)
{
	struct tmap_pattern_builder builder = { 0 };
	struct tmap_random random = { seed };
	int *name, status;

	if (seed == 0)
		return 0;
	name = tmap_alloc_raw((size_t)pattern->size, sizeof *name, err);
	if (!name)
		return -1;
	for (int r = 0; r < pattern->size; r++)
		name[r] = r;
	tmap_random_shuffle(&random, name, pattern->size);
	status = tmap_pattern_builder_init(&builder, pattern->size, err);
	for (int r = 0; r < pattern->size && status == 0; r++)
		for (int64_t i = pattern->start[r]; i < pattern->start[r + 1] && status == 0; i++)
			status = tmap_pattern_add(&builder, name[r], name[pattern->peer[i]],
						  pattern->sent[i], err);
	tmap_pattern_fini(pattern);
	if (status == 0)
		status = tmap_pattern_finish(pattern, &builder, err);
	tmap_pattern_builder_fini(&builder);
	free(name);
	return status;
}

int graph_generate(struct tmap_pattern *pattern, const char *name, struct tmap_error *err)
{
	struct maker maker = { .err = err };
	unsigned long long seed = 0;
	int used = 0, status = 1;

	if (sscanf(name, "shuffled:%llu:%n", &seed, &used) == 1 && used > 0)
		name += used;
	for (size_t k = 0; k < sizeof kinds / sizeof *kinds && status == 1; k++) {
		size_t length = strlen(kinds[k].name);

		if (strncmp(name, kinds[k].name, length) != 0 ||
		    !sides_parse(&maker, name + length) ||
		    (kinds[k].sides && kinds[k].sides != maker.sides))
			continue;
		status = tmap_pattern_builder_init(&maker.builder, maker.size, err);
		if (status < 0)
			break;
		kinds[k].make(&maker);
		status = tmap_pattern_finish(pattern, &maker.builder, err);
		tmap_pattern_builder_fini(&maker.builder);
	}
	return status == 0 ? graph_shuffle(pattern, seed, err) : status;
}
