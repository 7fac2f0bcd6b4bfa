/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sha256.h - SHA-256 (FIPS 180-4), by which the node leaders of a job compare what they
 * would send before they send it. No two inputs with one SHA-256 are known, so equal digests
 * are taken as equal content.
 */
#ifndef TMAP_MPI_PROBE_SHA256_H
#define TMAP_MPI_PROBE_SHA256_H

#include <stddef.h>

struct tmap_digest {
	unsigned char byte[32];
};

/** The digest of @p length bytes. O(length), no allocation. */
void tmap_digest_of(struct tmap_digest *digest, const void *data, size_t length);

#endif
