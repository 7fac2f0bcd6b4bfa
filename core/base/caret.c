#include "core/base/caret.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* What is shown of a long line: so much before the caret, so much in all. */
enum { BEFORE = 40, WIDTH = 72 };

int tmap_fail_at(struct tmap_error *err, enum tmap_error_kind kind, const char *what,
		 const char *line, size_t column, const char *format, ...)
{
	size_t length = strlen(line), from = column > BEFORE ? column - BEFORE : 0;
	char reason[256], shown[WIDTH + 1];
	const char *before, *after;
	va_list args;

	va_start(args, format);
	vsnprintf(reason, sizeof reason, format, args);
	va_end(args);
	if (length <= WIDTH)
		from = 0;
	snprintf(shown, sizeof shown, "%s", line + from);
	for (char *c = shown; *c; c++)
		if ((unsigned char)*c < ' ' || *c == '\x7f')
			*c = '?';
	before = from ? "..." : "";
	after = from + WIDTH < length ? "..." : "";
	return tmap_fail(err, kind, "%s:\n%s%s%s\n%*s^ %s", what, before, shown, after,
			 (int)(column - from + strlen(before)), "", reason);
}
