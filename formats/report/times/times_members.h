/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * times_members.h - members that all documents of measured times have.
 *
 *     {"kind": KIND, "placement": .., "mpi": .., "date": .., "sync": .., "clock": .., "seed": ..,
 *      "interrupted": .., "experiments": [{.., "seconds": {..}, "raw": [..]}]}
 *
 * Functions return 0, or -1 with a sentence that names the member (TMAP_INPUT).
 */
#ifndef TMAP_FORMATS_REPORT_TIMES_TIMES_MEMBERS_H
#define TMAP_FORMATS_REPORT_TIMES_TIMES_MEMBERS_H

#include "core/base/keyword.h"
#include "core/measure/times.h"
#include "formats/json/json.h"

/** All but the experiments of a document of that kind. On failure *job is the caller's to
 *  tmap_times_fini(), too. */
int tmap_json_get_measured_job(const struct tmap_json *doc, const char *kind,
			       struct tmap_times *job, struct tmap_error *err);

/** Printable text; *text is the caller's to free. */
int tmap_json_get_plain(const struct tmap_json *in, const char *member, char **text,
			struct tmap_error *err);

/** The row of a table that the text names. */
int tmap_json_get_keyword(const struct tmap_json *in, const char *member,
			  const struct tmap_keywords *words, int *row, struct tmap_error *err);

/** A whole number, @p least or more. */
int tmap_json_get_int64(const struct tmap_json *in, const char *member, int64_t least,
			int64_t *number, struct tmap_error *err);

/** A time, @p least or more, and up to a century. */
int tmap_json_get_time(const struct tmap_json *in, const char *member, double least, double *number,
		       struct tmap_error *err);

/** The member "seconds": all but the outliers. Quartiles rise, and an interval is around the median. */
int tmap_json_get_seconds(const struct tmap_json *in, struct tmap_sample_statistics *it,
			  struct tmap_error *err);

/** Times, each 0 or up to a century: *number is as long as the list, and the caller's to free. */
int tmap_json_get_times(const struct tmap_json *list, double **number, struct tmap_error *err);

#endif
