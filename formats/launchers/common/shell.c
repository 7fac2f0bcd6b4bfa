#include "formats/launchers/common/shell.h"

#include <string.h>

void tm_shell_add(struct tm_str *line, const char *word)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				    "0123456789_@%+=:,./-";

	if (*word && word[strspn(word, plain)] == '\0') {
		tm_str_add(line, word);
		return;
	}
	tm_str_addc(line, '\'');
	for (; *word; word++)
		if (*word == '\'')
			tm_str_add(line, "'\\''");
		else
			tm_str_addc(line, *word);
	tm_str_addc(line, '\'');
}
