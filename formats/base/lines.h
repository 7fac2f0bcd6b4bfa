/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lines.h - a text line by line, and a line word by word, without copies.
 *
 *     struct tmap_line line = { 0 };
 *
 *     while (tmap_line_next(&line, &text))
 *             ...  line.text, line.length, line.number
 */
#ifndef TMAP_FORMATS_BASE_LINES_H
#define TMAP_FORMATS_BASE_LINES_H

#include <stdbool.h>
#include <stddef.h>

struct tmap_line {
	const char *text; /**< not terminated */
	size_t length;    /**< without the end of the line, CR LF or LF */
	int number;       /**< from 1 */
};

/** The next line of *text, which moves on; false at the end. */
bool tmap_line_next(struct tmap_line *line, const char **text);

/** Is there nothing but blanks and ends of lines in it? */
bool tmap_text_is_empty(const char *text);

/** Cut the line at the first @p mark, a comment's beginning. */
void tmap_line_cut(struct tmap_line *line, char mark);

/** The next word of the line, which moves behind it: what is between blanks and tabs. False where
 *  there is none. */
bool tmap_line_word(struct tmap_line *line, const char **word, size_t *length);

/** Is the word @p name, in whatever case? */
bool tmap_keyword_is(const char *word, size_t length, const char *name);

/** Does the line begin with @p start? */
bool tmap_line_begins(const struct tmap_line *line, const char *start);

#endif
