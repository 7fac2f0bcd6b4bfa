/*
 * rankfile_lint.h - the rules for rankfiles; private to file_lint.c.
 */
#ifndef TMAP_FORMATS_LAUNCHERS_OPENMPI_RANKFILE_LINT_H
#define TMAP_FORMATS_LAUNCHERS_OPENMPI_RANKFILE_LINT_H

#include "formats/launchers/file_lint.h"

/** Look at a rankfile's text, as Open MPI 5 reads it if @p prrte. */
int tmap_rankfile_lint(struct tmap_file_lint *lint, const char *text, bool prrte,
		       struct tmap_machine *machine, int ranks, struct tmap_error *err);

#endif
