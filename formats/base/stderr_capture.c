/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/base/stderr_capture.h"

#include "core/base/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void tmap_stderr_capture_begin(struct tmap_stderr_capture *capture, const char *verbose)
{
	*capture = (struct tmap_stderr_capture){ .saved = TMAP_NONE, .caught = TMAP_NONE };
	if (verbose && !getenv(verbose) && setenv(verbose, "1", 0) == 0)
		capture->verbose = verbose;
	fflush(stderr);
	capture->caught = memfd_create("stderr", MFD_CLOEXEC);
	if (capture->caught < 0)
		return;
	capture->saved = dup(STDERR_FILENO);
	if (capture->saved < 0 || dup2(capture->caught, STDERR_FILENO) < 0) {
		close(capture->caught);
		if (capture->saved >= 0)
			close(capture->saved);
		capture->saved = TMAP_NONE;
	}
}

void tmap_stderr_capture_end(struct tmap_stderr_capture *capture, char *text, size_t size)
{
	ssize_t length;

	text[0] = '\0';
	if (capture->verbose)
		unsetenv(capture->verbose);
	if (capture->saved == TMAP_NONE)
		return;
	fflush(stderr);
	dup2(capture->saved, STDERR_FILENO);
	length = pread(capture->caught, text, size - 1, 0);
	text[length > 0 ? length : 0] = '\0';
	close(capture->caught);
	close(capture->saved);
	capture->saved = TMAP_NONE;
}
