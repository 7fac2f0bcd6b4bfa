/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * burst.h - how long a pattern takes that is sent at once: one round of the clock of core/cost/cost.h, in
 * which all ranks begin together.
 *
 *     rank 0      1: 800 B   2: 10 B        a row leaves, message after message ...
 *     rank 1      0: 790 B                  ... and links have what crosses them: first pass
 *     rank 2      0:   7 B                  ... and each rank what comes to it: second pass
 *
 * Nothing went before, so that a rank has neither a clock nor a port of its own: what it receives is added
 * up, and what it sends is known from its row. That is the clock's time to the last bit, without a list of
 * messages.
 */
#ifndef TMAP_CORE_MAP_BURST_H
#define TMAP_CORE_MAP_BURST_H

#include "core/map/alike.h"

/** *seconds = the time of the last rank. Each sends what its row has to its neighbours in the grid
 *  @p order first (NULL: by number), in whole bytes; what everyone sends to everyone comes on top as
 *  all pairs do. Refuses sums above 2^63 - 1 bytes (TMAP_INPUT). O(entries x (steps + links) +
 *  objects) time; 40 bytes a rank, and 200 for each entry of the longest row. With @p alike, which says
 *  which ranks are alike or learns it here, whichever the costs, that of core/map/alike.h where they
 *  are. */
int tmap_burst_seconds(double *seconds, struct tmap_cost_model *model,
		       const struct tmap_pattern *pattern, const struct tmap_neighborhood *order,
		       struct tmap_alike *alike, struct tmap_error *err);

#endif
