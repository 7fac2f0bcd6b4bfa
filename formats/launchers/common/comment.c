/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/launchers/common/comment.h"

#include "core/base/string.h"
#include "formats/base/lines.h"

#include <string.h>

/* A comment that ends in a backslash goes on in the next line's. */
static const char *skip_joint(const char *at)
{
	while (strncmp(at, "\\\n#", 3) == 0)
		at += 3;
	return at;
}

/* What stands behind the words; NULL where others stand here. */
static const char *match(const char *at, const char *words)
{
	for (; *words; words++, at++) {
		at = skip_joint(at);
		if (*at != *words)
			return NULL;
	}
	return skip_joint(at);
}

/* What stands behind the words in a comment; NULL: they are nowhere. */
static const char *find(const char *text, const char *words)
{
	struct tmap_line line = { 0 };
	const char *found = NULL;

	while (!found && tmap_line_next(&line, &text))
		for (size_t i = 0; tmap_line_begins(&line, "#") && i < line.length && !found; i++)
			found = match(line.text + i, words);
	return found;
}

bool tmap_comment_has(const char *text, const char *words)
{
	return find(text, words) != NULL;
}

int tmap_comment_find(char **value, const char *text, const char *option, struct tmap_error *err)
{
	const char *at = find(text, option);
	struct tmap_str made = TMAP_STR_INIT;

	*value = NULL;
	if (!at)
		return 0;
	if (*at == '\'')
		at = skip_joint(at + 1);
	for (; *at && !strchr(" \t\r\n'\"", *at); at = skip_joint(at + 1))
		tmap_str_addc(&made, *at);
	*value = tmap_str_take(&made, err);
	return *value ? 0 : -1;
}
