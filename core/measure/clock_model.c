/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/measure/clock_model.h"

#include <math.h>

/* How far apart clocks of computers usually run, and what an exchange errs by at least. */
#define USUAL_DRIFT 1e-4
#define LEAST_ERROR_NS 100.0

static int64_t exchange_took(const struct tmap_clock_exchange *it)
{
	return it->received_ns - it->sent_ns;
}

static int64_t exchange_middle(const struct tmap_clock_exchange *it)
{
	return it->sent_ns + exchange_took(it) / 2;
}

struct tmap_clock_exchange tmap_clock_shortest(const struct tmap_clock_exchange *exchange,
					       size_t count)
{
	size_t best = 0;

	for (size_t i = 1; i < count; i++)
		if (exchange_took(&exchange[i]) < exchange_took(&exchange[best]))
			best = i;
	return exchange[best];
}

/* What is common to all ways is no noise: an exchange is noisy by what it took longer than the
 * shortest. */
static double exchange_weight(const struct tmap_clock_exchange *it, int64_t shortest)
{
	double noise =
		(double)(exchange_took(it) - shortest) / 2 + (double)shortest / 16 + LEAST_ERROR_NS;

	return 1 / (noise * noise);
}

struct tmap_clock_model tmap_clock_fit(const struct tmap_clock_exchange *exchange, size_t count)
{
	const struct tmap_clock_exchange best = tmap_clock_shortest(exchange, count);
	const int64_t own = exchange_middle(&best), offset = best.other_ns - own;
	double weights = 0, time = 0, error = 0, spread = 0, product = 0, drift;

	/* both from the best one, so that they are small numbers */
	for (size_t i = 0; i < count; i++) {
		const struct tmap_clock_exchange *it = &exchange[i];
		double weight = exchange_weight(it, exchange_took(&best));
		int64_t middle = exchange_middle(it);

		weights += weight;
		time += weight * (double)(middle - own);
		error += weight * (double)(it->other_ns - middle - offset);
	}
	time /= weights;
	error /= weights;
	for (size_t i = 0; i < count; i++) {
		const struct tmap_clock_exchange *it = &exchange[i];
		double weight = exchange_weight(it, exchange_took(&best));
		int64_t middle = exchange_middle(it);
		double at = (double)(middle - own) - time;

		spread += weight * at * at;
		product += weight * at * ((double)(it->other_ns - middle - offset) - error);
	}
	drift = product / (spread + 1 / (USUAL_DRIFT * USUAL_DRIFT));
	return (struct tmap_clock_model){ .own_ns = own,
					  .other_ns = own + offset + llround(error - drift * time),
					  .drift = drift };
}

int64_t tmap_clock_to_other(const struct tmap_clock_model *model, int64_t own_ns)
{
	int64_t since = own_ns - model->own_ns;

	return model->other_ns + since + llround(model->drift * (double)since);
}

int64_t tmap_clock_to_own(const struct tmap_clock_model *model, int64_t other_ns)
{
	int64_t since = other_ns - model->other_ns;

	return model->own_ns + since - llround(model->drift / (1 + model->drift) * (double)since);
}

int64_t tmap_clock_error(const struct tmap_clock_model *model,
			 const struct tmap_clock_exchange *exchange, size_t count)
{
	int64_t error = 0;

	for (size_t i = 0; i < count; i++) {
		const struct tmap_clock_exchange *it = &exchange[i];
		int64_t behind = it->other_ns - tmap_clock_to_other(model, it->sent_ns);
		int64_t ahead = tmap_clock_to_other(model, it->received_ns) - it->other_ns;

		error = behind > error ? behind : error;
		error = ahead > error ? ahead : error;
	}
	return error;
}
