/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rule_notes.h - comments of Open MPI's rule files: behind numbers, and before all.
 */
#ifndef TMAP_FORMATS_RULES_RULE_NOTES_H
#define TMAP_FORMATS_RULES_RULE_NOTES_H

#include <stdio.h>

/** Behind @p written characters of numbers, from the same column on, and the end of the line; NULL: none.
 *  No line of a comment may be one of numbers. */
void tmap_rule_note_write(FILE *out, int written, const char *note);

/** A line each, which begins with "# "; NULL: none. */
void tmap_rule_heading_write(FILE *out, const char *text);

#endif
