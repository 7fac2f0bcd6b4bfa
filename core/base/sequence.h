/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sequence.h - a sequence of integers as compact text, for arrays as long as the job.
 *
 *     sequence = [ item { "," item } ]
 *     item     = ( range [ "*" R ] | "(" sequence ")" ) [ "x" K ]
 *     range    = A [ "-" B [ "/" STRIDE ] ]
 *
 * A-B counts up or down from A, by STRIDE (1 if not given), as long as B is not passed;
 * "*R" repeats each number of the range R times; "xK" repeats the whole item K times:
 *
 *     0-3        0 1 2 3                 0-1*3      0 0 0 1 1 1
 *     6-0/2      6 4 2 0                 0-1x3      0 1 0 1 0 1
 *     0-1*2x2    0 0 1 1 0 0 1 1         (0,2)x2    0 2 0 2
 *
 * A job in block order on 43,808 nodes of 252 cores has the nodes "0-43807*252" and the
 * places "0-251x43808"; in cyclic order it is the other way round. Numbers are not
 * negative, R, STRIDE and K at least 1, brackets not empty and nested at most
 * TMAP_SEQ_DEPTH deep; there are no spaces. Messages count characters from 1.
 */
#ifndef TMAP_CORE_BASE_SEQUENCE_H
#define TMAP_CORE_BASE_SEQUENCE_H

#include "core/base/error.h"

#include <stddef.h>

/** How deep brackets may be nested; tmap_seq_stream() stays below 32. */
#define TMAP_SEQ_DEPTH 64

/** How many integers @p text has, without expanding it; "" has none. -1 with *err set
 *  (TMAP_INPUT) where it is malformed or has more than 2^31-1. O(length of the text). */
int tmap_seq_count(const char *text, struct tmap_error *err);

/** The @p count integers of @p text, each of them below @p limit (0: any); the caller's
 *  to free. Refused (TMAP_INPUT) before anything is allocated: a malformed text, another
 *  length, a number at or above the limit. O(count + length of the text). */
int *tmap_seq_parse(const char *text, int count, int limit, struct tmap_error *err);

/** Takes the next @p length bytes of the text; 0, or -1 with *err set to stop the writer. */
typedef int tmap_seq_put(void *visitor, const char *text, size_t length, struct tmap_error *err);

/** Write value[count] as text into @p put, a few KB at a time. Runs become "*R", arithmetic
 *  progressions ranges, and what repeats itself, wholly or from some place on for some
 *  time, "(...)xK". Good where there is order; no promise of the shortest text. A negative
 *  value gives TMAP_INPUT. O(count) time; at most 16 bytes an item, and some 50 a distinct one:
 *  there are as many items as values only where nothing is a run or a range. */
int tmap_seq_stream(const int *value, int count, tmap_seq_put *put, void *visitor,
		    struct tmap_error *err);

/** The same as one string, the caller's to free; NULL with *err set. */
char *tmap_seq_print(const int *value, int count, struct tmap_error *err);

#endif
