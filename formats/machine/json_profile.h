/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json_profile.h - the cost profile document.
 *
 *     {"kind": "profile", "format": 1, "name": "ours", "source": "measured on a Tuesday",
 *      "rows": [{"distance": 1, "latency_s": 4e-07, "bytes_per_s": 6e9},
 *               {"distance": 7, "below_bytes": 8192, "latency_s": 1.5e-06},
 *               {"distance": 7, "latency_s": 5e-06, "bytes_per_s": 1.1e10}],
 *      "memory_bytes_per_s": 1e11, "adapter_bytes_per_s": 1.2e10, "overhead_s": 2e-07,
 *      "copy_bytes_per_s": 1.5e10, "reduce_bytes_per_s": 8e9,
 *      "links": [{"level": "package", "bytes_per_s": 6.4e10}]}
 *
 * Bandwidths that are absent cost nothing; a row without below_bytes is for any size.
 */
#ifndef TMAP_FORMATS_MACHINE_JSON_PROFILE_H
#define TMAP_FORMATS_MACHINE_JSON_PROFILE_H

#include "core/cost/profile.h"

#include <stddef.h>

/** A profile with what it owns, where it does not come from the table of published ones. */
struct tmap_profile_request {
	struct tmap_profile profile;
	char *name, *source;
	struct tmap_profile_row *row;
	struct tmap_profile_link *link; /**< with owned names */
};

/** The published profile called @p name, or the one that the document @p name holds. Release
 *  with tmap_profile_request_fini(). A name that is neither gives the names of those
 *  published (TMAP_USAGE). */
int tmap_profile_choose(struct tmap_profile_request *choice, const char *name,
			struct tmap_error *err);

/** The document that @p length bytes hold; @p name is what messages call it. */
int tmap_profile_parse(struct tmap_profile_request *choice, const char *text, size_t length,
		       const char *name, struct tmap_error *err);
void tmap_profile_request_fini(struct tmap_profile_request *choice);

#endif
