/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * line_pattern.h - a line that a program prints for each rank, as a pattern.
 *
 *     "Hello from rank %r, thread %t, on %h. (core affinity =|~%l~)"
 *      Hello from rank 3, thread 0, on nid001. (core affinity = 0-3,8)
 *
 * A pattern may begin anywhere in the line, behind what launchers put in front; "^" in front: at
 * its beginning. Text stands for itself, a blank for some blanks, "~" for some or none, and
 *
 *     %r %t %k   the rank; which of its threads; which node, where another line names it
 *     %h         the host, up to what follows in the pattern, or to a blank
 *     %c         how many PUs the line says that there are
 *     %l         PUs as 0-3,8         %b   the same as {0,1,2,3}, over several lines if need be,
 *                                          or one PU as 0
 *     %s         PUs as 0 1 2 3       %m   as a mask of 0 and 1, PU 0 last, or one of 0x and
 *                                          hexadecimal digits; "\" wraps it
 *     %n %w %*   a number; a word; anything up to what follows: passed over
 *     %$         the end of the line
 *
 * What stands before "|" is what only such a line has; from there on it must be well-formed. Nor may
 * a line begin within another one, as those of processes do that print at the same time.
 */
#ifndef TMAP_FORMATS_LOGS_LINE_PATTERN_H
#define TMAP_FORMATS_LOGS_LINE_PATTERN_H

#include "core/base/string.h"
#include "formats/base/lines.h"

/** What a line says; TMAP_NONE where its pattern has no such number. */
struct tmap_line_values {
	int rank, thread, node, count;
	const char *host; /**< not terminated; NULL: the pattern has none */
	size_t host_length;
	struct tmap_str pus; /**< as "0-3+8" (pu_list.h); the caller's */
	const char *end;     /**< what follows in the text, or what is wrong */
};

enum tmap_line_fit {
	TMAP_LINE_OTHER,  /**< it is another line */
	TMAP_LINE_FITS,   /**< *values is set */
	TMAP_LINE_BROKEN, /**< the part before "|" fits, and *err says what is wrong behind it */
	TMAP_LINE_CUT     /**< the text ends within what may have been such a line: so says *err */
};

/** Compare the line, which stands in a text that ends with a zero, with the pattern. Whatever it
 *  returns, values->pus is the caller's to take or to free. O(length x length of the pattern). */
enum tmap_line_fit tmap_line_match(struct tmap_line_values *values, const struct tmap_line *line,
				   const char *pattern, struct tmap_error *err);

#endif
