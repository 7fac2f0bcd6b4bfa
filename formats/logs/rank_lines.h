/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rank_lines.h - logs with a line for each rank, or for each of its threads, as a placement.
 *
 *     struct tmap_rank_lines: the patterns of these lines, and what the program leaves out
 *
 * The lines may stand in any order and among other output, which is passed over; what they have in
 * common with nothing else must be well-formed. The forms are rows of rank_forms.c.
 */
#ifndef TMAP_FORMATS_LOGS_RANK_LINES_H
#define TMAP_FORMATS_LOGS_RANK_LINES_H

#include "formats/launchers/common/launcher.h"
#include "formats/logs/line_pattern.h"

struct tmap_rank_pattern {
	const char *text;   /**< line_pattern.h; NULL ends the list */
	const char *refuse; /**< half a sentence: such a line has no place of a rank; NULL: it
				 has */
	const char *under;  /**< a pattern of the line that begins them, where they stand only below
				 such a one; NULL: below any */
};

struct tmap_rank_lines {
	const struct tmap_rank_pattern *pattern; /**< the first that fits counts */
	const char *begin, *end; /**< patterns of lines between which these stand; NULL: anywhere */
	bool is_by_thread;       /**< a rank may have several lines, one for each thread */
	bool is_by_node;         /**< its ranks count the processes of each node (node_lines.h) */
	const char *note;        /**< half a sentence on what the log does not say; NULL: nothing */
};

/** Refuses lines that are of the form and not well-formed, and lines that do not name their nodes
 *  where there are several. The words are those of pu_list.h. */
TMAP_LAUNCHER_PARSES(rank_lines);

#endif
