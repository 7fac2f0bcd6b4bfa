/* SPDX-License-Identifier: BSD-3-Clause */
/* What the reports of trees and rings want to know of their distances. */
#include "lib/handles.h"

/* Whose latencies they are; NULL: no one's. */
static const struct tmap_profile *profile_of(const struct topomap_distances *distances)
{
	return tmap_scale_rows[distances->scale].by_profile ? &distances->costs : NULL;
}

int tmap_public_view(struct tmap_view *view, const struct topomap_distances *distances,
		     const char *title, struct tmap_error *err)
{
	if (!distances->placement)
		return tmap_fail(err, TMAP_USAGE,
				 "of distances that were measured only json is written");
	*view = (struct tmap_view){ .placement = &distances->placement->placement,
				    .title = title,
				    .scale = (int)distances->scale,
				    .world = distances->placement->placement.world,
				    .profile = profile_of(distances) };
	return 0;
}

struct tmap_report tmap_public_report(const struct topomap_distances *distances)
{
	const struct tmap_placement *p = distances->placement ? &distances->placement->placement :
								NULL;

	return (struct tmap_report){ .scale = tmap_scale_rows[distances->scale].word.name,
				     .world = p ? p->world : NULL,
				     .placement = p,
				     .profile = profile_of(distances) };
}
