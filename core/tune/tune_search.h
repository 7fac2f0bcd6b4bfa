/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tune_search.h - from which size on which algorithm is to be taken.
 *
 *     bytes    1   2   4   8  16  32  64 ...
 *     best     a   a   a   b   b   a   c
 *                       |          |  |      where a is no longer about as good as the best, the size
 *                       6         40  55     between the two from which on that is so is found by halves
 */
#ifndef TMAP_CORE_TUNE_TUNE_SEARCH_H
#define TMAP_CORE_TUNE_TUNE_SEARCH_H

#include "core/tune/tuning.h"

/** Fill in the steps of a list, whose unit, ranks and place_count are set, for its places, at sizes up to
 *  @p most. Time: of a schedule for each choice and each power of two of sizes, but for those that
 *  are hopeless, and some ten more for each step. */
int tmap_tune_list_search(struct tmap_tune_list *list, const struct tmap_tune_choices *choices,
			  struct tmap_tune_place *const *place, int64_t most,
			  struct tmap_error *err);

#endif
