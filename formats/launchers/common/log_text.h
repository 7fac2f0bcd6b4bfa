/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * log_text.h - what a program printed, without what it told the terminal.
 *
 *     ESC[1;32m[a:7]ESC[0m MCW rank 0 ...    colours, and all else that begins with ESC[
 *     ESC]8;;http://a/ESC\host               titles and links: up to BEL or ESC\
 *     ESC(B                                  and the shorter ones (ECMA-48)
 */
#ifndef TMAP_FORMATS_LAUNCHERS_COMMON_LOG_TEXT_H
#define TMAP_FORMATS_LAUNCHERS_COMMON_LOG_TEXT_H

#include "core/base/error.h"

/** The text without these, in *made, which is the caller's to free; where it has none, the text
 *  itself, and *made = NULL. Lines keep their numbers: a sequence that does not end ends with its
 *  line. NULL without memory. O(length). */
const char *tmap_log_text_plain(char **made, const char *text, struct tmap_error *err);

#endif
