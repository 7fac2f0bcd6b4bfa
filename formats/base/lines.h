/*
 * lines.h - a text line by line, and a line word by word, without copies.
 *
 *     struct tm_line line = { 0 };
 *
 *     while (tm_line_next(&line, &text))
 *             ...  line.text, line.length, line.number
 */
#ifndef TM_LINES_H
#define TM_LINES_H

#include <stdbool.h>
#include <stddef.h>

struct tm_line {
	const char *text;    /**< not terminated */
	size_t length;       /**< without the end of the line, CR LF or LF */
	int number;          /**< from 1 */
};

/** The next line of *text, which moves on; false at the end. */
bool tm_line_next(struct tm_line *line, const char **text);

/** Cut the line at the first @p mark, a comment's beginning. */
void tm_line_cut(struct tm_line *line, char mark);

/** The next word of the line, which moves behind it: what is between blanks and tabs. False where
 *  there is none. */
bool tm_line_word(struct tm_line *line, const char **word, size_t *length);

/** Is the word @p name, in whatever case? */
bool tm_word_is(const char *word, size_t length, const char *name);

/** Does the line begin with @p start? */
bool tm_line_begins(const struct tm_line *line, const char *start);

#endif
