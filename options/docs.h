/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * docs.h - the documents about one command: help on the terminal, from its table alone, and
 * the manual page, from its table and a source with the rest.
 *
 * All write to a FILE and leave write errors to whoever closes it.
 */
#ifndef TMAP_OPTIONS_DOCS_H
#define TMAP_OPTIONS_DOCS_H

#include "options/command.h"

#include <stdio.h>

/** `topomap NAME --help`: at most 80 columns wide. -1 with *err set if memory is refused. */
int tmap_help_print_command(FILE *file, const struct tmap_command *command, struct tmap_error *err);

/** `topomap help NAME` of a topic, as wide. */
int tmap_help_print_topic(FILE *file, const struct tmap_topic *topic, struct tmap_error *err);

/**
 * topomap-NAME(1) as mdoc from @p source, man/topomap-NAME.1.in: mdoc too, but
 *  - the lines @NAME@, @SYNOPSIS@, @OPTIONS@, @EXIT STATUS@ and @EXAMPLES@, each of which must
 *    be there, become sections made from the tables; so does @TOPIC NAME@ of each of its
 *    topics;
 *  - lines from ```console to ``` are a session, shown as typed; the tests execute what follows
 *    "$ " and compare its output with what is shown.
 * -1 with *err set if a line is missing or the source cannot be read.
 */
int tmap_man_print(FILE *file, FILE *source, const struct tmap_command *command,
		   struct tmap_error *err);

/** Write what the user types to call @p command: "topomap NAME". */
void tmap_docs_print_invocation(FILE *file, const struct tmap_command *command);

/** What is so of the options of every command (opt.h): a sentence. */
extern const char tmap_docs_again[];

/** Write @p text from @p column on, breaking lines between words so that none passes column
 *  79 and indenting those that follow by @p indent; ends with a newline. */
void tmap_docs_fill(FILE *file, int column, int indent, const char *text);

/** The length of what of a shell's @p line goes on one row of @p width columns with " \\" behind
 *  it: all of it if it fits, else up to a blank outside of quotes. */
size_t tmap_docs_piece(const char *line, size_t width);

#endif
