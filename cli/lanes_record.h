/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lanes_record.h - topomap lanes RECORD: which collectives of a recorded program would gain by lanes.
 */
#ifndef TMAP_CLI_LANES_RECORD_H
#define TMAP_CLI_LANES_RECORD_H

#include "cli/base/record_parts.h"
#include "formats/base/progress_line.h"

/** What the options say. */
struct tmap_lanes_record {
	const char *output, *profile;
	const struct tmap_record_parts_args *parts; /**< borrowed; the record has these already */
	int collective, lanes, adapters, library;   /**< TMAP_NONE: not given */
	int format;                                 /**< text, JSON or CSV */
	bool all;
};

/** Compare, and write. The line is gone when something is written. */
int tmap_lanes_record(const struct tmap_lanes_record *it, const struct tmap_record *record,
		      struct tmap_progress_line *line, struct tmap_error *err);

#endif
