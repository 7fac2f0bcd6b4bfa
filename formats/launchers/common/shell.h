/*
 * shell.h - words of a command line as a shell reads them back.
 */
#ifndef TM_SHELL_H
#define TM_SHELL_H

#include "core/base/string.h"

/** Append the word, in single quotes where a shell would take it for something else. */
void tm_shell_add(struct tm_str *line, const char *word);

#endif
