/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/base/printable.h"

#include "core/base/utf8.h"

#include <string.h>

size_t tmap_printable_write(FILE *out, const char *text, size_t length)
{
	char escape[TMAP_ESCAPE_ROOM];
	size_t wrote = 0;

	for (const char *end = text + length; text < end;) {
		int taken = tmap_utf8_escape(text, escape);

		wrote += *escape ? fwrite(escape, 1, strlen(escape), out) :
				   fwrite(text, 1, (size_t)taken, out);
		text += taken;
	}
	return wrote;
}

void tmap_printable_write_xml(FILE *out, const char *text, size_t length)
{
	static const char special[] = "&<>\"";
	static const char *const entity[] = { "&amp;", "&lt;", "&gt;", "&quot;" };

	for (const char *end = text + length; text < end;) {
		const char *found = memchr(special, *text, sizeof special - 1);
		size_t plain = 0;

		if (found) {
			fputs(entity[found - special], out);
			text++;
			continue;
		}
		while (text + plain < end && !memchr(special, text[plain], sizeof special - 1))
			plain++;
		tmap_printable_write(out, text, plain);
		text += plain;
	}
}
