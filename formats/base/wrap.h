/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wrap.h - words in a column behind a label, no wider than a screen of 80 columns.
 *
 *     bound to  core (30 ranks), 2 cores (2
 *               ranks)
 */
#ifndef TMAP_FORMATS_BASE_WRAP_H
#define TMAP_FORMATS_BASE_WRAP_H

#include "core/base/string.h"

#include <stdio.h>

/** Write @p label in @p column columns and @p text behind it, broken at its blanks. A word that
 *  is longer than the line gets one of its own; with the escapes of printable.h. */
void tmap_text_write_wrapped(FILE *out, int column, const char *label, const char *text);

/** So many bytes of @p text, up to the word that is broken off, fit on @p lines, at least one, of such a
 *  column. O(length). */
size_t tmap_text_fit(int column, const char *text, int lines);

/** The same for a text that was put together, which is empty afterwards; -1 with *err set if memory
 *  was refused on the way. */
int tmap_text_write_wrapped_str(FILE *out, int column, const char *label, struct tmap_str *str,
				struct tmap_error *err);

/** The same for "summit 1 of 7, gigabit 2 of 7", which is broken behind its commas only. */
int tmap_text_write_list_str(FILE *out, int column, const char *label, struct tmap_str *str,
			     struct tmap_error *err);

#endif
