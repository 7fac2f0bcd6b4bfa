/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/launchers/common/shell.h"

#include <string.h>

void tmap_shell_add(struct tmap_str *line, const char *word)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				    "0123456789_@%+=:,./-";

	if (*word && word[strspn(word, plain)] == '\0') {
		tmap_str_add(line, word);
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
