/*
 * docs.h - the documents that are made from one command's table: help on the terminal
 * and the manual page.
 *
 * All write to a FILE and leave write errors to whoever closes it.
 */
#ifndef TMAP_OPTIONS_DOCS_H
#define TMAP_OPTIONS_DOCS_H

#include "options/command.h"

#include <stdio.h>

/** `topomap NAME --help`: at most 80 columns wide. -1 with *err set if memory is refused. */
int tmap_help_print_command(FILE *file, const struct tmap_command *command, struct tmap_error *err);

/** The mdoc source of topomap-NAME(1). */
int tmap_man_print(FILE *file, const struct tmap_command *command, struct tmap_error *err);

/** Write what the user types to call @p command: "topomap NAME". */
void tmap_docs_print_invocation(FILE *file, const struct tmap_command *command);

/** Write @p text from @p column on, breaking lines between words so that none passes column
 *  79 and indenting those that follow by @p indent; ends with a newline. */
void tmap_docs_fill(FILE *file, int column, int indent, const char *text);

#endif
