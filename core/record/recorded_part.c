/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/record/recorded_part.h"

int tmap_recorded_part_init(struct tmap_recorded_part *part, const struct tmap_record *record,
			    int communicator, struct tmap_error *err)
{
	const struct tmap_recorded_communicator *it = &record->communicator[communicator];

	*part = (struct tmap_recorded_part){ 0 };
	if (tmap_placement_select(&part->placement, &record->placement, it->rank, it->size, err) <
	    0)
		return -1;
	if (tmap_order_find(&part->order, &part->placement, err) == 0 &&
	    tmap_metric_init(&part->metric, &part->placement, TMAP_SCALE_PROCESS, err) == 0)
		return 0;
	tmap_recorded_part_fini(part);
	return -1;
}

void tmap_recorded_part_fini(struct tmap_recorded_part *part)
{
	tmap_metric_fini(&part->metric);
	tmap_placement_fini(&part->placement);
	*part = (struct tmap_recorded_part){ 0 };
}
