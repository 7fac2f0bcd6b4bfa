/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/launchers/common/shell.h"

#include "core/base/utf8.h"

#include <string.h>

/* In the quotes of bash, ksh and zsh in which bytes have escapes. */
static void add_escaped(struct tmap_str *line, const char *word)
{
	char escape[TMAP_ESCAPE_ROOM];

	tmap_str_add(line, "$'");
	while (*word) {
		int length = tmap_utf8_escape(word, escape);

		if (*word == '\'' || *word == '\\')
			tmap_str_addf(line, "\\%c", *word);
		else if (!*escape)
			tmap_str_addf(line, "%.*s", length, word);
		else
			for (int i = 0; i < length; i++)
				tmap_str_addf(line, "\\x%02x", (unsigned char)word[i]);
		word += length;
	}
	tmap_str_addc(line, '\'');
}

void tmap_shell_add(struct tmap_str *line, const char *word)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				    "0123456789_@%+=:,./-";

	if (*word && word[strspn(word, plain)] == '\0') {
		tmap_str_add(line, word);
		return;
	}
	if (!tmap_utf8_is_plain(word)) {
		add_escaped(line, word);
		return;
	}
	tmap_str_addc(line, '\'');
	for (; *word; word++)
		if (*word == '\'')
			tmap_str_add(line, "'\\''");
		else
			tmap_str_addc(line, *word);
	tmap_str_addc(line, '\'');
}

void tmap_shell_add_file(struct tmap_str *line, const char *path)
{
	if (path[0] == '-' && path[1])
		tmap_str_add(line, "./");
	tmap_shell_add(line, path);
}
