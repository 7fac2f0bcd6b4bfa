/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json_profile.h - the cost profile document.
 *
 *     {"kind": "profile", "format": 1, "name": "ours", "title": "our cluster",
 *      "source": "measured on a Tuesday", "date": "2026-03-10", "overhead_s": 2e-07,
 *      "distances": [
 *        {"distance": 1, "copier": "receiver",
 *         "pieces": [{"from_bytes": 0, "latency_s": 4e-07, "byte_s": 1.6e-10}]},
 *        {"level": "switch1",
 *         "pieces": [{"from_bytes": 0, "latency_s": 1.5e-06, "protocol": "eager"},
 *                    {"from_bytes": 8192, "latency_s": 5e-06, "byte_s": 9e-11,
 *                     "protocol": "rendezvous", "residual": 0.04, "r2": 0.998,
 *                     "latency_ci": [4.8e-06, 5.3e-06], "byte_ci": [8.9e-11, 9.1e-11]}],
 *         "points": [[0, 1.4e-06], [16384, 6.5e-06], [20000, 0.0031, "outlier"]]}],
 *      "adapters": [{"device": "mlx5", "each": true, "bytes_per_s": 1.2e10,
 *                    "messages_per_s": 1e8}],
 *      "memory": [{"cores": 48, "bytes_per_s": 1.7e11}],
 *      "links": [{"level": "package", "bytes_per_s": 6.4e10, "both_ways": true},
 *                {"level": "switch1", "oversubscription": 2}],
 *      "copy_byte_s": 7e-11, "reduce_byte_s": 1.2e-10, "datatype_byte_s": 2e-10,
 *      "shared_core_s": 1e-05,
 *      "calibration": {"placement": "3f2a...", "mpi": "Open MPI 4.1.4", "rho": 0.97,
 *                      "regret": 1.02, "collectives": 20, "choices": 20, "choices_near": 19,
 *                      "worst_regret": 1.08, "largest_ratio": 1.2, "variation": 1.03, "quiet": true,
 *                      "seconds": 18.2, "notes": ["rank 3 answers 40 times slower ..."]}}
 *
 * What is absent costs nothing. Older documents have "rows" instead of "distances", each with
 * distance, below_bytes, latency_s and bytes_per_s, and copy_bytes_per_s, reduce_bytes_per_s,
 * memory_bytes_per_s and adapter_bytes_per_s; they are read for ever.
 */
#ifndef TMAP_FORMATS_MACHINE_JSON_PROFILE_H
#define TMAP_FORMATS_MACHINE_JSON_PROFILE_H

#include "core/cost/profile.h"
#include "core/machine/placement.h"

#include <stddef.h>
#include <stdio.h>

/** A profile with what it owns, where it does not come from the table of published ones. */
struct tmap_profile_request {
	struct tmap_profile profile;
	struct tmap_calibration *calibration;
	const char **note; /**< the calibration's; the texts are among text[] */
	struct tmap_profile_row *row;
	struct tmap_profile_point *point;
	size_t point_capacity;
	struct tmap_profile_link *link, *adapter, *memory;
	char **text; /**< [text_count]: every text in them */
	size_t text_count, text_capacity;
};

/** The published profile called @p name, or the one that the document @p name holds; NULL: the one
 *  for @p machine (core/cost/profile_choice.h), from which it may borrow a name. Release
 *  with tmap_profile_request_fini(). A name that is neither gives the names of those
 *  published (TMAP_USAGE). Levels that are none are refused; the headings of @p machine are levels,
 *  too; NULL: none is known. */
int tmap_profile_choose(struct tmap_profile_request *choice, const char *name,
			const struct tmap_machine *machine, struct tmap_error *err);

/** The document that @p length bytes hold; @p name is what messages call it. */
int tmap_profile_parse(struct tmap_profile_request *choice, const char *text, size_t length,
		       const char *name, const struct tmap_machine *machine,
		       struct tmap_error *err);
void tmap_profile_request_fini(struct tmap_profile_request *choice);

/** Write the document in its present form; what tmap_profile_choose() reads of it is the same
 *  profile. Refuses more rows or points of one distance, or notes, than a
 *  document has (TMAP_PROFILE_PIECES_MAX ...). */
int tmap_profile_write_json(const struct tmap_profile *profile, FILE *out, struct tmap_error *err);

/** The same with the placement that it was measured on, as member "placement". */
int tmap_profile_write_json_measured(const struct tmap_profile *profile,
				     const struct tmap_placement *placement, FILE *out,
				     struct tmap_error *err);

#endif
