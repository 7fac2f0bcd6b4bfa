/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/measure/slowdown.h"

#include "core/measure/sample_statistics.h"

#include <math.h>

/* p of a group all of whose numbers are above all of the other's: one in C(a + b, a). */
static double smallest_p(int a_count, int b_count)
{
	return exp(lgamma(a_count + 1.0) + lgamma(b_count + 1.0) - lgamma(a_count + b_count + 1.0));
}

/* What is 0.001 to the last digits but one must not fail for them. */
static bool p_is_at_most(double p, double most)
{
	return p <= most * (1 + 1e-12);
}

int tmap_slowdown_launches(double p)
{
	int count = 1;

	while (!p_is_at_most(smallest_p(count, count), p))
		count++;
	return count;
}

static double ratio_of(double a, double b)
{
	return b > 0 ? a / b : a > 0 ? INFINITY : 1;
}

int tmap_slowdown_init(struct tmap_slowdown *slowdown, const double *a, int a_count,
		       const double *b, int b_count, const struct tmap_slowdown_rule *rule,
		       struct tmap_error *err)
{
	struct tmap_sample_statistics of_a, of_b;
	struct tmap_rank_sum test;

	if (tmap_sample_statistics_init(&of_a, a, (size_t)a_count, err) < 0 ||
	    tmap_sample_statistics_init(&of_b, b, (size_t)b_count, err) < 0 ||
	    tmap_rank_sum_test(&test, a, a_count, b, b_count, err) < 0)
		return -1;
	*slowdown = (struct tmap_slowdown){
		.a_s = of_a.median,
		.b_s = of_b.median,
		.ratio = ratio_of(of_a.median, of_b.median),
		.p = test.p,
		.is_exact = test.is_exact,
		.smallest_p = smallest_p(a_count, b_count),
	};
	tmap_slowdown_judge(slowdown, slowdown->p, slowdown->smallest_p, rule);
	return 0;
}

void tmap_slowdown_judge(struct tmap_slowdown *slowdown, double p, double smallest,
			 const struct tmap_slowdown_rule *rule)
{
	slowdown->is_decidable = p_is_at_most(smallest, rule->p);
	slowdown->is_violated = slowdown->ratio >= rule->ratio && p_is_at_most(p, rule->p);
}
