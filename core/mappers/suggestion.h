/*
 * suggestion.h - a job as it is and as a mapper would have it, with the figures of both.
 */
#ifndef TM_SUGGESTION_H
#define TM_SUGGESTION_H

#include "core/mappers/figures.h"
#include "core/mappers/mapper.h"

struct tm_suggestion {
	const struct tm_placement *before; /**< borrowed: must outlive the suggestion */
	struct tm_placement after;
	int mapper;          /**< row of tm_mappers that was asked for */
	bool is_kept;        /**< every rank stays where it is: nothing is gained otherwise */
	int *place_of;       /**< [size]: rank r takes the place of rank place_of[r] */
	struct tm_levels levels;
	struct tm_figures figures_before, figures_after;
};

/** Ask a mapper; where it makes the ring of ranks no cheaper, nobody moves. What was measured
 *  on the running job (its date, the PUs last run on) does not go into the new placement;
 *  the origin says @p by. O(p x (steps + levels)) and the mapper's own time. */
int tm_suggestion_init(struct tm_suggestion *suggestion, const struct tm_placement *p, int mapper,
		       const char *by, struct tm_error *err);
void tm_suggestion_fini(struct tm_suggestion *suggestion);

/** The part of the ring's cost that is saved: 0 to 1. */
double tm_suggestion_gain(const struct tm_suggestion *suggestion);

#endif
