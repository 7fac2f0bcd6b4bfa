/*
 * rankfile_lint.h - the rules for rankfiles; private to file_lint.c.
 */
#ifndef TM_RANKFILE_LINT_H
#define TM_RANKFILE_LINT_H

#include "formats/launchers/file_lint.h"

/** Look at a rankfile's text, as Open MPI 5 reads it if @p prrte. */
int tm_rankfile_lint(struct tm_file_lint *lint, const char *text, bool prrte,
		     struct tm_machine *machine, int ranks, struct tm_error *err);

#endif
