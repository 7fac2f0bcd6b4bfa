/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * traffic.h - who sends how much to whom, from the files of those who measured it.
 *
 *     matrix      a line a rank with a number for each rank: CSV, TreeMatch's .mat; under a line of
 *                 names, behind a column of them, or both; these may be numbers that count
 *                 (formats/traffic/matrix_order.h)
 *     list        "0 1 4096": from, to, bytes; what else is on the line does not count; a heading
 *                 may name the columns, as that of topomap schedule -f csv, or a first line has the
 *                 number of ranks
 *     edges       "0 , 1 = 4096": bytes of both ways together
 *     mtx         Matrix Market, ranks from 1
 *     metis       a METIS graph, vertices from 1; the weight of an edge is bytes of both ways
 *     scotch      a Scotch source graph, the same
 *     json        arrays of numbers or of messages (formats/traffic/arrays.c)
 *     monitoring  what Open MPI's pml_monitoring leaves: a file a rank, or all in one
 *     otf2        messages of a trace, as otf2-print prints its events; a location is a rank
 *
 * and NumPy's arrays (formats/traffic/npy.h), which are known by how they begin.
 *
 * Bytes are numbers of at least 0, exact up to 2^53. What a rank sends to itself is no
 * traffic. Several files add up; a folder stands for the .prof files in it.
 */
#ifndef TMAP_FORMATS_TRAFFIC_TRAFFIC_H
#define TMAP_FORMATS_TRAFFIC_TRAFFIC_H

#include "core/base/keyword.h"
#include "core/pattern/pattern.h"

/** The formats by name. */
extern const struct tmap_keywords tmap_traffic_formats;

/** Add what @p path ("-": standard input) says of the ranks that the builder has. @p format is a
 *  row of tmap_traffic_formats; TMAP_NONE: it is recognised. A file that says of how many ranks it
 *  is must be of as many. Refuses a text in which there is nothing, unless it is of one rank
 *  (monitoring): b->given says whether anything was, b->inside whether it was cut away. Messages name the file
 *  and the line. O(length of the text). */
int tmap_traffic_read(struct tmap_pattern_builder *b, const char *path, int format,
		      struct tmap_error *err);

/** The format that a text has by its look, borrowed; NULL: none of them, or @p surely and it has nothing
 *  but numbers. */
const char *tmap_traffic_format(const char *text, bool surely);

/** The same as tmap_traffic_read() from a text; @p name is what the file is called. */
int tmap_traffic_parse(struct tmap_pattern_builder *b, const char *text, const char *name,
		       int format, struct tmap_error *err);

#endif
