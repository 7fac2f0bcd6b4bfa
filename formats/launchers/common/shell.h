/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shell.h - words of a command line as a shell reads them back.
 */
#ifndef TMAP_FORMATS_LAUNCHERS_COMMON_SHELL_H
#define TMAP_FORMATS_LAUNCHERS_COMMON_SHELL_H

#include "core/base/string.h"

/** Append the word, in single quotes where a shell would take it for something else; with escapes,
 *  in the quotes $'...' of bash, where a terminal would. */
void tmap_shell_add(struct tmap_str *line, const char *word);

/** The same for the name of a file: "./-x" for "-x", which would be an option; "-" stays. */
void tmap_shell_add_file(struct tmap_str *line, const char *path);

#endif
