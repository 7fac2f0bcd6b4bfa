/*
 * guided_library.h - the answers of the libraries; the part of core/group/guided.c that
 * knows them.
 */
#ifndef TMAP_CORE_GROUP_GUIDED_LIBRARY_H
#define TMAP_CORE_GROUP_GUIDED_LIBRARY_H

#include "core/group/guided.h"
#include "core/group/sharing.h"

/** Set guided->openmpi, or overlaps and overlap[]. */
int tmap_guided_openmpi(struct tmap_guided *guided, const struct tmap_placement *p,
			const struct tmap_partition *objects, const struct tmap_sharing *sharing,
			struct tmap_error *err);

/** Set guided->mpich. */
int tmap_guided_mpich(struct tmap_guided *guided, const struct tmap_placement *p,
		      const struct tmap_partition *objects, struct tmap_error *err);

#endif
