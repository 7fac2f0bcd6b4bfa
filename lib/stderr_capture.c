/* SPDX-License-Identifier: BSD-3-Clause */
/* In libtopomap nothing is caught: the environment and file descriptor 2 are the program's that
 * it is part of. hwloc's reasons are then those of errno. */
#include "formats/base/stderr_capture.h"

void tmap_stderr_capture_begin(struct tmap_stderr_capture *capture, const char *verbose)
{
	(void)verbose;
	*capture = (struct tmap_stderr_capture){ 0 };
}

void tmap_stderr_capture_end(struct tmap_stderr_capture *capture, char *text, size_t size)
{
	(void)capture;
	if (size)
		text[0] = '\0';
}
