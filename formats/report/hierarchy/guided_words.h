/*
 * guided_words.h - why a guided split leaves ranks out, in words.
 */
#ifndef TM_GUIDED_WORDS_H
#define TM_GUIDED_WORDS_H

#include "core/group/guided.h"

/** "4 ranks may run on more than one l3 (rank 2: 3)", "2 ranks have no l3", "" for a partition.
 *  The caller's to free; NULL with *err set. */
char *tm_guided_reason(const struct tm_guided *guided, struct tm_error *err);

/** "rank 1 is given ranks 0 and 2, which are not given each other"; the same. */
char *tm_guided_overlap(const struct tm_guided *guided, struct tm_error *err);

#endif
