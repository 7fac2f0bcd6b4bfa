/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/base/input.h"

#include "core/base/mem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *tmap_input_name(const char *path)
{
	return strcmp(path, "-") == 0 ? "<stdin>" : path;
}

int tmap_input_init(struct tmap_input *in, const char *path, struct tmap_error *err)
{
	FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");

	if (!file) {
		tmap_fail(err, TMAP_SYSTEM, "cannot be read: %s", strerror(errno));
		return tmap_at(err, path, 0);
	}
	*in = (struct tmap_input){ .file = file, .name = tmap_input_name(path) };
	return 0;
}

void tmap_input_fini(struct tmap_input *in)
{
	if (in->file && in->file != stdin)
		fclose(in->file);
	*in = (struct tmap_input){ 0 };
}

static int read_text(struct tmap_input *in, char **text, struct tmap_error *err)
{
	char *buffer = NULL, *zero;
	size_t length = 0, capacity = 0, got;

	do {
		if (tmap_grow(&buffer, &capacity, length + 65536, 1, err) < 0)
			goto fail;
		errno = 0;
		got = fread(buffer + length, 1, capacity - length - 1, in->file);
		length += got;
	} while (got);
	if (ferror(in->file)) {
		tmap_fail(err, TMAP_SYSTEM, "cannot be read: %s", strerror(errno));
		goto fail;
	}
	zero = memchr(buffer, '\0', length);
	if (zero) {
		tmap_fail(err, TMAP_INPUT, "byte %zu is zero: this is no text",
			  (size_t)(zero - buffer));
		goto fail;
	}
	buffer[length] = '\0';
	*text = buffer;
	return 0;
fail:
	free(buffer);
	return -1;
}

int tmap_input_read_text(const char *path, char **text, struct tmap_error *err)
{
	struct tmap_input in = { 0 };
	int status;

	if (tmap_input_init(&in, path, err) < 0)
		return -1;
	status = read_text(&in, text, err);
	if (status < 0)
		tmap_at(err, in.name, 0);
	tmap_input_fini(&in);
	return status;
}
