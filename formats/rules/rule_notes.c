/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/rules/rule_notes.h"

#include <string.h>

void tmap_rule_note_write(FILE *out, int written, const char *note)
{
	if (note && *note)
		fprintf(out, "%*s# %s", written < 24 ? 24 - written : 1, "", note);
	fputc('\n', out);
}

void tmap_rule_heading_write(FILE *out, const char *text)
{
	while (text && *text) {
		int length = (int)strcspn(text, "\n");

		fprintf(out, "#%s%.*s\n", length ? " " : "", length, text);
		text += length + (text[length] == '\n');
	}
}
