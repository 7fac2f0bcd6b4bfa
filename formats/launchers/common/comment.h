/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * comment.h - options of the launcher in a comment of its file.
 *
 *     # srun -n 8 --distribution=arbitrary --cpu-bind=map_cpu:0,4 PROGRAM
 *
 * A file alone is not all: the writers put the command line in front. A comment that
 * ends in a backslash goes on in the next line, behind its "#".
 */
#ifndef TMAP_FORMATS_LAUNCHERS_COMMON_COMMENT_H
#define TMAP_FORMATS_LAUNCHERS_COMMON_COMMENT_H

#include "core/base/error.h"

#include <stdbool.h>

/** Does a comment, which begins with "#" at the beginning of a line, have the words? */
bool tmap_comment_has(const char *text, const char *words);

/** *value = what stands behind @p option in such a comment, up to a blank, quotes left out; NULL
 *  where there is none. The caller's to free. */
int tmap_comment_find(char **value, const char *text, const char *option, struct tmap_error *err);

#endif
