/*
 * grant.h - what the system grants a rank of its node: the PUs that it may run on and the
 * memory. Ranks that are bound alike, and nodes that are filled alike, share grants.
 */
#ifndef TM_GRANT_H
#define TM_GRANT_H

#include "core/base/idset.h"
#include "mpi_probe/bytes.h"

struct tm_grant {
	bool bound;             /**< false: it is all that the job may use of the node */
	struct tm_idset pus;    /**< OS indexes, not empty */
	struct tm_idset memory; /**< OS indexes of NUMA nodes; empty where unknown */
};

void tm_grant_fini(struct tm_grant *grant);
void tm_grants_free(struct tm_grant *grant, int count);

/** A total order: by the PUs, then the memory, then bound or not. */
int tm_grant_compare(const struct tm_grant *a, const struct tm_grant *b);

void tm_grant_pack(struct tm_bytes *bytes, const struct tm_grant *grant);
/** *grant must be zeroed; tm_grant_fini() it in any case. */
int tm_grant_unpack(struct tm_grant *grant, struct tm_cursor *cursor, struct tm_error *err);

#endif
