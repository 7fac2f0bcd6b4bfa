/*
 * digest_group.h - which of many equal things to send: one of each.
 */
#ifndef TM_DIGEST_GROUP_H
#define TM_DIGEST_GROUP_H

#include "core/base/error.h"
#include "mpi_probe/sha256.h"

/** Number the distinct digests in order of first appearance: group[i] for each of @p count,
 *  first[g] the smallest i of group g (both the caller's, [count]). Returns the number of
 *  groups, or -1 with *err set. O(count log count). */
int tm_digest_group(const struct tm_digest *digest, int count, int *group, int *first,
		    struct tm_error *err);

#endif
