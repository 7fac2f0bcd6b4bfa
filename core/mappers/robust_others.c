/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/mappers/robust_judging.h"

#include <math.h>

double tmap_judging_gain(double before, double after)
{
	double gain = before > 0 ? (before - after) / before : 0;

	return fabs(gain) > 1e-9 ? gain : 0;
}

void tmap_judging_gains(double *least, double *mean, const struct tmap_judging *j, int before,
			int after)
{
	*least = INFINITY;
	*mean = 0;
	for (int c = 0; c < j->machines; c++) {
		double gain = tmap_judging_gain(j->candidate[before].seconds[c],
						j->candidate[after].seconds[c]);

		*least = fmin(*least, gain);
		*mean += gain / j->machines;
	}
}

/* How much longer one takes than another by some costs. */
static struct tmap_robust_loss loss_by(const struct tmap_judging *j, int beside, int index,
				       int costs)
{
	return (struct tmap_robust_loss){ -tmap_judging_gain(j->candidate[beside].seconds[costs],
							     j->candidate[index].seconds[costs]),
					  j->number[costs] % j->machines,
					  j->number[costs] / j->machines };
}

static struct tmap_robust_loss loss_worst(const struct tmap_judging *j, int beside, int index)
{
	struct tmap_robust_loss worst = loss_by(j, beside, index, 0);

	for (int c = 1; c < j->costs; c++) {
		struct tmap_robust_loss loss = loss_by(j, beside, index, c);

		if (loss.part > worst.part)
			worst = loss;
	}
	return worst;
}

static void other_fill(struct tmap_robust_other *other, const struct tmap_judging *j, int index,
		       int taken)
{
	const struct tmap_robust_candidate *it = &j->candidate[index];
	double least;

	other->is_there = true;
	other->is_harmless = it->is_harmless;
	other->own_gain = tmap_judging_gain(j->own_s[0], j->own_s[index]);
	tmap_judging_gains(&least, &other->mean, j, 0, index);
	other->beside_launched = it->is_harmless ? loss_worst(j, 0, index) :
						   loss_by(j, 0, index, it->harm_costs);
	other->beside_taken = loss_worst(j, taken, index);
}

/* The one that was searched for and is best by the own costs, of the harmful ones or of all; only below
 * @p limit_s; TMAP_NONE: there is none. */
static int searched_best(const struct tmap_judging *j, bool harmful, double limit_s)
{
	int best = TMAP_NONE;

	for (int i = TMAP_ROBUST_SIMPLE; i < j->count; i++)
		if (!(harmful && j->candidate[i].is_harmless) && j->own_s[i] < limit_s &&
		    (best == TMAP_NONE || j->own_s[i] < j->own_s[best]))
			best = i;
	return best;
}

void tmap_judging_fill_others(struct tmap_robust_other other[TMAP_ROBUST_OTHERS],
			      const struct tmap_judging *j, int taken)
{
	int searched = searched_best(j, true, j->own_s[taken] * (1 - 1e-9));

	if (searched == TMAP_NONE)
		searched = searched_best(j, false, INFINITY);
	for (int i = TMAP_ROBUST_BLOCK; i <= TMAP_ROBUST_CYCLIC; i++)
		other_fill(&other[i], j, 1 + i, taken);
	if (searched != TMAP_NONE)
		other_fill(&other[TMAP_ROBUST_SEARCHED], j, searched, taken);
}
