#include "formats/wrap.h"

#include <string.h>

enum { COLUMNS = 80 };

void tm_text_write_wrapped(FILE *out, int column, const char *label, const char *text)
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
		fprintf(out, "%.*s", length, text);
		at += length;
		text += length + (text[length] == ' ');
	}
	fputc('\n', out);
}
