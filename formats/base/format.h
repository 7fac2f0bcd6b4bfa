/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * format.h - the one list of output formats.
 *
 * --format, the help, the manual and the completions read it; a command has a
 * mask of those that it can write, and keeps a table of writers indexed by it.
 */
#ifndef TMAP_FORMATS_BASE_FORMAT_H
#define TMAP_FORMATS_BASE_FORMAT_H

#include "core/base/keyword.h"

enum tmap_format {
	TMAP_FORMAT_TEXT,
	TMAP_FORMAT_JSON,
	TMAP_FORMAT_DOT,
	TMAP_FORMAT_SVG,
	TMAP_FORMAT_PNG,
	TMAP_FORMAT_CSV,
	TMAP_FORMAT_TI,
	TMAP_FORMAT_GOAL,
	TMAP_FORMAT_C,
};

/** The formats' names and summaries; row i is enum tmap_format i. */
extern const struct tmap_keywords tmap_formats;

/** TMAP_FORMATS(TEXT) | TMAP_FORMATS(JSON): what a command can write. */
#define TMAP_FORMATS(name) TMAP_KEYWORDS_BIT(TMAP_FORMAT_##name)

#endif
