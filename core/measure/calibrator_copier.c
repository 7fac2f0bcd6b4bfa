/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/measure/calibrator.h"

#include <math.h>

/* Of the largest message that part. */
enum { LARGE_PART = 4 };

/* Two ranks at that distance from @p rank, of which one is @p other; the second is TMAP_NONE where there is no
 * other and both are on one node. */
static bool partners_find(const struct tmap_calibrator *it, int distance, int rank, int other,
			  int partner[2])
{
	int found = 0;

	partner[found++] = other;
	for (int r = 0; r < it->process->size && found < 2; r++)
		if (r != rank && r != other &&
		    (int)tmap_metric_distance(it->process, rank, r) == distance)
			partner[found++] = r;
	if (found < 2)
		partner[1] = TMAP_NONE;
	return found == 2 || distance < TMAP_PROFILE_OTHER_NODE;
}

/* Who copies: what of these takes twice as long as one message.
 *
 *                 two from one   two to one   one each way
 *     receiver         1             2             1
 *     sender           2             1             1
 *     both             2             2             2
 *     neither          2             2             1      what they share is the adapter
 */
static const struct {
	enum tmap_copier copier;
	double out, in, both;
} copier_rows[] = {
	{ TMAP_COPIER_RECEIVER, 1, 2, 1 },
	{ TMAP_COPIER_SENDER, 2, 1, 1 },
	{ TMAP_COPIER_SHARED, 2, 2, 2 },
	{ TMAP_COPIER_ADAPTER, 2, 2, 1 },
};

/* Further from its row than that, as a logarithm, it is not known. */
static const double copier_most = 0.35;

static enum tmap_copier copier_of(double out, double in, double both)
{
	enum tmap_copier best = TMAP_COPIER_UNKNOWN;
	double least = copier_most;

	for (size_t i = 0; i < sizeof copier_rows / sizeof *copier_rows; i++) {
		double off = fmax(fabs(log(out / copier_rows[i].out)),
				  fmax(fabs(log(in / copier_rows[i].in)),
				       fabs(log(both / copier_rows[i].both))));

		if (off < least) {
			least = off;
			best = copier_rows[i].copier;
		}
	}
	return best;
}

/* What the bytes of a trial take: without what messages of none do. */
static int trial_measure(struct tmap_calibrator *it, const struct tmap_trial *trial,
			 double *bytes_s, struct tmap_error *err)
{
	struct tmap_trial none = *trial;
	double all, start;

	none.bytes = 0;
	if (tmap_calibrator_time(it, trial, &all, err) < 0 ||
	    tmap_calibrator_time(it, &none, &start, err) < 0)
		return -1;
	*bytes_s = all - start;
	return 0;
}

/* The same of two ranks of a node that are alone at their distance: one way, and each way at once, which takes
 * twice as long only where both copy. Which of the others it is they cannot tell. */
static int exchange_measure(struct tmap_calibrator *it, int a, int b, int64_t bytes,
			    enum tmap_copier *copier, struct tmap_error *err)
{
	struct tmap_trial trial = { .kind = TMAP_TRIAL_AT_ONCE,
				    .bytes = bytes,
				    .window = 1,
				    .repetitions = 5,
				    .count = 1,
				    .from = { a, b },
				    .to = { b, a } };
	double one, both;

	if (trial_measure(it, &trial, &one, err) < 0)
		return -1;
	trial.count = 2;
	if (trial_measure(it, &trial, &both, err) < 0)
		return -1;
	if (one > 0 && both > 0 && fabs(log(both / one / 2)) < copier_most)
		*copier = TMAP_COPIER_SHARED;
	return 0;
}

/* Messages of so many bytes between rank @p a and its partners; of one the second is TMAP_NONE. */
static int copier_measure(struct tmap_calibrator *it, int a, const int partner[2], int64_t bytes,
			  enum tmap_copier *copier, struct tmap_error *err)
{
	struct tmap_trial trial = { .kind = TMAP_TRIAL_AT_ONCE,
				    .bytes = bytes,
				    .window = 1,
				    .repetitions = 5,
				    .count = 1,
				    .from = { a, a },
				    .to = { partner[0], partner[1] } };
	double one, out, in, both;

	if (partner[1] == TMAP_NONE)
		return exchange_measure(it, a, partner[0], bytes, copier, err);
	if (trial_measure(it, &trial, &one, err) < 0)
		return -1;
	trial.count = 2;
	if (trial_measure(it, &trial, &out, err) < 0)
		return -1;
	for (int i = 0; i < 2; i++) {
		trial.from[i] = partner[i];
		trial.to[i] = a;
	}
	if (trial_measure(it, &trial, &in, err) < 0)
		return -1;
	trial.from[1] = a;
	trial.to[1] = partner[0];
	if (trial_measure(it, &trial, &both, err) < 0)
		return -1;
	if (one > 0 && out > 0 && in > 0 && both > 0)
		*copier = copier_of(out / one, in / one, both / one);
	return 0;
}

int tmap_calibrator_find_copier(struct tmap_calibrator *it,
				struct tmap_calibration_distance *distance, struct tmap_error *err)
{
	int64_t bytes = distance->largest / LARGE_PART, border = distance->eager_before;
	int k = 0, a, partner[2];

	while (distance->is_left_out[k])
		k++;
	a = distance->pairs.a[k];
	if (!partners_find(it, distance->pairs.distance, a, distance->pairs.b[k], partner))
		return 0;
	if (bytes >= border &&
	    copier_measure(it, a, partner, bytes, &distance->rendezvous_copier, err) < 0)
		return -1;
	if (border <= 1)
		return 0;
	return copier_measure(it, a, partner, bytes < border ? bytes : border - 1,
			      &distance->eager_copier, err);
}
