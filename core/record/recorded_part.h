/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recorded_part.h - the ranks of a communicator of the record, as algorithms on it see them: their places,
 * how far they are from each other, and in which order they fill their nodes.
 */
#ifndef TMAP_CORE_RECORD_RECORDED_PART_H
#define TMAP_CORE_RECORD_RECORDED_PART_H

#include "core/distance/distance.h"
#include "core/machine/order.h"
#include "core/record/record.h"

struct tmap_recorded_part {
	struct tmap_placement placement;
	struct tmap_metric metric; /**< of process distances */
	struct tmap_order order;   /**< libraries choose by it */
};

/** The record must outlive it, and it stays where it is. O(its ranks + nodes). */
int tmap_recorded_part_init(struct tmap_recorded_part *part, const struct tmap_record *record,
			    int communicator, struct tmap_error *err);
void tmap_recorded_part_fini(struct tmap_recorded_part *part);

#endif
