/*
 * format.h - the one list of output formats.
 *
 * --format, the help, the manual and the completions read it; a command says with a
 * mask which of them it can write, and keeps a table of writers indexed by it.
 */
#ifndef TM_FORMAT_H
#define TM_FORMAT_H

#include "core/base/keyword.h"

enum tm_format {
	TM_FORMAT_TEXT,
	TM_FORMAT_JSON,
	TM_FORMAT_DOT,
	TM_FORMAT_SVG,
	TM_FORMAT_PNG,
	TM_FORMAT_CSV,
	TM_FORMAT_TI,
	TM_FORMAT_GOAL,
	TM_FORMAT_C,
};

/** The formats' names and summaries; row i is enum tm_format i. */
extern const struct tm_words tm_formats;

/** TM_FORMATS(TEXT) | TM_FORMATS(JSON): what a command can write. */
#define TM_FORMATS(name) TM_WORDS_BIT(TM_FORMAT_##name)

#endif
