/*
 * readers.h - one reader for each format of traffic, and what they share.
 *
 * A reader adds to the builder what a text says. Messages begin with the line.
 */
#ifndef TM_TRAFFIC_READERS_H
#define TM_TRAFFIC_READERS_H

#include "core/pattern/pattern.h"
#include "formats/base/lines.h"

#include <stdbool.h>

typedef int tm_traffic_reader(struct tm_pattern_builder *b, const char *text,
			      struct tm_error *err);

tm_traffic_reader tm_traffic_matrix;
tm_traffic_reader tm_traffic_list;
tm_traffic_reader tm_traffic_edges;
tm_traffic_reader tm_traffic_mtx;
tm_traffic_reader tm_traffic_metis;
tm_traffic_reader tm_traffic_scotch;
tm_traffic_reader tm_traffic_monitoring;

/** Does the text look like one? By its first lines, but for a METIS graph, which is counted. */
bool tm_traffic_is_matrix(const char *text);
bool tm_traffic_is_list(const char *text);
bool tm_traffic_is_edges(const char *text);
bool tm_traffic_is_mtx(const char *text);
bool tm_traffic_is_metis(const char *text);
bool tm_traffic_is_scotch(const char *text);
bool tm_traffic_is_monitoring(const char *text);

/** Does the text begin like one, whatever follows? A list: two numbers and one or two other
 *  fields, or a heading that names the columns from and to. A matrix: a number, in a line of two
 *  or more fields. */
bool tm_traffic_is_nearly_list(const char *text);
bool tm_traffic_is_nearly_matrix(const char *text);

/** The next number of the line, which moves behind it and the blanks, commas or semicolons that
 *  follow: 1; 0 at the end of the line; -1 with *err set for what is no number of at least 0. */
int tm_field_bytes(struct tm_line *line, double *bytes, struct tm_error *err);

/** The same for a whole number of at least @p least; @p what is it? ("a rank"). */
int tm_field_int(struct tm_line *line, const char *what, int64_t least, int64_t *number,
		 struct tm_error *err);

/** The same for one that must be there, and for one that may be on a later line of *text. */
int tm_field_need_bytes(struct tm_line *line, double *bytes, struct tm_error *err);
int tm_field_need(struct tm_line *line, const char *what, int64_t least, int64_t *number,
		  struct tm_error *err);
int tm_field_stream(struct tm_line *line, const char **text, const char *what, int64_t least,
		    int64_t *number, struct tm_error *err);

/** Characters of the next field, at which the line then stands; 0 at its end. And go behind it. */
size_t tm_field_length(struct tm_line *line);
void tm_field_skip(struct tm_line *line);

/** The next line that says something, without what follows @p mark. */
bool tm_traffic_line(struct tm_line *line, const char **text, char mark);

/** Numbers on a line; TM_NONE where something else is on it. */
int tm_traffic_count_fields(struct tm_line line);

/** tm_pattern_add() of what a line says. Refuses (TM_INPUT) a sum of more than 2^63 - 1 bytes. */
int tm_traffic_add(struct tm_pattern_builder *b, int64_t from, int64_t to, double bytes, int line,
		   struct tm_error *err);

/** Refuses (TM_INPUT) a text of another number of ranks than the builder's. */
int tm_traffic_check_size(const struct tm_pattern_builder *b, int64_t ranks, struct tm_error *err);

#endif
