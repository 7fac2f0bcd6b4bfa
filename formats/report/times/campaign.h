/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * campaign.h - the experiments of a campaign, a line each, as CSV:
 *
 *     collective,algorithm,bytes,mode,root,repetitions
 *     allgather,ring,64KiB,,,
 *     allgather,"bruck,radix=4",8,persistent,,1000
 *     bcast,native,1MiB,,3,
 *
 * The first line names the columns, in any order; only the first two have to be there. What a line
 * leaves out is blocking, 0, and as often as options say. Columns of measured times
 * (tmap_csv_write_times()) may be there too and are not read: what was measured is a campaign, too.
 * Lines that are empty or begin with # do not count.
 */
#ifndef TMAP_FORMATS_REPORT_TIMES_CAMPAIGN_H
#define TMAP_FORMATS_REPORT_TIMES_CAMPAIGN_H

#include "core/measure/times.h"

struct tmap_campaign_line {
	struct tmap_experiment call; /**< collective, algorithm (the word), mode, bytes, root, and
	                                repetitions, 0: as options say */
	int number;                  /**< in the file, from 1 */
};

struct tmap_campaign {
	int count;
	size_t capacity;
	struct tmap_campaign_line *line; /**< [count], at least one */
};

/** A campaign of @p text. Refuses (TMAP_INPUT) words and numbers that are none, by line. O(length). */
int tmap_campaign_parse(struct tmap_campaign *campaign, const char *text, struct tmap_error *err);
void tmap_campaign_fini(struct tmap_campaign *campaign);

#endif
