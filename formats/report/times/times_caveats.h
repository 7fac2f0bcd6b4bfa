/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * times_caveats.h - what is to be known of measured times before they are judged by.
 *
 *     4 ranks share a core with others: measured times are of the system's scheduler, too
 *     interrupted: not all that was asked for was measured
 *
 * Of several documents each says of how many it is so.
 */
#ifndef TMAP_FORMATS_REPORT_TIMES_TIMES_CAVEATS_H
#define TMAP_FORMATS_REPORT_TIMES_TIMES_CAVEATS_H

#include "core/measure/times.h"
#include "formats/json/json_write.h"

#include <stdio.h>

enum { TMAP_CAVEATS_MOST = 2, TMAP_CAVEAT_ROOM = 120 };

struct tmap_times_caveats {
	int sharing; /**< ranks that must share a core (tmap_overlap_count()), of all documents */
	int interrupted; /**< documents that are */
	int count;
	char line[TMAP_CAVEATS_MOST][TMAP_CAVEAT_ROOM]; /**< [count], without an end */
};

/** Of times[count]. */
int tmap_times_caveats_find(struct tmap_times_caveats *caveats, const struct tmap_times *times,
			    int count, struct tmap_error *err);

/** The line of one document whose ranks share cores. */
int tmap_text_write_times_sharing(FILE *out, const struct tmap_times *times,
				  struct tmap_error *err);

/** The members "sharing_ranks" and, where it is so, "interrupted". */
void tmap_json_put_times_caveats(struct tmap_json_writer *w,
				 const struct tmap_times_caveats *caveats);

/** Put the lines behind the notes of a picture, of which there are @p count; returns how many there are
 *  then. */
int tmap_note_times_caveats(const char **notes, int count,
			    const struct tmap_times_caveats *caveats);

#endif
