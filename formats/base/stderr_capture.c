#include "formats/base/stderr_capture.h"

#include "core/base/error.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void tmap_stderr_capture_begin(struct tmap_stderr_capture *hush)
{
	*hush = (struct tmap_stderr_capture){ .saved = TMAP_NONE, .caught = TMAP_NONE };
	fflush(stderr);
	hush->caught = memfd_create("stderr", MFD_CLOEXEC);
	if (hush->caught < 0)
		return;
	hush->saved = dup(STDERR_FILENO);
	if (hush->saved < 0 || dup2(hush->caught, STDERR_FILENO) < 0) {
		close(hush->caught);
		if (hush->saved >= 0)
			close(hush->saved);
		hush->saved = TMAP_NONE;
	}
}

void tmap_stderr_capture_end(struct tmap_stderr_capture *hush, char *text, size_t size)
{
	ssize_t length;

	text[0] = '\0';
	if (hush->saved == TMAP_NONE)
		return;
	fflush(stderr);
	dup2(hush->saved, STDERR_FILENO);
	length = pread(hush->caught, text, size - 1, 0);
	text[length > 0 ? length : 0] = '\0';
	close(hush->caught);
	close(hush->saved);
	hush->saved = TMAP_NONE;
}
