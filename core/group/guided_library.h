/*
 * guided_library.h - the answers of the libraries; the part of core/group/guided.c that
 * knows them.
 */
#ifndef TM_GUIDED_LIBRARY_H
#define TM_GUIDED_LIBRARY_H

#include "core/group/guided.h"
#include "core/group/sharing.h"

/** Set guided->openmpi, or overlaps and overlap[]. */
int tm_guided_openmpi(struct tm_guided *guided, const struct tm_placement *p,
		      const struct tm_instances *objects, const struct tm_sharing *sharing,
		      struct tm_error *err);

/** Set guided->mpich. */
int tm_guided_mpich(struct tm_guided *guided, const struct tm_placement *p,
		    const struct tm_instances *objects, struct tm_error *err);

#endif
