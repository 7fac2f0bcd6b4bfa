/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/base/wrap.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 80 };

/* Control characters from documents must not reach a terminal. */
static void write_printable(FILE *out, const char *text, int length)
{
	for (int i = 0; i < length; i++)
		fputc((unsigned char)text[i] < ' ' || text[i] == 127 ? '?' : text[i], out);
}

void tmap_text_write_wrapped(FILE *out, int column, const char *label, const char *text)
{
	int at = column;

	fprintf(out, "%-*s", column, label);
	while (*text) {
		int length = (int)strcspn(text, " ");

		if (at > column && at + 1 + length > COLUMNS) {
			fprintf(out, "\n%*s", column, "");
			at = column;
		} else if (at > column) {
			fputc(' ', out);
			at++;
		}
		write_printable(out, text, length);
		at += length;
		text += length + (text[length] == ' ');
	}
	fputc('\n', out);
}

int tmap_text_write_wrapped_str(FILE *out, int column, const char *label, struct tmap_str *str,
				struct tmap_error *err)
{
	char *text = tmap_str_take(str, err);

	if (!text)
		return -1;
	tmap_text_write_wrapped(out, column, label, text);
	free(text);
	return 0;
}
