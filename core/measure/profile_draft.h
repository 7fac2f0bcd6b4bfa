/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * profile_draft.h - a cost profile in the making, from what other programs measured.
 *
 *     a published profile, or nothing      as it is
 *     times of messages at distance 7      become at most three lines, instead of what was there
 *     lines that are known, at distance 1  likewise
 *     bytes a second of memory             set in draft.profile
 */
#ifndef TMAP_CORE_MEASURE_PROFILE_DRAFT_H
#define TMAP_CORE_MEASURE_PROFILE_DRAFT_H

#include "core/base/string.h"
#include "core/cost/profile.h"
#include "core/measure/piecewise.h"

struct tmap_profile_draft {
	struct tmap_profile profile; /**< borrows the lists of adapters and links that it began with,
					  its texts, and what follows */
	struct tmap_profile_row *row;
	struct tmap_profile_point *point;
	size_t row_capacity, point_capacity;
	int tables; /**< of one distance, that were fitted together; whoever reads them says so */
	int bandwidth_tables; /**< beside them, of the same file */
};

/** Begin with *base, which must outlive it; NULL: with nothing. It is no published profile and has
 *  no calibration. */
int tmap_profile_draft_init(struct tmap_profile_draft *draft, const struct tmap_profile *base,
			    struct tmap_error *err);
void tmap_profile_draft_fini(struct tmap_profile_draft *draft);

/** The @p count rows, 1 to TMAP_PIECES_MAX, are those of @p distance, instead of what is there, with the
 *  overhead of the first one; so are @p points. Costs too small for a profile become 0, and those that are too
 *  large are refused (TMAP_INPUT). O(rows + points). */
int tmap_profile_draft_put(struct tmap_profile_draft *draft, int distance,
			   const struct tmap_profile_row *row, int count,
			   const struct tmap_fit_point *point, int points, struct tmap_error *err);

/** A message of @p distance costs either rank so much of its time, as far as all latencies there have
 *  that of both in them; returns how many rows are of it. O(rows). */
int tmap_profile_draft_set_overhead(struct tmap_profile_draft *draft, int distance,
				    double overhead_s);

/** Fit @p count points, in any order, and put what comes of it: the points and at most three pieces, one
 *  of which begins at @p eager, the first size that is not sent eagerly; 0: not known. Of more points than are
 *  fitted (TMAP_FIT_POINTS_MAX) every second one is left out, and so on. @p overhead_s is
 *  as above. TMAP_INPUT as tmap_piecewise_fit(). */
int tmap_profile_draft_fit(struct tmap_profile_draft *draft, int distance,
			   const struct tmap_fit_point *point, int count, int64_t eager,
			   double overhead_s, struct tmap_error *err);

#endif
