/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * utf8.h - the characters of UTF-8 (RFC 3629), and those that must not reach a reader raw.
 *
 * What topomap prints quotes files, arguments and names of others. Characters that steer a terminal
 * or deceive its reader are printed as what they are, escaped; so is what is no UTF-8:
 *
 *     newline, tab     \n \t        U+0085, U+202E    \u0085 \u202e
 *     escape, delete   \x1b \x7f    the byte 0xe9     \xe9
 */
#ifndef TMAP_CORE_BASE_UTF8_H
#define TMAP_CORE_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Length of the well-formed character at @p text, which is terminated; 0 if there is none. */
int tmap_utf8_length(const char *text);

/** The first byte of @p text, which is terminated, that is no part of a well-formed character; NULL:
 *  there is none. O(length). */
const char *tmap_utf8_find_wrong(const char *text);

/** The number of the character of @p length bytes there. */
uint32_t tmap_utf8_character(const char *text, int length);

/** Room for one escaped character, with its final zero. */
#define TMAP_ESCAPE_ROOM 8

/** Does the character at @p text, which is not at its end, need an escape? Then it is in
 *  @p escape, else that is "". Returns its length. Control characters of ASCII and of Latin-1 do;
 *  marks that reorder text, that are invisible, and that end a line; and what is no character. */
int tmap_utf8_escape(const char *text, char escape[TMAP_ESCAPE_ROOM]);

/** Does any character of @p text need an escape? */
bool tmap_utf8_is_plain(const char *text);

/** @p text with escapes in @p out of @p size bytes, terminated; cut between two characters where it
 *  does not fit. Returns the length that it would have. */
size_t tmap_utf8_print(char *out, size_t size, const char *text);

#endif
