/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record_json.h - the record document, written beside read.
 *
 *     {"kind": "record", "format": 1, "placement": {...}, "program": "lmp", "mpi": ..., "date": ...,
 *      "seconds": 12.5,
 *      "point_to_point": {"rows": [{"offsets": [1, 8], "messages": [2, 2], "bytes": [800, 800],
 *                                   "sizes": [0, 0, 4]}, ...],
 *                         "row": "0x64"},
 *      "communicators": [{"id": 0, "ranks": "0-63", "name": "MPI_COMM_WORLD", "topology": ""}, ...],
 *      "collectives": [{"collective": "allreduce", "mode": "blocking", "communicator": 0,
 *                       "root": 0, "bytes": 8, "element": 8, "calls": 100,
 *                       "seconds": {"sum": 0.2, "max_rank": 0.004}}, ...],
 *      "interval_s": 1,
 *      "phases": [{"phase": 1, "seconds": 1, "point_to_point": ..., "collectives": ...}, ...]}
 *
 * topomap-json(5) documents every member.
 */
#ifndef TMAP_FORMATS_REPORT_RECORD_RECORD_JSON_H
#define TMAP_FORMATS_REPORT_RECORD_RECORD_JSON_H

#include "core/record/record.h"

#include <stdio.h>

/** Write the document and flush. O(p + rows + ranks of communicators). */
int tmap_record_write_json(FILE *out, const struct tmap_record *record, struct tmap_error *err);

/** The record that @p path holds ("-": standard input), checked in all its parts; tmap_record_fini()
 *  it. TMAP_INPUT messages name the file and the member. */
int tmap_record_read_json(struct tmap_record *record, const char *path, struct tmap_error *err);

/** The same of a text in memory; messages begin with @p name. */
int tmap_record_parse_json(struct tmap_record *record, const char *text, size_t length,
			   const char *name, struct tmap_error *err);

/** The same of any document with a placement: where it is no record, *record has that alone. */
int tmap_record_read_carried(struct tmap_record *record, const char *path, struct tmap_error *err);

#endif
