/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stderr_capture.h - what a library writes to stderr, as text.
 *
 * hwloc gives the reason of a refusal only on stderr, and only if a variable of the environment
 * asks for it, with errno left at "Invalid argument". Between begin and end that variable is
 * set, and file descriptor 2 of the process leads into an anonymous file, so the reason can become
 * part of one sentence of ours.
 *
 * For programs of one thread. In libtopomap, which leaves the process of others alone,
 * lib/stderr_capture.c stands in for it: nothing is caught.
 */
#ifndef TMAP_FORMATS_BASE_STDERR_CAPTURE_H
#define TMAP_FORMATS_BASE_STDERR_CAPTURE_H

#include <stddef.h>

struct tmap_stderr_capture {
	int saved; /**< the real stderr, or TMAP_NONE: nothing is being caught */
	int caught;
	const char *verbose; /**< the variable to unset again; NULL: none */
};

/** Catch stderr from here on, with the variable @p verbose set (NULL: none). Where the system
 *  refuses, stderr stays as it is. */
void tmap_stderr_capture_begin(struct tmap_stderr_capture *capture, const char *verbose);

/** Give stderr back. What was caught is left in @p text, cut to fit; "" if it was nothing. */
void tmap_stderr_capture_end(struct tmap_stderr_capture *capture, char *text, size_t size);

#endif
