/*
 * text_lanes.h - node and lane communicators on a screen of 80 columns, for people.
 */
#ifndef TMAP_FORMATS_REPORT_LANES_TEXT_LANES_H
#define TMAP_FORMATS_REPORT_LANES_TEXT_LANES_H

#include "formats/report/lanes/json_lanes.h"

/** The summary, the adapters, and the communicators: at most 16 nodes and as many lanes unless
 *  @p all. O(N x lanes shown). */
int tmap_text_write_lanes(FILE *out, const struct tmap_lanes_report *report, bool all,
			  struct tmap_error *err);

#endif
