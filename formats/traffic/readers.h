/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * readers.h - one reader for each format of traffic, and what they share.
 *
 * A reader adds to the builder what a text says. Messages begin with the line.
 */
#ifndef TMAP_FORMATS_TRAFFIC_READERS_H
#define TMAP_FORMATS_TRAFFIC_READERS_H

#include "core/pattern/pattern.h"
#include "formats/base/lines.h"

#include <stdbool.h>

typedef int tmap_traffic_reader(struct tmap_pattern_builder *b, const char *text,
				struct tmap_error *err);

tmap_traffic_reader tmap_traffic_matrix;
tmap_traffic_reader tmap_traffic_list;
tmap_traffic_reader tmap_traffic_edges;
tmap_traffic_reader tmap_traffic_mtx;
tmap_traffic_reader tmap_traffic_metis;
tmap_traffic_reader tmap_traffic_scotch;
tmap_traffic_reader tmap_traffic_monitoring;
tmap_traffic_reader tmap_traffic_otf2;
tmap_traffic_reader tmap_traffic_arrays;

/** Does the text look like one? By its first lines, but for a matrix, whose lines are all looked at, and
 *  a METIS graph, which is counted: O(length of the text). */
bool tmap_traffic_is_matrix(const char *text);
bool tmap_traffic_is_list(const char *text);
bool tmap_traffic_is_edges(const char *text);
bool tmap_traffic_is_mtx(const char *text);
bool tmap_traffic_is_metis(const char *text);
bool tmap_traffic_is_scotch(const char *text);
bool tmap_traffic_is_monitoring(const char *text);
bool tmap_traffic_is_otf2(const char *text);
bool tmap_traffic_is_arrays(const char *text);

/** A list whose heading names its columns; a matrix with a heading. */
bool tmap_traffic_is_headed_list(const char *text);
bool tmap_traffic_is_headed_matrix(const char *text);

/** Does the text begin like one, whatever follows? A list: two numbers and one or two other
 *  fields, or a heading that names the columns from and to. A matrix: a number, in a line of two
 *  or more fields. */
bool tmap_traffic_is_nearly_list(const char *text);
bool tmap_traffic_is_nearly_matrix(const char *text);

/** The next number of the line, which moves behind it and the blanks, commas or semicolons that
 *  follow: 1; 0 at the end of the line; -1 with *err set for what is no number of at least 0. */
int tmap_field_bytes(struct tmap_line *line, double *bytes, struct tmap_error *err);

/** The same for a whole number of at least @p least; @p what is it? ("a rank"). */
int tmap_field_int(struct tmap_line *line, const char *what, int64_t least, int64_t *number,
		   struct tmap_error *err);

/** The same for one that must be there, and for one that may be on a later line of *text. */
int tmap_field_need_bytes(struct tmap_line *line, double *bytes, struct tmap_error *err);
int tmap_field_need(struct tmap_line *line, const char *what, int64_t least, int64_t *number,
		    struct tmap_error *err);
int tmap_field_stream(struct tmap_line *line, const char **text, const char *what, int64_t least,
		      int64_t *number, struct tmap_error *err);

/** Characters of the next field, at which the line then stands; 0 at its end. And go behind it. */
size_t tmap_field_length(struct tmap_line *line);
void tmap_field_skip(struct tmap_line *line);

/** The next line that says something, without what follows @p mark. */
bool tmap_traffic_line(struct tmap_line *line, const char **text, char mark);

/** Numbers on a line; TMAP_NONE where something else is on it. */
int tmap_traffic_count_fields(struct tmap_line line);

/** tmap_pattern_add() of what a line says; nothing, where a rank is beyond those that the builder is
 *  cut to. Refuses (TMAP_INPUT) a sum of more than 2^63 - 1 bytes, those that are cut away counted. */
int tmap_traffic_add(struct tmap_pattern_builder *b, int64_t from, int64_t to, double bytes,
		     int line, struct tmap_error *err);

/** The same of a whole matrix, whose size is checked as one (tmap_traffic_check_size()): of ranks that the
 *  builder does not have nothing is added, and it is no fault of this entry. */
int tmap_traffic_add_cell(struct tmap_pattern_builder *b, int64_t from, int64_t to, double bytes,
			  int line, struct tmap_error *err);

/** The text is whole, and says that nobody sends anything: a graph without edges. */
void tmap_traffic_add_nothing(struct tmap_pattern_builder *b);

/** Refuses (TMAP_INPUT) a text of another number of ranks than the builder's; not more, where it is
 *  cut to these. */
int tmap_traffic_check_size(const struct tmap_pattern_builder *b, int64_t ranks,
			    struct tmap_error *err);

#endif
