/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_probe/system_file.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>

bool tmap_system_file_read(char *text, size_t size, const char *format, ...)
{
	char path[PATH_MAX];
	size_t length = 0;
	FILE *file = NULL;
	va_list values;
	int written;

	va_start(values, format);
	written = vsnprintf(path, sizeof path, format, values);
	va_end(values);
	if (written > 0 && (size_t)written < sizeof path)
		file = fopen(path, "re");
	if (file) {
		length = fread(text, 1, size - 1, file);
		fclose(file);
	}
	text[length] = '\0';
	if (length && text[length - 1] == '\n')
		text[length - 1] = '\0';
	return length > 0;
}
