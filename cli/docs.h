/*
 * docs.h - the documents that are made from the command tables: help on the terminal,
 * manual pages, completions for the shells.
 *
 * All write to a FILE and leave write errors to whoever closes it.
 */
#ifndef TM_DOCS_H
#define TM_DOCS_H

#include "cli/command.h"

#include <stdio.h>

/** `topomap help`: what topomap is, and its commands. */
void tm_help_print_overview(FILE *file);

/** `topomap NAME --help`: at most 80 columns wide. -1 with *err set if memory is refused. */
int tm_help_print_command(FILE *file, const struct tm_command *command, struct tm_error *err);

/** The mdoc source of topomap-NAME(1). */
int tm_man_print(FILE *file, const struct tm_command *command, struct tm_error *err);

/** The completion file for "bash", "zsh" or "fish"; another shell is TM_USAGE. */
int tm_completion_print(FILE *file, const char *shell, struct tm_error *err);

/** Write @p text from @p column on, breaking lines between words so that none passes column
 *  79 and indenting those that follow by @p indent; ends with a newline. */
void tm_docs_fill(FILE *file, int column, int indent, const char *text);

/** "FORMAT" or, for a row without one, "". */
const char *tm_docs_metavar(const struct tm_opt *row);

/** The choices of a row as "text, json or dot", the caller's; "" where it has none. */
char *tm_docs_choices(const struct tm_opt *row, struct tm_error *err);

/** `topomap --generate WHAT [NAME]`, for the Makefile and the tests: commands, man NAME,
 *  examples NAME, completion SHELL. @p argv are the words after --generate. */
int tm_docs_generate(FILE *file, char *const *argv, struct tm_error *err);

#endif
