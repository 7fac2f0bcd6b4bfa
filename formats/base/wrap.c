/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/base/wrap.h"

#include "formats/base/printable.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 80 };

/* Up to where a line may be broken: the next blank, in a list the next one behind a comma. */
static int unbroken_length(const char *text, bool is_list)
{
	size_t length = strcspn(text, " ");

	while (is_list && text[length] && (length == 0 || text[length - 1] != ','))
		length += 1 + strcspn(text + length + 1, " ");
	return (int)length;
}

static void write_broken(FILE *out, int column, const char *label, const char *text, bool is_list)
{
	int at = column;

	fprintf(out, "%-*s", column, label);
	while (*text) {
		int length = unbroken_length(text, is_list);

		if (at > column && at + 1 + length > COLUMNS) {
			fprintf(out, "\n%*s", column, "");
			at = column;
		} else if (at > column) {
			fputc(' ', out);
			at++;
		}
		at += (int)tmap_printable_write(out, text, (size_t)length);
		text += length + (text[length] == ' ');
	}
	fputc('\n', out);
}

void tmap_text_write_wrapped(FILE *out, int column, const char *label, const char *text)
{
	write_broken(out, column, label, text, false);
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

int tmap_text_write_list_str(FILE *out, int column, const char *label, struct tmap_str *str,
			     struct tmap_error *err)
{
	char *text = tmap_str_take(str, err);

	if (!text)
		return -1;
	write_broken(out, column, label, text, true);
	free(text);
	return 0;
}
