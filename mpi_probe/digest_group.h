/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * digest_group.h - which of many equal things to send: one of each.
 */
#ifndef TMAP_MPI_PROBE_DIGEST_GROUP_H
#define TMAP_MPI_PROBE_DIGEST_GROUP_H

#include "core/base/error.h"
#include "mpi_probe/sha256.h"

/** Number the distinct digests in order of first appearance: group[i] for each of @p count,
 *  first[g] the smallest i of group g (both the caller's, [count]). Returns the number of
 *  groups, or -1 with *err set. O(count log count). */
int tmap_digest_group(const struct tmap_digest *digest, int count, int *group, int *first,
		      struct tmap_error *err);

#endif
