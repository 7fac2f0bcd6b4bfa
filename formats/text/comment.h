/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * comment.h - words among lines of numbers, so that a program that reads these passes them over.
 *
 *     2 ranks, MPICH 4.0.2          # 2 ranks, MPICH 4.0.2
 *                              ->
 *     allgather, blocking           # allgather, blocking
 */
#ifndef TMAP_FORMATS_TEXT_COMMENT_H
#define TMAP_FORMATS_TEXT_COMMENT_H

#include "core/base/error.h"

#include <stdio.h>

struct tmap_comment {
	FILE *out, *words;
	char *text;
	size_t length;
};

/** A file for words, which are in @p out when the comment ends; NULL: there is no memory for it. */
FILE *tmap_comment_begin(struct tmap_comment *comment, FILE *out, struct tmap_error *err);

/** Each line of them, behind "# " where it is not empty; nothing where @p status, which comes back,
 *  is -1. */
int tmap_comment_end(struct tmap_comment *comment, int status, struct tmap_error *err);

#endif
