/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * forms.h - the forms of a collective on one placement: by lanes, by one leader a node, and as
 * the algorithms of the catalogue have it; what each moves, and what it gains of the adapters.
 *
 *     bcast of 1 MiB, 2 adapters a node   busiest node   adapter     one adapter   two
 *     lane                                1 MiB          512 KiB     571 us        430 us
 *     lane,lanes=1                        1 MiB          1 MiB       1.6 ms        1.6 ms
 *
 * The time is that of the cost profile, as core/cost/cost.h has it for the same algorithm: numbers
 * of a node are those of all its adapters, numbers of each adapter hold for every one. Where a
 * number of adapters is assumed, those numbers are one adapter's, and the adapter's part takes as
 * much less as the busiest adapter carries less than the node does. That is the speed-up to expect
 * of lanes. (Traeff and Hunold, section III.)
 */
#ifndef TMAP_CORE_GUIDELINES_FORMS_H
#define TMAP_CORE_GUIDELINES_FORMS_H

#include "core/base/progress.h"
#include "core/cost/profile.h"
#include "core/group/adapters.h"
#include "core/guidelines/volume.h"
#include "core/score/others.h"

/** What is asked. */
struct tmap_forms_request {
	enum tmap_collective collective; /**< no barrier, none with neighbours */
	int64_t bytes;                   /**< the size that the MPI call names */
	int64_t element;                 /**< bytes of an element; 0: as of struct tmap_call */
	int root;                        /**< where the collective has one; else 0 */
	int lanes;                    /**< also this number of virtual lanes; TMAP_NONE: no other */
	int adapters;                 /**< so many on each node; TMAP_NONE: those that are known */
	const char *const *algorithm; /**< "lane,lanes=2"; [algorithm_count], borrowed */
	size_t algorithm_count;       /**< 0: all rows of the catalogue, and lanes of several
					   numbers */
	bool over_lanes;              /**< of these rows those alone that have lanes */
	const struct tmap_profile *profile;
	struct tmap_progress *progress; /**< gets a report a form; NULL, which is kept:
					  nobody waits */
};

struct tmap_form {
	struct tmap_call call;
	char *name;
	char *reason; /**< why it cannot run here; NULL where it can */
	struct tmap_volume volume;
	double seconds;      /**< one adapter a node */
	double lane_seconds; /**< those that there are, as the profile has them; or
				  the assumed ones */
	double spread;       /**< bytes of the busiest node over those of the busiest adapter */
};

struct tmap_forms {
	const struct tmap_placement *placement; /**< borrowed */
	struct tmap_forms_request request;      /**< borrowed inside */
	struct tmap_metric metric;
	struct tmap_lanes lanes; /**< of the split, whose ranks all drive adapters */
	int adapters;            /**< of the node with most of them; at least 1 */
	bool is_known;           /**< they are in the placement, or were asked for */
	bool gains;              /**< several of a node are faster than one by this profile */
	struct tmap_volume least;
	int count, applicable;
	struct tmap_form *form; /**< [count], fastest first; the others last */
};

/** Weigh all forms. Refuses a barrier and collectives with neighbours, roots that are not ranks,
 *  and what tmap_call_parse() refuses. The forms stay where they are: their calls point into them.
 *  Time of two costs and one volume a form. */
int tmap_forms_init(struct tmap_forms *forms, const struct tmap_placement *placement,
		    const struct tmap_forms_request *request, struct tmap_error *err);
void tmap_forms_fini(struct tmap_forms *forms);

/** Which of these would be fastest by every published profile with other costs. Time of as many
 *  weighings. */
int tmap_others_of_forms(struct tmap_others *others, const struct tmap_forms *forms,
			 struct tmap_error *err);

#endif
