/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * docs.h - the documents that are made from the tables of all commands: the overview, and what the
 * build and the tests ask for.
 *
 * All write to a FILE and leave write errors to whoever closes it.
 */
#ifndef TMAP_CLI_BASE_DOCS_H
#define TMAP_CLI_BASE_DOCS_H

#include "cli/base/command.h"
#include "options/docs.h"

/** `topomap help`: what topomap is, and its commands. */
void tmap_help_print_overview(FILE *file);

/** `topomap --generate WHAT [NAME]`, for the Makefile and the tests: commands,
 *  summary NAME, man NAME (its source comes from standard input), examples NAME, completion
 *  SHELL. @p argv are the words after it. */
int tmap_docs_generate(FILE *file, char *const *argv, struct tmap_error *err);

#endif
