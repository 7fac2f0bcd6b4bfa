/*
 * docs.h - the documents that are made from one command's table: help on the terminal
 * and the manual page.
 *
 * All write to a FILE and leave write errors to whoever closes it.
 */
#ifndef TM_DOCS_H
#define TM_DOCS_H

#include "options/command.h"

#include <stdio.h>

/** `topomap NAME --help`: at most 80 columns wide. -1 with *err set if memory is refused. */
int tm_help_print_command(FILE *file, const struct tm_command *command, struct tm_error *err);

/** The mdoc source of topomap-NAME(1). */
int tm_man_print(FILE *file, const struct tm_command *command, struct tm_error *err);

/** Write what the user types to call @p command: "topomap NAME". */
void tm_docs_print_invocation(FILE *file, const struct tm_command *command);

/** Write @p text from @p column on, breaking lines between words so that none passes column
 *  79 and indenting those that follow by @p indent; ends with a newline. */
void tm_docs_fill(FILE *file, int column, int indent, const char *text);

#endif
