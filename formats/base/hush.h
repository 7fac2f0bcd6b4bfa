/*
 * hush.h - what a library says on stderr, as text.
 *
 * hwloc gives the reason of a refusal only on stderr, with errno left at "Invalid
 * argument". Between begin and end, file descriptor 2 of the process leads into an
 * anonymous file, so the reason can become part of one sentence of ours.
 * For programs of one thread.
 */
#ifndef TM_HUSH_H
#define TM_HUSH_H

#include <stddef.h>

struct tm_hush {
	int saved;       /**< the real stderr, or TM_NONE: nothing is being caught */
	int caught;
};

/** Catch stderr from here on. Where the system refuses, stderr stays as it is. */
void tm_hush_begin(struct tm_hush *hush);

/** Give stderr back. What was caught is left in @p text, cut to fit; "" if it was nothing. */
void tm_hush_end(struct tm_hush *hush, char *text, size_t size);

#endif
