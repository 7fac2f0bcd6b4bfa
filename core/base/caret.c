#include "core/base/caret.h"

#include <stdio.h>
#include <string.h>

/* What is shown of a long line: so much before the caret, so much in all. */
enum { BEFORE = 40, WIDTH = 72 };

void tmap_caret_print(char *out, size_t size, const char *line, size_t offset, const char *reason)
{
	size_t length = strlen(line);
	size_t from = length > WIDTH && offset > BEFORE ? offset - BEFORE : 0;
	const char *before = from ? "..." : "", *after = from + WIDTH < length ? "..." : "";

	snprintf(out, size, "%s%.*s%s\n%*s^ %s", before, WIDTH, line + from, after,
		 (int)(offset - from + strlen(before)), "", reason);
}
