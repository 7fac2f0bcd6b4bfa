/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * completion.h - the shells' completions of a program whose first word is a command.
 *
 *     PROGRAM COMMAND [OPTION]... [OPERAND]...      options, choices and files from the commands' tables
 *     PROGRAM FILE                                  where that is short for a command
 */
#ifndef TMAP_OPTIONS_COMPLETION_H
#define TMAP_OPTIONS_COMPLETION_H

#include "options/command.h"

#include <stdio.h>

struct tmap_completed {
	const char *name;
	const char *function; /**< of the shell, a word: "_topomap" */
	/** Command @p index and the word for it; NULL past the end. */
	const struct tmap_command *(*command_at)(size_t index, const char **word);
	/** What help explains besides; NULL: nothing. */
	const struct tmap_topic *(*topic_at)(size_t index);
	const char *short_for; /**< the command that a file stands for; NULL: none */
};

/** The completion file for "bash", "zsh" or "fish"; another shell is TMAP_USAGE. */
int tmap_completion_print(FILE *file, const struct tmap_completed *program, const char *shell,
			  struct tmap_error *err);

#endif
