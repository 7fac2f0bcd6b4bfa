#include "formats/launchers/comment.h"

#include "core/mem.h"
#include "formats/lines.h"

#include <string.h>

/* Where the words end in a comment; NULL: nowhere. */
static const char *find(const char *text, const char *words, const char **end)
{
	size_t length = strlen(words);
	struct tm_line line = { 0 };

	while (tm_line_next(&line, &text)) {
		const char *found;

		if (line.length == 0 || *line.text != '#')
			continue;
		found = memmem(line.text, line.length, words, length);
		*end = line.text + line.length;
		if (found)
			return found + length;
	}
	return NULL;
}

bool tm_comment_has(const char *text, const char *words)
{
	const char *end;

	return find(text, words, &end) != NULL;
}

int tm_comment_find(char **value, const char *text, const char *option, struct tm_error *err)
{
	const char *end, *found = find(text, option, &end);
	size_t length = 0;

	*value = NULL;
	if (!found)
		return 0;
	found += found < end && *found == '\'';
	while (found + length < end && !strchr(" \t'\"", found[length]))
		length++;
	*value = tm_strndup(found, length, err);
	return *value ? 0 : -1;
}
