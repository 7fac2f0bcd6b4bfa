/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clock_model.h - what another clock shows, from one's own: an offset and a drift, learnt from
 * messages there and back.
 *
 *     other     ---------- other_ns ----------       sent: it shows other_ns at most
 *                         /        \                 received: at least, whatever the ways took
 *     own       ---- sent_ns    received_ns --
 *
 *     offset    |      .----o-----o
 *               |  o--'  o                           a line through the middles of several: those
 *               +--------------------- own           that took longest count least
 *
 * Clocks of computers run steadily over seconds, and some 10 parts in a million apart. A drift of
 * more than about 100 is therefore not believed before the exchanges prove it: a line through few
 * that are close together would go anywhere. (HCA3: Hunold and Carpen-Amarie, "Hierarchical Clock
 * Synchronization in MPI", IEEE Cluster 2018; bounds by causality: Duda et al., "Estimating Global
 * Time in Distributed Systems", 1987.)
 *
 * Times are nanoseconds since whenever a clock began, below 2^62.
 */
#ifndef TMAP_CORE_MEASURE_CLOCK_MODEL_H
#define TMAP_CORE_MEASURE_CLOCK_MODEL_H

#include <stddef.h>
#include <stdint.h>

struct tmap_clock_exchange {
	int64_t sent_ns, other_ns, received_ns; /**< sent_ns <= received_ns */
};

/** At own_ns the other clock shows other_ns, and gains drift * 1 ns in each of ours. All 0: it shows
 *  the same. */
struct tmap_clock_model {
	int64_t own_ns, other_ns;
	double drift;
};

/** Of @p count > 0 exchanges the one that took least. O(count). */
struct tmap_clock_exchange tmap_clock_shortest(const struct tmap_clock_exchange *exchange,
					       size_t count);

/** The model of @p count > 0 exchanges. O(count). */
struct tmap_clock_model tmap_clock_fit(const struct tmap_clock_exchange *exchange, size_t count);

/** What the other clock shows at @p own_ns, and one's own when the other one shows @p other_ns. */
int64_t tmap_clock_to_other(const struct tmap_clock_model *model, int64_t own_ns);
int64_t tmap_clock_to_own(const struct tmap_clock_model *model, int64_t other_ns);

/** By how many ns the model is wrong at most, between the first and the last of @p count > 0
 *  exchanges, in order: those that made it, later ones, or both. That holds whatever the ways took
 *  if both clocks run steadily meanwhile, and at each exchange in any case; of one exchange it is
 *  half of the time that it took or more. O(count). */
int64_t tmap_clock_error(const struct tmap_clock_model *model,
			 const struct tmap_clock_exchange *exchange, size_t count);

#endif
