/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * calibrated_profile.h - what a calibrator has found, as a profile with what it owns.
 *
 *     a distance's pieces          a row each, eager or rendezvous by where messages begin to wait
 *     its points                   as they were measured
 *     what objects let through     an entry for all nodes where these are alike within 10 %; else
 *                                  one for each group of nodes that are
 */
#ifndef TMAP_CORE_MEASURE_CALIBRATED_PROFILE_H
#define TMAP_CORE_MEASURE_CALIBRATED_PROFILE_H

#include "core/measure/calibrator.h"

struct tmap_calibrated_profile {
	struct tmap_profile profile;
	struct tmap_calibration calibration; /**< the profile's; what a check fills in is 0 */
	struct tmap_profile_row *row;
	struct tmap_profile_point *point;
	struct tmap_profile_link *link, *adapter, *memory;
	size_t link_capacity, adapter_capacity, memory_capacity;
	char **text; /**< [text_count] that the entries name */
	size_t text_count, text_capacity;
};

/** @p found must outlive it, as its notes are borrowed; *made must not move. */
int tmap_calibrated_profile_init(struct tmap_calibrated_profile *made,
				 const struct tmap_calibrator *found, struct tmap_error *err);

/** Notes and variation have been added to what was found: the profile has them, too, in wider intervals. */
void tmap_calibrated_profile_renew(struct tmap_calibrated_profile *made,
				   const struct tmap_calibrator *found);
void tmap_calibrated_profile_fini(struct tmap_calibrated_profile *made);

#endif
