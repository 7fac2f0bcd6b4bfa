/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/measure/correction.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const struct tmap_keyword corrections[] = {
	[TMAP_CORRECT_NONE] = { "none", "each test by itself, as in the paper" },
	[TMAP_CORRECT_HOLM] = { "holm", "Holm's: with p, any violation at all is false" },
	[TMAP_CORRECT_BH] = { "bh", "Benjamini and Hochberg's: p of the violations are false" },
	[TMAP_CORRECT_BH + 1] = { NULL, NULL },
};

const struct tmap_keywords tmap_corrections = TMAP_KEYWORDS("correction", corrections);

static int compare_p(const void *a, const void *b, void *p)
{
	double left = ((const double *)p)[*(const int *)a];
	double right = ((const double *)p)[*(const int *)b];

	return (left > right) - (left < right);
}

/* From the smallest on: each by the number of those that are left, and no less than the one before. */
static void holm_adjust(double *adjusted, const double *p, const int *order, int count)
{
	double before = 0;

	for (int i = 0; i < count; i++) {
		before = fmax(before, fmin(1, p[order[i]] * (count - i)));
		adjusted[order[i]] = before;
	}
}

/* From the largest on: each by how many there are to one of up to it, and no more than the one behind. */
static void bh_adjust(double *adjusted, const double *p, const int *order, int count)
{
	double behind = 1;

	for (int i = count - 1; i >= 0; i--) {
		behind = fmin(behind, p[order[i]] * ((double)count / (i + 1)));
		adjusted[order[i]] = behind;
	}
}

int tmap_p_adjust(double *adjusted, const double *p, int count, enum tmap_correction correction,
		  struct tmap_error *err)
{
	int *order;

	if (correction == TMAP_CORRECT_NONE) {
		if (count)
			memcpy(adjusted, p, (size_t)count * sizeof *p);
		return 0;
	}
	order = tmap_alloc_raw((size_t)count, sizeof *order, err);
	if (!order)
		return -1;
	for (int i = 0; i < count; i++)
		order[i] = i;
	qsort_r(order, (size_t)count, sizeof *order, compare_p, (void *)(uintptr_t)(const void *)p);
	(correction == TMAP_CORRECT_HOLM ? holm_adjust : bh_adjust)(adjusted, p, order, count);
	free(order);
	return 0;
}
