/*
 * text_lint.h - findings as a report for people.
 *
 *     2 findings
 *
 *     unbound
 *       ranks   0,2 (2)
 *       why     2 ranks are not bound: ...
 *       mend    bind them: ...
 */
#ifndef TM_TEXT_LINT_H
#define TM_TEXT_LINT_H

#include "core/lint/lint.h"
#include "core/base/string.h"

#include <stdio.h>

/** The report. A list of ranks longer than three lines is cut; JSON has all of it. */
int tm_text_write_lint(FILE *out, const struct tm_lint *lint, struct tm_error *err);

/** "none", "2: unbound, shared-pu (--lint tells more)". */
void tm_text_say_lint(struct tm_str *str, const struct tm_lint *lint);

#endif
